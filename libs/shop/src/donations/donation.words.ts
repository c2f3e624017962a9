import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of donations without tickets. Plain text, not escaped. */
export const donationWords = texts.perLanguage('donations', ({ words, t }) => ({
  ...words,
  title: (name: string) => t('donations.title', { name }),
  ask: (name: string) => t('donations.ask', { name }),
  askBeside: (name: string) => t('donations.askBeside', { name }),
  giveAmount: (amount: string) => t('donations.giveAmount', { amount }),
  received: (amount: string, name: string, day: string) => t('donations.received', { amount, name, day }),
}));
