import type { Language } from '#kernel';
import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of an order. Plain text, not escaped. */
export const orderWords = texts.perLanguage('order', ({ words, t }) => ({
  ...words,
  heldUntil: (time: string) => t('order.heldUntil', { time }),
  wasHeld: (time: string) => t('order.wasHeld', { time }),
  ticket: (number: number, name: string) => t('order.ticket', { number, name }),
  venueHint: (time: string) => t('order.venueHint', { time }),
  onlyVenue: (time: string) => t('order.onlyVenue', { time }),
  sendPaid: (amount: string) => t('order.sendPaid', { amount }),
  sentText: (email: string) => t('order.sentText', { email }),
  sentUntil: (time: string) => t('order.sentUntil', { time }),
  sentVenue: (amount: string, time: string) => t('order.sentVenue', { amount, time }),
  pay: (amount: string) => t('order.pay', { amount }),
  payText: (time: string) => t('order.payText', { time }),
}));

export type OrderWords = (typeof orderWords)[Language];
