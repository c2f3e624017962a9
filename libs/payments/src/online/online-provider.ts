import type { Language } from '#kernel';
import type { OnlineProviderName } from '../ledger/payment-states.js';
import type { CheckoutSession } from './provider-event.js';

/** A line of a checkout page. */
export interface CheckoutLine {
  /** Decimal text, `12.50`. */
  readonly amount: string;
  /** Shown to the buyer. */
  readonly description: string;
}

export interface CheckoutRequest extends CheckoutLine {
  readonly paymentId: string;
  /** ISO 4217, `EUR`. */
  readonly currency: string;
  /** Further lines that are paid together with the first one. */
  readonly more?: readonly CheckoutLine[];
  readonly email: string;
  readonly language: Language;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** End of the hold. */
  readonly expiresAt: Date;
}

export interface RefundRequest {
  readonly paymentId: string;
  /** The provider's id of the payment, from its event. */
  readonly paymentIntent: string;
  /** Decimal text; the whole payment or a part. */
  readonly amount: string;
  readonly currency: string;
  /** Identifies one of several refunds of a payment; a repeated request returns the first result. */
  readonly refundId?: string;
  /** The refund may have been requested before: first look for it at the provider. */
  readonly isRepeated?: boolean;
}

/**
 * A provider of online payments, used with the current tenant's account. A second one beside Stripe implements this class, reports the
 * outcome of payments to `ProviderEventHandlerService` and is named in `PaymentProvider`. Payments at the venue need no provider: see
 * `PaymentsService.recordAtVenue`.
 */
export abstract class OnlineProvider {
  /** Value in `payment.provider`. */
  abstract readonly name: OnlineProviderName;

  /** The smallest sum in EUR that it charges, decimal text. */
  abstract readonly minimum: `${number}`;

  /** Whether the tenant accepts payments with this provider, as of a second ago. */
  abstract available(): Promise<boolean>;

  /** Opens a checkout page. A repeated call for the same payment returns the same page. */
  abstract open(request: CheckoutRequest): Promise<{ reference: string; url: string }>;

  /** Closes a checkout page. @throws PaymentProviderRefused when it was already paid or closed */
  abstract expire(reference: string): Promise<void>;

  /** @returns the checkout; undefined when it belongs to another program or tenant @throws PaymentProviderRefused when it is unknown */
  abstract look(reference: string): Promise<CheckoutSession | undefined>;

  /** Makes a refund. A repeated call for the same refund does not refund twice. @throws PaymentProviderRefused `charge_already_refunded` */
  abstract refund(request: RefundRequest): Promise<{ reference: string }>;
}
