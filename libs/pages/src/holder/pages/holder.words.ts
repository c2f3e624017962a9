import { isGoodsAlone } from '#tickets';
import type { Language } from '#kernel';
import { texts } from '../../locales/pages.texts.js';

/** Texts of the holder’s pages. */
export const holderWords = texts.perLanguage('holder', ({ words, t }) => ({
  ...words,
  number: (number: number, count: number) => t('holder.number', { number, count }),
  cancelAsk: (count: number) => t('holder.cancelAsk', { count }),
  cancelUntil: (time: string) => t('holder.cancelUntil', { time }),
  cancelLate: (time: string) => t('holder.cancelLate', { time }),
  refundOnline: (amount: string) => t('holder.refundOnline', { amount }),
  refundTransfer: (amount: string) => t('holder.refundTransfer', { amount }),
  refundVenue: (amount: string) => t('holder.refundVenue', { amount }),
  refundGiftCard: (amount: string) => t('holder.refundGiftCard', { amount }),
  refunded: (amount: string) => t('holder.refunded', { amount }),
  refundToBuyer: (amount: string) => t('holder.refundToBuyer', { amount }),
  collectAt: (event: string) => t('holder.collectAt', { event }),
  givenTo: (holder: string) => t('holder.givenTo', { holder }),
  givenAway: (holder: string) => t('holder.givenAway', { holder }),
  payUntil: (until: string, mailed: boolean) => t(mailed ? 'holder.payUntilMailed' : 'holder.payUntil', { until }),
  confirmHint: (before: string, mailed: boolean) => t(mailed ? 'holder.confirmHintMailed' : 'holder.confirmHint', { before }),
  atTheVenue: (until: string) => t('holder.atTheVenue', { until }),
  confirmVenue: (before: string, until: string) => t('holder.confirmVenue', { before, until }),
  confirmTransfer: (before: string, day: string) => t('holder.confirmTransfer', { before, day }),
  confirmOnline: (before: string) => t('holder.confirmOnline', { before }),
  payAtVenue: (amount: string, before: string) => t('holder.payAtVenue', { amount, before }),
  atDoor: (reference: string, mailed: boolean) => t(mailed ? 'holder.atDoorMailed' : 'holder.atDoor', { reference }),
  reservedTitle: (count: number) => t('holder.reservedTitle', { count }),
  confirmPlaces: (count: number) => t('holder.confirmPlaces', { count }),
  donePaid: (amount: string) => t('holder.donePaid', { amount }),
  doneMailed: (email: string) => t('holder.doneMailed', { email }),
}));

export type HolderWords = (typeof holderWords)[Language];

/** The texts that differ for goods. */
const goodsHolderWords = texts.perLanguage('holderGoods', ({ words, t }) => ({
  ...words,
  cancelAsk: (count: number) => t('holderGoods.cancelAsk', { count }),
  cancelLate: (time: string) => t('holderGoods.cancelLate', { time }),
  givenTo: (holder: string) => t('holderGoods.givenTo', { holder }),
  givenAway: (holder: string) => t('holderGoods.givenAway', { holder }),
  payUntil: (until: string, mailed: boolean) => t(mailed ? 'holderGoods.payUntilMailed' : 'holderGoods.payUntil', { until }),
  confirmHint: (before: string, mailed: boolean) => t(mailed ? 'holderGoods.confirmHintMailed' : 'holderGoods.confirmHint', { before }),
  atTheVenue: (until: string) => t('holderGoods.atTheVenue', { until }),
  confirmVenue: (before: string, until: string) => t('holderGoods.confirmVenue', { before, until }),
  atDoor: (reference: string, mailed: boolean) => t(mailed ? 'holderGoods.atDoorMailed' : 'holderGoods.atDoor', { reference }),
  reservedTitle: (count: number) => t('holderGoods.reservedTitle', { count }),
  confirmPlaces: (count: number) => t('holderGoods.confirmPlaces', { count }),
  doneMailed: (email: string) => t('holderGoods.doneMailed', { email }),
}));

/** The texts about these tickets: goods alone are not called tickets. */
export function holderWordsFor(language: Language, tickets: readonly { readonly admission: boolean }[]): HolderWords {
  return isGoodsAlone(tickets) ? { ...holderWords[language], ...goodsHolderWords[language] } : holderWords[language];
}
