import type { Language } from '#kernel';
import type { OnlineProviderName } from '../ledger/payment-states.js';

export interface CheckoutRequest {
  readonly paymentId: string;
  /** Decimal text, `12.50`. */
  readonly amount: string;
  /** ISO 4217, `EUR`. */
  readonly currency: string;
  /** What is paid, in the buyer's words. */
  readonly description: string;
  readonly email: string;
  readonly language: Language;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Until when the places are held. */
  readonly expiresAt: Date;
}

export interface RefundRequest {
  readonly paymentId: string;
  /** As the provider named the payment when it told of it. */
  readonly paymentIntent: string;
  /** Decimal text, the whole or a part. */
  readonly amount: string;
  readonly currency: string;
  /** Tells several refunds of one payment apart: asked for the same one again, the answer is the first one's. */
  readonly refundId?: string;
  /** It may have been asked for before: the provider is asked first whether it gave it back then. */
  readonly isRepeated?: boolean;
}

/**
 * A provider of online payments, used with the current tenant's account. A second one beside Stripe implements this class, reports the
 * outcome of payments to `ProviderEventHandlerService` and is named in `PaymentProvider`. Payments at the venue need no provider: see
 * `PaymentsService.recordAtVenue`.
 */
export abstract class OnlineProvider {
  /** As it stands in `payment.provider`. */
  abstract readonly name: OnlineProviderName;

  /** Whether the tenant takes payments there. */
  abstract available(): Promise<boolean>;

  /** Opens a page on which a payment is made; asked again for the same payment, the same one. */
  abstract open(request: CheckoutRequest): Promise<{ reference: string; url: string }>;

  /** Closes that page. @throws PaymentProviderRefused when it was paid, or closed already */
  abstract expire(reference: string): Promise<void>;

  /** Gives money back; asked again for the same payment, not again. @throws PaymentProviderRefused `charge_already_refunded` */
  abstract refund(request: RefundRequest): Promise<{ reference: string }>;
}
