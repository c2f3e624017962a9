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
 * The allowed transitions of each state; the database enforces them (`shared.keep_payment`). A failed payment may still become paid,
 * because providers send events in any order. A refund that a bank returns is failed, and a new row is due for the same money.
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

/** The states that allow a transition to this state. */
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
/** Methods of payment at the venue. */
export type VenueMethod = Exclude<PaymentMethod, 'online'>;
export type PaymentProvider = 'venue' | 'stripe';
export type OnlineProviderName = Exclude<PaymentProvider, 'venue'>;

/** How a refund was paid out. `online` entered by staff means on the provider's own pages. */
export const refundMethods = {
  cash: texts.localized('paymentStates.refundMethods.cash'),
  card: texts.localized('paymentStates.refundMethods.card'),
  transfer: texts.localized('paymentStates.refundMethods.transfer'),
  online: texts.localized('paymentStates.refundMethods.online'),
} as const satisfies Record<string, Text>;
export type RefundMethod = keyof typeof refundMethods;

/** Why a refund is due. */
export const refundReasons = {
  cancelled: texts.localized('paymentStates.refundReasons.cancelled'),
  late: texts.localized('paymentStates.refundReasons.late'),
  provider: texts.localized('paymentStates.refundReasons.provider'),
} as const satisfies Record<string, Text>;
export type RefundReason = keyof typeof refundReasons;

/** The checkout address of the latest pending payment; undefined when there is none. */
export function checkoutUrlOf(
  payments: readonly { readonly status: PaymentStatus; readonly checkoutUrl: string | null }[],
): string | undefined {
  return payments.findLast(({ status, checkoutUrl }) => status === 'pending' && checkoutUrl)?.checkoutUrl ?? undefined;
}
