/** A checkout session of the current tenant, as an event reports it. */
export interface CheckoutSession {
  readonly reference: string;
  readonly paymentId: string;
  /** `open`, `complete`, `expired`. */
  readonly status: string | null;
  /** Whether the payment arrived. A complete session that is not paid (a bank debit, for example) is followed by another event. */
  readonly paid: boolean;
  /** The provider's id of the payment, required for refunds. */
  readonly paymentIntent: string | null;
  /** Decimal text. */
  readonly amount: string | null;
  readonly currency: string | null;
}

/** The total refunded of a payment so far. */
export interface RefundedCharge {
  readonly paymentId: string;
  readonly paymentIntent: string | null;
  /** Sum of all refunds, decimal text. */
  readonly refunded: string;
  readonly currency: string;
  /** Whether the payment is fully refunded. */
  readonly whole: boolean;
}

/** A refund that failed because the buyer's bank returned it. */
export interface FailedRefund {
  readonly paymentId: string;
  /** Stripe's id of the refund. */
  readonly reference: string;
  /** Stripe's reason code. */
  readonly reason: string;
}

/** An event signed by Stripe. `session`, `refund` and `failedRefund` are absent unless it is about a payment of the current tenant. */
export interface ProviderEvent {
  readonly id: string;
  /** For example `checkout.session.completed`. */
  readonly type: string;
  readonly created: Date;
  readonly session?: CheckoutSession;
  readonly refund?: RefundedCharge;
  readonly failedRefund?: FailedRefund;
}
