import { isGoodsAlone } from '#tickets';
import type { Language } from '#kernel';
import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of an order. Plain text, not escaped. */
export const orderWords = texts.perLanguage('order', ({ words, t }) => ({
  ...words,
  heldUntil: (until: string, count: number) => t('order.heldUntil', { until, count }),
  wasHeld: (until: string) => t('order.wasHeld', { until }),
  cancelUntil: (until: string) => t('order.cancelUntil', { until }),
  ticket: (number: number, name: string) => t('order.ticket', { number, name }),
  venueHint: (before: string) => t('order.venueHint', { before }),
  onlyVenue: (before: string) => t('order.onlyVenue', { before }),
  reserve: (amount: string) => t('order.reserve', { amount }),
  transferHint: (day: string) => t('order.transferHint', { day }),
  onlyTransfer: (day: string) => t('order.onlyTransfer', { day }),
  reserveTransfer: (amount: string) => t('order.reserveTransfer', { amount }),
  reserveLater: (amount: string) => t('order.reserveLater', { amount }),
  sentTransfer: (amount: string, day: string) => t('order.sentTransfer', { amount, day }),
  sentText: (email: string) => t('order.sentText', { email }),
  sentUntil: (until: string, count: number) => t('order.sentUntil', { until, count }),
  sentVenue: (amount: string, until: string) => t('order.sentVenue', { amount, until }),
  sentOnline: (amount: string) => t('order.sentOnline', { amount }),
  pay: (amount: string) => t('order.pay', { amount }),
  payText: (until: string, count: number) => t('order.payText', { until, count }),
  leftOf: (name: string, left: string) => t('order.leftOf', { name, left }),
  missingTickets: (name: string, count: number) => t('order.missingTickets', { name, count }),
  missingEvents: (name: string, count: number) => t('order.missingEvents', { name, count }),
  missingAmount: (name: string, amount: string) => t('order.missingAmount', { name, amount }),
  missingMembership: (name: string) => t('order.missingMembership', { name }),
}));

/** The texts that differ when an order has goods alone. */
const goodsOrderWords = texts.perLanguage('orderGoods', ({ words, t }) => ({
  ...words,
  heldUntil: (until: string, count: number) => t('orderGoods.heldUntil', { until, count }),
  wasHeld: (until: string) => t('orderGoods.wasHeld', { until }),
  ticket: (number: number, name: string) => t('orderGoods.ticket', { number, name }),
  venueHint: (before: string) => t('orderGoods.venueHint', { before }),
  onlyVenue: (before: string) => t('orderGoods.onlyVenue', { before }),
  sentText: (email: string) => t('orderGoods.sentText', { email }),
  sentUntil: (until: string, count: number) => t('orderGoods.sentUntil', { until, count }),
  payText: (until: string, count: number) => t('orderGoods.payText', { until, count }),
}));

/** The texts for an order of these tickets. */
export function orderWordsFor(language: Language, tickets: readonly { readonly admission: boolean }[]): OrderWords {
  return isGoodsAlone(tickets) ? { ...orderWords[language], ...goodsOrderWords[language] } : orderWords[language];
}

export type OrderWords = (typeof orderWords)[Language];
