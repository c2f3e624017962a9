import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of gift cards. Plain text, not escaped. */
export const giftCardWords = texts.perLanguage('giftCards', ({ words, t }) => ({
  ...words,
  title: (name: string) => t('giftCards.title', { name }),
  lead: (name: string) => t('giftCards.lead', { name }),
  limits: (least: string, most: string) => t('giftCards.limits', { least, most }),
  paid: (amount: string, day: string) => t('giftCards.paid', { amount, day }),
  mailed: (email: string, day: string) => t('giftCards.mailed', { email, day }),
  left: (amount: string) => t('giftCards.left', { amount }),
  until: (day: string) => t('giftCards.until', { day }),
  uses: (tail: string, amount: string) => t('giftCards.uses', { tail, amount }),
  rest: (amount: string) => t('giftCards.rest', { amount }),
  withdrawUntil: (day: string) => t('giftCards.withdrawUntil', { day }),
}));
