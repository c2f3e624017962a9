import { texts } from '../locales/panel.texts.js';

/** What forms with questions say. */
export const questionTexts = texts.perLanguage('questions.questionTexts', ({ words, t }) => ({
  ...words,
  ticket: (number: number) => t('questions.questionTexts.ticket', { number }),
}));

/** What resources with answers say. */
export const answerWords = texts.perLanguage('questions.answer', ({ words }) => words);
