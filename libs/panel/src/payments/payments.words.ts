import { texts } from '../locales/panel.texts.js';

/** Texts of payments and refunds. */
export const paymentWords = texts.perLanguage('payments.payment', ({ words, t }) => ({
  ...words,
  refundOnline: (amount: string) => t('payments.payment.refundOnline', { amount }),
  refundByHand: (amount: string, how: string) => t('payments.payment.refundByHand', { amount, how }),
}));

/** Texts of the form that refunds a donation. */
export const donationWords = texts.perLanguage('payments.donation', ({ words }) => words);

/** Texts of the form that corrects the method of a payment. */
export const correctionWords = texts.perLanguage('payments.correction', ({ words }) => words);
