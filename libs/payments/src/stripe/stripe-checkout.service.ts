import { Inject, Injectable } from '@nestjs/common';
import { databaseNow, SETTINGS, type Settings } from '#kernel';
import { minorUnits } from './minor-units.js';
import { OnlineProvider, type CheckoutLine, type CheckoutRequest, type RefundRequest } from '../online/online-provider.js';
import { PaymentAccountsService, type PaymentAccountStatus } from '../accounts/payment-accounts.service.js';
import { PaymentAccountMissing, PaymentEventRefused, PaymentProviderRefused } from '../online/payment-errors.js';
import { askStripe } from './stripe-client.js';
import type { CheckoutSession, ProviderEvent } from '../online/provider-event.js';
import { marksOf, readStripeEvent, sessionOf } from './stripe-events.js';
import type Stripe from 'stripe';

/** Stripe accepts sessions that last between 30 minutes and 24 hours. The margins allow for clock differences. */
const shortestMs = 31 * 60_000;
const longestMs = 23.5 * 3_600_000;

/**
 * Methods whose outcome Stripe reports hours or days after the checkout: the buyer has not paid, and the places are held.
 * https://docs.stripe.com/payments/payment-methods#payment-notification
 */
const delayedMethods = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'payto',
  'sepa_debit',
  'sofort',
  'us_bank_account',
] as const;

/**
 * Payments on Stripe's own page, with the current tenant's account. Repeating a request for the same payment is safe: it has the same
 * idempotency key, and for a day Stripe returns the first response.
 * @throws PaymentAccountMissing, PaymentProviderRefused, PaymentProviderUnavailable from every method that asks Stripe
 */
@Injectable()
export class StripeCheckoutService extends OnlineProvider {
  readonly name = 'stripe';
  /** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
  readonly minimum = '0.50';

  constructor(
    private readonly accounts: PaymentAccountsService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'stripeApiBase'>,
  ) {
    super();
  }

  /** Whether the tenant has an enabled account. */
  available(): Promise<boolean> {
    return this.accounts.isUsable();
  }

  /** Opens the checkout page of a payment. Do not call it inside a transaction. */
  async open(request: CheckoutRequest): Promise<{ reference: string; url: string }> {
    const { paymentId, currency, language } = request;
    const marks = marksOf(paymentId);
    const { id, url } = await this.ask((stripe, account) =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: paymentId,
          metadata: marks,
          // Stripe copies the metadata of the payment intent to its charge, by which events about refunds are recognised.
          payment_intent_data: { metadata: marks },
          line_items: [request, ...(request.more ?? [])].map((line) => lineItem(line, currency)),
          customer_email: request.email,
          locale: language,
          success_url: request.successUrl,
          cancel_url: request.cancelUrl,
          ...(!account.delayedMethods && { excluded_payment_method_types: [...delayedMethods] }),
          ...expiry(request.expiresAt),
        },
        // Stripe refuses a repetition with other methods under the same key.
        { idempotencyKey: `${paymentId}:checkout${account.delayedMethods ? '' : ':immediate'}` },
      ),
    );
    if (url === null) throw new PaymentProviderRefused('Stripe opened no page for this payment.');
    return { reference: id, url };
  }

  /** Closes the checkout page. @throws PaymentProviderRefused when it was already paid or closed */
  async expire(reference: string): Promise<void> {
    await this.ask((stripe) => stripe.checkout.sessions.expire(reference), { evenDisabled: true });
  }

  async look(reference: string): Promise<CheckoutSession | undefined> {
    return sessionOf(await this.ask((stripe) => stripe.checkout.sessions.retrieve(reference), { evenDisabled: true }));
  }

  /**
   * Makes a refund once: repeated requests have the same idempotency key (valid for a day), and before a repetition the refunds of the
   * payment at Stripe are searched.
   * @throws PaymentProviderRefused with code `charge_already_refunded` when nothing is left to refund
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

  /** Checks a secret key at Stripe. @param secretKey a key that is not saved yet, already checked for its format; default: the saved key */
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

  private async ask<Result>(
    work: (stripe: Stripe, account: Pick<PaymentAccountStatus, 'delayedMethods'>) => Promise<Result>,
    options?: { evenDisabled: boolean },
  ): Promise<Result> {
    const account = await this.accounts.stripe(options);
    if (!account) throw new PaymentAccountMissing();
    return askStripe(account.secretKey, this.settings.stripeApiBase, (stripe) => work(stripe, account));
  }
}

/**
 * The session expires 31 minutes after the hold. It is computed from the hold, not from the current time, so that a repeated request is
 * identical; ending a hold expires its session. When that is too far ahead for Stripe, its default of 24 hours applies.
 */
function expiry(expiresAt: Date): { expires_at?: number } {
  const end = expiresAt.getTime() + shortestMs;
  return end - databaseNow().getTime() > longestMs ? {} : { expires_at: Math.floor(end / 1000) };
}

function lineItem({ amount, description }: CheckoutLine, currency: string): Stripe.Checkout.SessionCreateParams.LineItem {
  const name = [...description].slice(0, 250).join('');
  return {
    quantity: 1,
    price_data: { currency: currency.toLowerCase(), unit_amount: minorUnits(amount, currency), product_data: { name } },
  };
}

/** Finds an earlier refund of this ledger row at Stripe that did not fail. */
async function givenBefore(stripe: Stripe, paymentIntent: string, refundId: string): Promise<Stripe.Refund | undefined> {
  const { data } = await stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 });
  return data.find(({ metadata, status }) => metadata?.['guichet_refund'] === refundId && status !== 'failed' && status !== 'canceled');
}
