import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of a waiting list. Plain text, not escaped. */
export const waitingWords = texts.perLanguage('waiting', ({ words, t }) => ({
  ...words,
  sentText: (email: string) => t('waiting.sentText', { email }),
  offeredText: (count: number) => t('waiting.offeredText', { count }),
  codeKept: (code: string) => t('waiting.codeKept', { code }),
  codeUsed: (code: string) => t('waiting.codeUsed', { code }),
  codeGone: (code: string) => t('waiting.codeGone', { code }),
  offeredUntil: (before: string) => t('waiting.offeredUntil', { before }),
}));
