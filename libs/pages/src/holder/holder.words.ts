import { texts } from '../locales/pages.texts.js';

/** Texts of the holder’s pages. Plain text, not escaped. */
export const holderWords = texts.perLanguage('holder', ({ words, t }) => ({
  ...words,
  number: (number: number, count: number) => t('holder.number', { number, count }),
  cancelAsk: (count: number) => t('holder.cancelAsk', { count }),
  cancelUntil: (time: string) => t('holder.cancelUntil', { time }),
  cancelLate: (time: string) => t('holder.cancelLate', { time }),
  refundOnline: (amount: string) => t('holder.refundOnline', { amount }),
  refundVenue: (amount: string) => t('holder.refundVenue', { amount }),
  refundToBuyer: (amount: string) => t('holder.refundToBuyer', { amount }),
  givenTo: (holder: string) => t('holder.givenTo', { holder }),
  givenAway: (holder: string) => t('holder.givenAway', { holder }),
  payUntil: (time: string, mailed: boolean) => t(mailed ? 'holder.payUntilMailed' : 'holder.payUntil', { time }),
  confirmHint: (time: string, mailed: boolean) => t(mailed ? 'holder.confirmHintMailed' : 'holder.confirmHint', { time }),
  atTheVenue: (time: string) => t('holder.atTheVenue', { time }),
  confirmVenue: (time: string, until: string) => t('holder.confirmVenue', { time, until }),
  payAtVenue: (time: string) => t('holder.payAtVenue', { time }),
}));
