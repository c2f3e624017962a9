/** A checkout session of the current tenant, as an event tells of it. */
export interface CheckoutSession {
  readonly reference: string;
  readonly paymentId: string;
  /** `open`, `complete`, `expired`. */
  readonly status: string | null;
  /** The money is there; a complete session without it is paid later (a bank debit, say), which another event tells. */
  readonly paid: boolean;
  /** What a refund names. */
  readonly paymentIntent: string | null;
  /** Decimal text. */
  readonly amount: string | null;
  readonly currency: string | null;
}

/** What was given back of a payment so far. */
export interface RefundedCharge {
  readonly paymentId: string;
  readonly paymentIntent: string | null;
  /** Decimal text: all refunds together. */
  readonly refunded: string;
  readonly currency: string;
  readonly whole: boolean;
}

/** A refund that did not reach the buyer: the bank sent it back. */
export interface FailedRefund {
  readonly paymentId: string;
  /** Stripe's name for the refund. */
  readonly reference: string;
  /** Stripe's word for why. */
  readonly reason: string;
}

/** An event that Stripe signed. Of those that are not about a payment of the current tenant there is no more than the head. */
export interface ProviderEvent {
  readonly id: string;
  /** `checkout.session.completed`, say. */
  readonly type: string;
  readonly created: Date;
  readonly session?: CheckoutSession;
  readonly refund?: RefundedCharge;
  readonly failedRefund?: FailedRefund;
}
