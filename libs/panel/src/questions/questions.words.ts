import { texts } from '../locales/panel.texts.js';

/** Texts of forms with questions. */
export const questionTexts = texts.perLanguage('questions.form', ({ words, t }) => ({
  ...words,
  ticket: (number: number) => t('questions.form.ticket', { number }),
}));

/** Texts of resources with answers. */
export const answerWords = texts.perLanguage('questions.answer', ({ words }) => words);
