import type { Text } from '#kernel';
import { texts } from '../locales/payments.texts.js';

/** States of a payment, then those of a refund. */
export const paymentStates = {
  pending: texts.localized('payments.states.pending'),
  processing: texts.localized('payments.states.processing'),
  paid: texts.localized('payments.states.paid'),
  failed: texts.localized('payments.states.failed'),
  refund_due: texts.localized('payments.states.refundDue'),
  refunded: texts.localized('payments.states.refunded'),
  refund_failed: texts.localized('payments.states.refundFailed'),
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
  cash: texts.localized('payments.methods.cash'),
  card: texts.localized('payments.methods.card'),
  offered: texts.localized('payments.methods.offered'),
  online: texts.localized('payments.methods.online'),
  gift_card: texts.localized('payments.methods.giftCard'),
  transfer: texts.localized('payments.methods.transfer'),
  reader: texts.localized('payments.methods.reader'),
} as const satisfies Record<string, Text>;
export type PaymentMethod = keyof typeof paymentMethods;

/** A method as far as giving money back is concerned: what a card reader took is refunded by its provider, like a payment online. */
export function wayBackOf<Method extends PaymentMethod>(method: Method): Exclude<Method, 'reader'> | 'online' {
  return method === 'reader' ? 'online' : (method as Exclude<Method, 'reader'>);
}

/** Methods of payment at the venue. The others need more than their name: a card, an entry of a bank account, or a checkout. */
export const venueMethods = ['cash', 'card', 'offered'] as const satisfies readonly PaymentMethod[];
export type VenueMethod = (typeof venueMethods)[number];

/** How a refund was paid out. `online` entered by staff means on the provider's own pages. */
export const refundMethods = {
  cash: texts.localized('payments.refundMethods.cash'),
  card: texts.localized('payments.refundMethods.card'),
  transfer: texts.localized('payments.refundMethods.transfer'),
  online: texts.localized('payments.refundMethods.online'),
  gift_card: texts.localized('payments.refundMethods.giftCard'),
} as const satisfies Record<string, Text>;
export type RefundMethod = keyof typeof refundMethods;

/** How money moved. What a card reader took and its provider gave back is the reader's. */
export const movedBy = ({ method, refundedMethod }: { method: PaymentMethod; refundedMethod: RefundMethod | null }): PaymentMethod =>
  refundedMethod === null || (method === 'reader' && refundedMethod === 'online') ? method : refundedMethod;

/** SQL: the same. @param row alias of the payment */
export const movedBySql = (row: string): string =>
  `case when ${row}.method = 'reader' and ${row}.refunded_method = 'online' then 'reader'
    else coalesce(${row}.refunded_method, ${row}.method) end`;

/** Why a refund is due. */
export const refundReasons = {
  cancelled: texts.localized('payments.refundReasons.cancelled'),
  late: texts.localized('payments.refundReasons.late'),
  provider: texts.localized('payments.refundReasons.provider'),
  withdrawal: texts.localized('payments.refundReasons.withdrawal'),
  /** No money moves: another payment records the right method. */
  method: texts.localized('payments.refundReasons.method'),
} as const satisfies Record<string, Text>;
export type RefundReason = keyof typeof refundReasons;

/** The checkout address of the latest pending payment; undefined when there is none. */
export function checkoutUrlOf(
  payments: readonly { readonly status: PaymentStatus; readonly checkoutUrl: string | null }[],
): string | undefined {
  return payments.findLast(({ status, checkoutUrl }) => status === 'pending' && checkoutUrl)?.checkoutUrl ?? undefined;
}
