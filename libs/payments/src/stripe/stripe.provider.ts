import type { IncomingHttpHeaders } from 'node:http';
import { Inject } from '@nestjs/common';
import { databaseNow, folderTexts, isObject, SETTINGS, type Settings } from '#kernel';
import type Stripe from 'stripe';
import type { AccountField } from '../providers/account-fields.js';
import { PaymentProviderRefused } from '../providers/payment-errors.js';
import { knownMethods, type OnlineMethod } from '../providers/online-methods.js';
import { marksOf } from '../providers/payment-marks.js';
import {
  PaymentProvider,
  type CheckoutLine,
  type CheckoutRequest,
  type RefundRequest,
  type RepeatedCharge,
} from '../providers/payment-provider.js';
import type { ProviderAccount } from '../providers/account-fields.js';
import { OnlineProvider } from '../providers/payment-providers.js';
import type { CheckoutOutcome, ProviderEvent } from '../providers/provider-event.js';
import { minorUnits } from './minor-units.js';
import { askStripe } from './stripe-client.js';
import { idOf, intentOutcome, isIntent, outcomeOf, readStripeEvent } from './stripe-events.js';
import { cancelAtReader, chargeOutcome, StripeReaders } from './stripe-readers.js';
import words from './stripe.words.json' with { type: 'json' };

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

/** Names that are not those of our table. */
const stripeNames: Readonly<Record<string, string>> = { p24: 'przelewy24', customer_balance: 'bank_transfer' };

const texts = folderTexts(words);

/**
 * Payments on Stripe's own page. Repeating a request for the same payment is safe: it has the same idempotency key, and for a day Stripe
 * returns the first response.
 */
@OnlineProvider()
export class StripeProvider extends PaymentProvider {
  readonly name = 'stripe';
  readonly label = texts.label;
  readonly fields: readonly AccountField[] = [
    {
      name: 'secretKey',
      label: texts.secretKey,
      secret: true,
      shape: { pattern: /^(?:sk|rk)_(live|test)_[A-Za-z0-9]{12,250}$/, refusal: texts.secretKeyInvalid },
      help: texts.secretKeyHelp,
    },
    {
      name: 'webhookSecret',
      label: texts.webhookSecret,
      secret: true,
      shape: { pattern: /^whsec_[A-Za-z0-9+/=_-]{16,250}$/, refusal: texts.webhookSecretInvalid },
      help: texts.webhookSecretHelp,
    },
    { name: 'delayedMethods', label: texts.delayedMethods, secret: false, shape: 'yes_no', help: texts.delayedMethodsHelp },
  ];
  override readonly eventsHelp = texts.events;
  /** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
  readonly minimum = '0.50';
  readonly currencies = ['EUR'];
  override readonly readers = new StripeReaders((account, work) => this.ask(account, work), texts.readerCode);

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'stripeApiBase'>) {
    super();
  }

  override isTest({ fields }: ProviderAccount): boolean {
    return !/^.k_live_/.test(fields['secretKey'] ?? '');
  }

  override async open(request: CheckoutRequest, account: ProviderAccount): Promise<{ reference: string; url: string }> {
    const { paymentId, currency, language, keepsMeans = false } = request;
    const marks = marksOf(paymentId);
    // A kept means of payment must be charged at once, with nobody there.
    const isDelayed = keepsPlaces(account) && !keepsMeans;
    const { id, url } = await this.ask(account, (stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: paymentId,
          metadata: marks,
          // Stripe copies the metadata of the payment intent to its charge, by which events about refunds are recognised.
          payment_intent_data: { metadata: marks, ...(keepsMeans && { setup_future_usage: 'off_session' as const }) },
          ...(keepsMeans && { customer_creation: 'always' as const }),
          line_items: [request, ...(request.more ?? [])].map((line) => lineItem(line, currency)),
          ...(request.email !== '' && { customer_email: request.email }),
          locale: language,
          success_url: request.successUrl,
          cancel_url: request.cancelUrl,
          ...(!isDelayed && { excluded_payment_method_types: [...delayedMethods] }),
          ...expiry(request.expiresAt),
        },
        // Stripe refuses a repetition with other methods under the same key.
        { idempotencyKey: `${paymentId}:checkout${keepsMeans ? ':kept' : isDelayed ? '' : ':immediate'}` },
      ),
    );
    if (url === null) throw new PaymentProviderRefused('Stripe opened no page for this payment.');
    return { reference: id, url };
  }

  async expire(reference: string, account: ProviderAccount): Promise<void> {
    await this.ask(account, async (stripe) => {
      if (isIntent(reference)) await cancelAtReader(stripe, reference);
      else await stripe.checkout.sessions.expire(reference);
    });
  }

  async look(reference: string, account: ProviderAccount): Promise<CheckoutOutcome[]> {
    const outcome = await this.ask(account, async (stripe) => {
      if (!isIntent(reference)) return outcomeOf(await stripe.checkout.sessions.retrieve(reference), keepsPlaces(account));
      return chargeOutcome(stripe, await stripe.paymentIntents.retrieve(reference));
    });
    return outcome ? [outcome] : [];
  }

  /** The idempotency key is valid for a day: the customer's earlier payments are searched before. */
  override async chargeAgain(request: RepeatedCharge, account: ProviderAccount): Promise<CheckoutOutcome | undefined> {
    const { paymentId, providerPayment, amount, currency, description, isOnlyLooked } = request;
    const made = await this.ask(account, async (stripe) => {
      const before = await stripe.paymentIntents.retrieve(providerPayment);
      const [customer, means] = [idOf(before.customer), idOf(before.payment_method)];
      if (customer === null || means === null) throw new PaymentProviderRefused('Stripe kept no means of payment.', 'no_means');
      const { data } = await stripe.paymentIntents.list({ customer, limit: 100 });
      const known = data.find(({ metadata }) => metadata['guichet_payment'] === paymentId);
      if (known || isOnlyLooked) return known;
      return stripe.paymentIntents.create(
        {
          amount: minorUnits(amount, currency),
          currency: currency.toLowerCase(),
          customer,
          payment_method: means,
          off_session: true,
          confirm: true,
          description: [...description].slice(0, 250).join(''),
          metadata: marksOf(paymentId),
        },
        { idempotencyKey: `${paymentId}:charge` },
      );
    });
    const outcome = made && intentOutcome(made);
    if (outcome?.type === 'refused')
      throw new PaymentProviderRefused('The bank refused the payment.', made?.last_payment_error?.code ?? made?.status);
    return outcome;
  }

  /**
   * Repeated requests have the same idempotency key (valid for a day), and before a repetition the refunds of the payment at Stripe are
   * searched.
   */
  async refund(request: RefundRequest, account: ProviderAccount): Promise<{ reference: string }> {
    const { paymentId, providerPayment, amount, currency, refundId, isRepeated } = request;
    const made = await this.ask(account, async (stripe) => {
      const before = isRepeated && refundId ? await givenBefore(stripe, providerPayment, refundId) : undefined;
      if (before) return before;
      const metadata = { ...marksOf(paymentId), ...(refundId && { guichet_refund: refundId }) };
      return stripe.refunds.create(
        { payment_intent: providerPayment, amount: minorUnits(amount, currency), metadata },
        { idempotencyKey: [paymentId, 'refund', ...(refundId ? [refundId] : [])].join(':') },
      );
    });
    if (made.status === 'failed' || made.status === 'canceled')
      throw new PaymentProviderRefused(`Stripe could not give it back (${made.failure_reason ?? made.status}).`, 'refund_failed');
    return { reference: made.id };
  }

  async check(account: ProviderAccount): Promise<void> {
    await this.ask(account, (stripe) => stripe.accounts.retrieveCurrent());
  }

  /**
   * What is switched on in the settings of the account, without what `open` excludes.
   * https://docs.stripe.com/api/payment_method_configurations
   */
  override async methods(account: ProviderAccount): Promise<OnlineMethod[]> {
    const { data } = await this.ask(account, (stripe) => stripe.paymentMethodConfigurations.list({ limit: 100 }));
    const used = data.find((one) => one.active && one.is_default && one.application === null);
    const excluded = new Set<string>(keepsPlaces(account) ? [] : delayedMethods);
    const isOn = ([name, method]: [string, unknown]): boolean => isObject(method) && method['available'] === true && !excluded.has(name);
    return knownMethods(
      Object.entries(used ?? {})
        .filter(isOn)
        .map(([name]) => stripeNames[name] ?? name),
    );
  }

  /** The event is at most five minutes old. */
  override async readEvent(bytes: Buffer, headers: IncomingHttpHeaders, account: ProviderAccount): Promise<ProviderEvent> {
    const signature = String(headers['stripe-signature'] ?? '');
    return readStripeEvent(bytes, signature, { webhookSecret: account.fields['webhookSecret'] ?? '', keepsPlaces: keepsPlaces(account) });
  }

  private ask<Result>({ fields }: ProviderAccount, work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
    return askStripe(fields['secretKey'] ?? '', this.settings.stripeApiBase, work);
  }
}

/** Whether the account accepts methods whose outcome takes days, and keeps places meanwhile. */
function keepsPlaces({ fields }: ProviderAccount): boolean {
  return fields['delayedMethods'] === 'yes';
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
