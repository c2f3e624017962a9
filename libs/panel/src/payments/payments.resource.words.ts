import { texts } from '../locales/panel.texts.js';

/** The kinds of lines of the ledger. */
export const paymentKinds = {
  payment: texts.localized('payments.kinds.payment'),
  refund: texts.localized('payments.kinds.refund'),
} as const;

/** Texts of payments. */
export const words = texts.perLanguage('payments.words', ({ words }) => words);
