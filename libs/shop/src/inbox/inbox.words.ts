import { texts } from '../locales/shop.texts.js';

/** Texts of the page of an order that awaits its confirmation. Plain text, not escaped. */
export const inboxWords = texts.perLanguage('inbox', ({ words, t }) => ({
  ...words,
  text: (email: string) => t('inbox.text', { email }),
  wrong: (count: number) => t('inbox.wrong', { count }),
  overText: (email: string, until: string) => t('inbox.overText', { email, until }),
}));
