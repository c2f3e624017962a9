import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of donations without tickets. Plain text, not escaped. */
export const donationWords = texts.perLanguage('donations', ({ words, t }) => ({
  ...words,
  title: (name: string) => t('donations.title', { name }),
  ask: (name: string) => t('donations.ask', { name }),
  askBeside: (name: string) => t('donations.askBeside', { name }),
  reached: (reached: string, goal: string) => t('donations.reached', { reached, goal }),
  reachedAlone: (reached: string) => t('donations.reachedAlone', { reached }),
  given: (count: number) => t('donations.given', { count }),
  until: (day: string) => t('donations.until', { day }),
  receiptNumber: (number: number) => t('donations.receiptNumber', { number }),
  receiptEnded: (number: number) => t('donations.receiptEnded', { number }),
  placesAsk: (event: string, amount: string) => t('donations.placesAsk', { event, amount }),
  roundUp: (sum: string, missing: string) => t('donations.roundUp', { sum, missing }),
  giveAmount: (amount: string) => t('donations.giveAmount', { amount }),
  received: (amount: string, name: string, day: string) => t('donations.received', { amount, name, day }),
}));
