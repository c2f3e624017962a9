import type { Text } from '#kernel';
import { texts } from '../locales/payments.texts.js';

/** States of a payment, then those of a refund. */
export const paymentStates = {
  pending: texts.localized('paymentStates.paymentStates.pending'),
  processing: texts.localized('paymentStates.paymentStates.processing'),
  paid: texts.localized('paymentStates.paymentStates.paid'),
  failed: texts.localized('paymentStates.paymentStates.failed'),
  refund_due: texts.localized('paymentStates.paymentStates.refundDue'),
  refunded: texts.localized('paymentStates.paymentStates.refunded'),
  refund_failed: texts.localized('paymentStates.paymentStates.refundFailed'),
} as const satisfies Record<string, Text>;
export type PaymentStatus = keyof typeof paymentStates;

/**
 * Where each state leads; the database refuses everything else (`shared.keep_payment`). What failed may still be paid: providers tell
 * things in any order. A refund that a bank sends back has failed, and the money is due again in a row of its own.
 */
export const paymentTransitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'paid', 'failed'],
  processing: ['paid', 'failed'],
  failed: ['paid'],
  paid: [],
  refund_due: ['refunded'],
  refunded: ['refund_failed'],
  refund_failed: [],
};

/** The states from which a payment may come into this one. */
export function paymentStatesBefore(status: PaymentStatus): PaymentStatus[] {
  return (Object.keys(paymentTransitions) as PaymentStatus[]).filter((from) => paymentTransitions[from].includes(status));
}

export const paymentMethods = {
  cash: texts.localized('paymentStates.paymentMethods.cash'),
  card: texts.localized('paymentStates.paymentMethods.card'),
  offered: texts.localized('paymentStates.paymentMethods.offered'),
  online: texts.localized('paymentStates.paymentMethods.online'),
} as const satisfies Record<string, Text>;
export type PaymentMethod = keyof typeof paymentMethods;
/** How somebody pays at the venue. */
export type VenueMethod = Exclude<PaymentMethod, 'online'>;
export type PaymentProvider = 'venue' | 'stripe';
export type OnlineProviderName = Exclude<PaymentProvider, 'venue'>;

/** How money was given back. `online` by hand means on the provider's own pages. */
export const refundMethods = {
  cash: texts.localized('paymentStates.refundMethods.cash'),
  card: texts.localized('paymentStates.refundMethods.card'),
  transfer: texts.localized('paymentStates.refundMethods.transfer'),
  online: texts.localized('paymentStates.refundMethods.online'),
} as const satisfies Record<string, Text>;
export type RefundMethod = keyof typeof refundMethods;

/** Why money goes back. */
export const refundReasons = {
  cancelled: texts.localized('paymentStates.refundReasons.cancelled'),
  late: texts.localized('paymentStates.refundReasons.late'),
  provider: texts.localized('paymentStates.refundReasons.provider'),
} as const satisfies Record<string, Text>;
export type RefundReason = keyof typeof refundReasons;

/** Where somebody still pays. */
export function checkoutUrlOf(
  payments: readonly { readonly status: PaymentStatus; readonly checkoutUrl: string | null }[],
): string | undefined {
  return payments.findLast(({ status, checkoutUrl }) => status === 'pending' && checkoutUrl)?.checkoutUrl ?? undefined;
}
