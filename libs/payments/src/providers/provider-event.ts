import type { ReaderFault } from './card-readers.js';

/** What becomes of a checkout. */
interface OfCheckout {
  /** The first payment of the checkout. */
  readonly paymentId: string;
  /** The provider's id of the checkout. */
  readonly reference: string;
  /** The provider's id of the payment, required for refunds; null: not known yet. */
  readonly providerPayment: string | null;
}

/** The money has arrived. */
export interface PaidCheckout extends OfCheckout {
  readonly type: 'paid';
  /** Decimal text; null: the provider did not say. */
  readonly amount: string | null;
  /** ISO 4217. */
  readonly currency: string | null;
}

/** The buyer did what is to be done; the money arrives later, which takes days, or does not. */
export interface CheckoutUnderWay extends OfCheckout {
  readonly type: 'under_way';
  /** Whether the account keeps places for such a payment. */
  readonly keepsPlaces: boolean;
}

/** Nobody can pay any more: the checkout `closed` unpaid, or a bank `refused` the payment. */
export interface CheckoutNotPaid extends OfCheckout {
  readonly type: 'closed' | 'refused';
  /** Why a card reader took nothing; absent: nobody wanted it any more. */
  readonly fault?: ReaderFault;
}

export type CheckoutOutcome = PaidCheckout | CheckoutUnderWay | CheckoutNotPaid;

/** How much of a checkout was given back so far, by refunds that were asked for and on the provider's own pages. */
export interface RefundedCheckout {
  readonly type: 'refunded';
  readonly paymentId: string;
  /** Sum of all refunds, decimal text. */
  readonly refunded: string;
  /** Whether the whole payment was given back. */
  readonly whole: boolean;
}

/** A refund that failed after it was accepted, because the buyer's bank returned it. */
export interface FailedRefund {
  readonly type: 'refund_failed';
  readonly paymentId: string;
  /** The provider's id of the refund. */
  readonly reference: string;
  /** The provider's reason, shown to staff. */
  readonly reason: string;
}

/** What happened to a payment at its provider. */
export type ProviderChange = CheckoutOutcome | RefundedCheckout | FailedRefund;

/** A message of a provider, which is known to be its own. */
export interface ProviderEvent {
  /** The provider's id of the message: it is applied once. */
  readonly id: string;
  /** Absent: it is about nothing that changes a payment of the current tenant. */
  readonly change?: ProviderChange;
}
