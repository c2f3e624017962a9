import { texts } from '../locales/panel.texts.js';

/** The kinds of lines of the ledger. */
export const paymentKinds = {
  payment: texts.localized('payments.kinds.payment'),
  refund: texts.localized('payments.kinds.refund'),
} as const;

/** The sum of refunds that are in no sum of the list yet. */
export const refundsDueWords = texts.localized('payments.refundsDue');

/** Texts of payments. */
export const words = texts.perLanguage('payments.words', ({ words }) => words);
