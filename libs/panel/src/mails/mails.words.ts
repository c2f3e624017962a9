import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { correctionWords } from '../sales/email-correction.words.js';
import { texts } from '../locales/panel.texts.js';

/** What the panel says of mails. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('mails', ({ words, language }) => ({
  ...words,
  messages: { ...words.messages, ...correctionWords[language].messages },
}));

/** What the page asks before a mail is sent again. */
export const formWords = texts.perLanguage('mails.form', ({ words, language }) => ({
  ...words,
  noServer: correctionWords[language].noServer,
}));
