import { toCents } from '#kernel';
import { ownPayment } from '../providers/payment-marks.js';
import { PaymentProviderUnavailable } from '../providers/payment-errors.js';
import type { CheckoutOutcome, ProviderChange } from '../providers/provider-event.js';

/** https://docs.mollie.com/reference/common-data-types */
export interface MollieAmount {
  /** Decimal text. */
  readonly value: string;
  /** ISO 4217. */
  readonly currency: string;
}

type Marks = Readonly<Record<string, string | undefined>> | null;

/** https://docs.mollie.com/reference/list-refunds */
export interface MollieRefund {
  readonly id: string;
  readonly status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled';
  readonly metadata?: Marks;
}

/** https://docs.mollie.com/reference/get-payment */
export interface MolliePayment {
  readonly id: string;
  readonly status: 'open' | 'pending' | 'authorized' | 'canceled' | 'expired' | 'failed' | 'paid';
  readonly amount: MollieAmount;
  readonly amountRefunded?: MollieAmount;
  readonly customerId?: string | null;
  readonly metadata?: Marks;
  readonly details?: { readonly failureReason?: string } | null;
  readonly _links?: { readonly checkout?: { readonly href: string } | null };
  readonly _embedded?: { readonly refunds?: readonly MollieRefund[] };
}

/** What was given back of a payment, in cents. Some ways to pay allow to give back more than was paid, so what remains says nothing. */
export const refundedCents = ({ amountRefunded }: MolliePayment): number => toCents(amountRefunded?.value ?? '0');

/** Refunds whose money did not go, or came back. */
export const isUndone = ({ status }: MollieRefund): boolean => status === 'failed' || status === 'canceled';

/** All that happened to a payment, as `look` answers. @param keepsPlaces whether places are kept for payments that take days */
export function changesOf(payment: MolliePayment, keepsPlaces: boolean): ProviderChange[] {
  const outcome = outcomeOf(payment, keepsPlaces);
  if (!outcome) return [];
  const { paymentId } = outcome;
  const { amount, amountRefunded, _embedded } = payment;
  return [
    outcome,
    ...(amountRefunded && refundedCents(payment) > 0
      ? [{ type: 'refunded' as const, paymentId, refunded: amountRefunded.value, whole: refundedCents(payment) >= toCents(amount.value) }]
      : []),
    ...(_embedded?.refunds ?? [])
      .filter(isUndone)
      .map(({ id, status }) => ({ type: 'refund_failed' as const, paymentId, reference: id, reason: status })),
  ];
}

/**
 * What a payment says about its checkout. https://docs.mollie.com/docs/status-change
 * @returns undefined while it is open, and when it belongs to another program or tenant
 */
export function outcomeOf({ id, status, amount, metadata }: MolliePayment, keepsPlaces: boolean): CheckoutOutcome | undefined {
  const paymentId = ownPayment(metadata);
  if (paymentId === undefined) return undefined;
  const checkout = { paymentId, reference: id, providerPayment: id };
  switch (status) {
    case 'open':
      return undefined;
    case 'paid':
      return { type: 'paid', ...checkout, amount: amount.value, currency: amount.currency };
    case 'pending':
    case 'authorized':
      return { type: 'under_way', ...checkout, keepsPlaces };
    case 'canceled':
    case 'expired':
      return { type: 'closed', ...checkout };
    case 'failed':
      return { type: 'refused', ...checkout };
    default:
      throw new PaymentProviderUnavailable('Mollie names a state of the payment that is not known here.');
  }
}
