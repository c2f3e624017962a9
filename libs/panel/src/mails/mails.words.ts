import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { correctionWords } from '../sales/email-correction.words.js';
import { texts } from '../locales/panel.texts.js';

/** Texts of mails. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('mails', ({ words, language }) => ({
  ...words,
  messages: { ...words.messages, ...correctionWords[language].messages },
}));

/** Texts of the form that sends a mail again. */
export const formWords = texts.perLanguage('mails.form', ({ words, language }) => ({
  ...words,
  noServer: correctionWords[language].noServer,
}));

/** Texts of the page on which staff add texts to mails. */
export const mailTextWords = texts.perLanguage('mailTexts', ({ words }) => words);
