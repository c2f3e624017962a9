import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of a waiting list. Plain text, not escaped. */
export const waitingWords = texts.perLanguage('waiting', ({ words, t }) => ({
  ...words,
  sentText: (email: string) => t('waiting.sentText', { email }),
  offeredText: (count: number) => t('waiting.offeredText', { count }),
  offeredUntil: (before: string) => t('waiting.offeredUntil', { before }),
}));
