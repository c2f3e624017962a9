import { texts } from '../locales/panel.texts.js';

/** What the panel says of payments and of giving them back. */
export const paymentWords = texts.perLanguage('payments.payment', ({ words, t }) => ({
  ...words,
  refundOnline: (amount: string) => t('payments.payment.refundOnline', { amount }),
  refundByHand: (amount: string) => t('payments.payment.refundByHand', { amount }),
}));
