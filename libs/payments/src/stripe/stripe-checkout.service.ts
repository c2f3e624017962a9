import { Inject, Injectable } from '@nestjs/common';
import { databaseNow, SETTINGS, type Settings } from '#kernel';
import { minorUnits } from './minor-units.js';
import { OnlineProvider, type CheckoutRequest, type RefundRequest } from '../online/online-provider.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { PaymentAccountMissing, PaymentEventRefused, PaymentProviderRefused } from '../online/payment-errors.js';
import { askStripe } from './stripe-client.js';
import type { ProviderEvent } from '../online/provider-event.js';
import { marksOf, readStripeEvent } from './stripe-events.js';
import type Stripe from 'stripe';

/** Stripe takes no session that ends in less than half an hour, nor one of more than a day; a minute is for clocks that differ. */
const shortestMs = 31 * 60_000;
const longestMs = 23.5 * 3_600_000;

/**
 * Payments by card on Stripe's own page, with the current tenant's account. Asking again for the same payment is safe: it is the same
 * request with the same idempotency key, and Stripe answers what it answered before (for a day).
 * @throws PaymentAccountMissing, PaymentProviderRefused, PaymentProviderUnavailable from every method that asks Stripe
 */
@Injectable()
export class StripeCheckoutService extends OnlineProvider {
  readonly name = 'stripe';

  constructor(
    private readonly accounts: PaymentAccountsService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'stripeApiBase'>,
  ) {
    super();
  }

  /** Whether the tenant has an account that is switched on. */
  async available(): Promise<boolean> {
    return (await this.accounts.stripe()) !== undefined;
  }

  /** Opens the page on which a payment is made. Not inside a transaction. */
  async open(request: CheckoutRequest): Promise<{ reference: string; url: string }> {
    const { paymentId, currency, language } = request;
    const marks = marksOf(paymentId);
    const { id, url } = await this.ask((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: paymentId,
          metadata: marks,
          // Charges carry what the payment intent carries, so that refunds are recognised, too.
          payment_intent_data: { metadata: marks },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: minorUnits(request.amount, currency),
                product_data: { name: [...request.description].slice(0, 250).join('') },
              },
            },
          ],
          customer_email: request.email,
          locale: language,
          success_url: request.successUrl,
          cancel_url: request.cancelUrl,
          ...expiry(request.expiresAt),
        },
        { idempotencyKey: `${paymentId}:checkout` },
      ),
    );
    if (url === null) throw new PaymentProviderRefused('Stripe opened no page for this payment.');
    return { reference: id, url };
  }

  /** Closes the page, so that nobody can pay there any more. @throws PaymentProviderRefused when it was paid, or closed already */
  async expire(reference: string): Promise<void> {
    await this.ask((stripe) => stripe.checkout.sessions.expire(reference), { evenDisabled: true });
  }

  /**
   * Gives money back, once: within a day Stripe knows the request again, later its refunds of the payment are looked through.
   * @throws PaymentProviderRefused with code `charge_already_refunded` when nothing is left
   */
  async refund(request: RefundRequest): Promise<{ reference: string }> {
    const { paymentId, paymentIntent, amount, currency, refundId, isRepeated } = request;
    const made = await this.ask(
      async (stripe) => {
        const before = isRepeated && refundId ? await givenBefore(stripe, paymentIntent, refundId) : undefined;
        if (before) return before;
        const metadata = { ...marksOf(paymentId), ...(refundId && { guichet_refund: refundId }) };
        return stripe.refunds.create(
          { payment_intent: paymentIntent, amount: minorUnits(amount, currency), metadata },
          { idempotencyKey: [paymentId, 'refund', ...(refundId ? [refundId] : [])].join(':') },
        );
      },
      { evenDisabled: true },
    );
    if (made.status === 'failed' || made.status === 'canceled')
      throw new PaymentProviderRefused(`Stripe could not give it back (${made.failure_reason ?? made.status}).`, 'refund_failed');
    return { reference: made.id };
  }

  /** Whether Stripe knows the secret key: that of the account, or one that is not saved yet and is shaped as one. */
  async check(secretKey?: string): Promise<void> {
    const look = (stripe: Stripe): Promise<unknown> => stripe.accounts.retrieveCurrent();
    if (secretKey === undefined) await this.ask(look, { evenDisabled: true });
    else await askStripe(secretKey, this.settings.stripeApiBase, look);
  }

  /** @throws PaymentEventRefused unless the tenant's webhook secret signed these bytes within the last five minutes */
  async readEvent(rawBody: Buffer, signature: string): Promise<ProviderEvent> {
    const keys = await this.accounts.stripe({ evenDisabled: true });
    if (!keys) throw new PaymentEventRefused('There is no payment account.');
    return readStripeEvent(rawBody, signature, keys.webhookSecret);
  }

  private async ask<Result>(work: (stripe: Stripe) => Promise<Result>, options?: { evenDisabled: boolean }): Promise<Result> {
    const keys = await this.accounts.stripe(options);
    if (!keys) throw new PaymentAccountMissing();
    return askStripe(keys.secretKey, this.settings.stripeApiBase, work);
  }
}

/**
 * The end of the session: the end of the hold and half an hour more. Added to it instead of counted from now, so that a repeated request
 * is the same request; whoever ends a hold expires its session. So far ahead that Stripe would not take it, its own end of a day holds.
 */
function expiry(expiresAt: Date): { expires_at?: number } {
  const end = expiresAt.getTime() + shortestMs;
  return end - databaseNow().getTime() > longestMs ? {} : { expires_at: Math.floor(end / 1000) };
}

/** The refund that was made for this row of the ledger, whenever that was; one that failed does not count. */
async function givenBefore(stripe: Stripe, paymentIntent: string, refundId: string): Promise<Stripe.Refund | undefined> {
  const { data } = await stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 });
  return data.find(({ metadata, status }) => metadata?.['guichet_refund'] === refundId && status !== 'failed' && status !== 'canceled');
}
