import { Inject } from '@nestjs/common';
import { folderTexts, fromCents, isObject, SETTINGS, toCents, type Settings } from '#kernel';
import type { AccountField } from '../providers/account-fields.js';
import { PaymentEventRefused, PaymentProviderRefused } from '../providers/payment-errors.js';
import { knownMethods, type OnlineMethod } from '../providers/online-methods.js';
import { marksOf } from '../providers/payment-marks.js';
import { PaymentProvider, type CheckoutRequest, type RefundRequest, type RepeatedCharge } from '../providers/payment-provider.js';
import type { ProviderAccount } from '../providers/account-fields.js';
import { OnlineProvider } from '../providers/payment-providers.js';
import type { CheckoutOutcome, ProviderChange } from '../providers/provider-event.js';
import { askMollie, type MollieRequest } from './mollie-client.js';
import {
  changesOf,
  isUndone,
  outcomeOf,
  refundedCents,
  type MollieAmount,
  type MolliePayment,
  type MollieRefund,
} from './mollie-payments.js';
import words from './mollie.words.json' with { type: 'json' };

const texts = folderTexts(words);

/** The longest description that Mollie takes. */
const longestDescription = 255;

/** Names that are not those of our table. https://docs.mollie.com/reference/list-methods */
const mollieNames: Readonly<Record<string, string>> = {
  creditcard: 'card',
  applepay: 'apple_pay',
  googlepay: 'google_pay',
  mbway: 'mb_way',
  directdebit: 'sepa_debit',
  banktransfer: 'bank_transfer',
};

/** Entries of a list at most. */
const wholeList = 250;

/**
 * Payments on Mollie's own page. Its messages only name a payment, signed by nobody: Mollie is asked what happened. The address of the
 * messages is sent with each payment, so nothing is set up for them.
 */
@OnlineProvider()
export class MollieProvider extends PaymentProvider {
  readonly name = 'mollie';
  readonly label = texts.label;
  readonly fields: readonly AccountField[] = [
    {
      name: 'apiKey',
      label: texts.apiKey,
      secret: true,
      shape: { pattern: /^(?:live|test)_\w{30,250}$/, refusal: texts.apiKeyInvalid },
      help: texts.apiKeyHelp,
    },
    { name: 'delayedMethods', label: texts.delayedMethods, secret: false, shape: 'yes_no', help: texts.delayedMethodsHelp },
  ];
  /** Of iDEAL; others take less. https://help.mollie.com/hc/en-us/articles/115000667365 */
  readonly minimum = '0.10';
  readonly currencies = ['EUR'];

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'mollieApiBase'>) {
    super();
  }

  override isTest({ fields }: ProviderAccount): boolean {
    return !fields['apiKey']?.startsWith('live_');
  }

  /** Mollie's page has one sum and one text; the lines are its text. */
  override async open(request: CheckoutRequest, account: ProviderAccount): Promise<{ reference: string; url: string }> {
    const { paymentId, currency, language, keepsMeans = false } = request;
    const lines = [request, ...(request.more ?? [])];
    const sum = fromCents(lines.reduce((cents, { amount }) => cents + toCents(amount), 0));
    const customerId = keepsMeans ? await this.customerOf(request, account) : undefined;
    const body = {
      amount: amountOf(sum, currency),
      description: shortened(lines.map(({ description }) => description).join(' · ')),
      redirectUrl: request.successUrl,
      cancelUrl: request.cancelUrl,
      locale: texts.locale[language],
      metadata: marksOf(paymentId),
      ...(customerId !== undefined && { customerId, sequenceType: 'first' }),
    };
    const webhookUrl = `${new URL(request.successUrl).origin}/payments/mollie/`;
    const opened = (key: string, more: object): Promise<MolliePayment> =>
      this.ask(account, {
        method: 'POST',
        path: 'payments',
        key: `${paymentId}:${key}${keepsMeans ? ':kept' : ''}`,
        body: { ...body, ...more },
      });
    const { id, _links } = await opened('checkout', { webhookUrl }).catch((error: unknown) => {
      // Mollie refuses addresses that it cannot reach: it sends no messages then, and the program asks by itself.
      if (error instanceof PaymentProviderRefused && error.code === '422') return opened('without-messages', {});
      throw error;
    });
    const url = _links?.checkout?.href;
    if (url === undefined) throw new PaymentProviderRefused('Mollie opened no page for this payment.');
    return { reference: id, url };
  }

  /** Mollie refuses while the buyer pays. */
  async expire(reference: string, account: ProviderAccount): Promise<void> {
    await this.ask(account, { method: 'DELETE', path: `payments/${reference}` });
  }

  async look(reference: string, account: ProviderAccount): Promise<ProviderChange[]> {
    return changesOf(await this.payment(reference, account), keepsPlaces(account));
  }

  /** The key of the request is valid for an hour: the customer's earlier payments are searched before. */
  override async chargeAgain(request: RepeatedCharge, account: ProviderAccount): Promise<CheckoutOutcome | undefined> {
    const { paymentId, providerPayment, amount, currency, description, isOnlyLooked } = request;
    const { customerId } = await this.payment(providerPayment, account);
    if (!customerId) throw new PaymentProviderRefused('Mollie kept no means of payment.', 'no_means');
    const path = `customers/${customerId}/payments`;
    const { _embedded } = await this.ask<{ _embedded?: { payments?: MolliePayment[] } }>(account, { path: `${path}?limit=${wholeList}` });
    const known = _embedded?.payments?.find(({ metadata }) => metadata?.['guichet_payment'] === paymentId);
    if (!known && isOnlyLooked) return undefined;
    const made =
      known ??
      (await this.ask<MolliePayment>(account, {
        method: 'POST',
        path: 'payments',
        key: `${paymentId}:charge`,
        body: {
          amount: amountOf(amount, currency),
          description: shortened(description),
          metadata: marksOf(paymentId),
          customerId,
          sequenceType: 'recurring',
        },
      }));
    // Direct debits take days; nobody is there to be asked for another means.
    const outcome = outcomeOf(made, true);
    if (outcome?.type === 'refused') throw new PaymentProviderRefused('The bank refused the payment.', made.details?.failureReason);
    return outcome ?? { type: 'under_way', paymentId, reference: made.id, providerPayment: made.id, keepsPlaces: true };
  }

  /** The key of the request is valid for an hour: before, the refunds of the payment are searched, also those that staff made at Mollie. */
  async refund(request: RefundRequest, account: ProviderAccount): Promise<{ reference: string }> {
    const { paymentId, providerPayment, amount, currency, refundId } = request;
    const payment = await this.payment(providerPayment, account);
    const { _embedded } = payment;
    const before = _embedded?.refunds?.find((refund) => refundId && refund.metadata?.['guichet_refund'] === refundId && !isUndone(refund));
    if (!before && refundedCents(payment) + toCents(amount) > toCents(payment.amount.value))
      throw new PaymentProviderRefused('Nothing is left to give back at Mollie.', 'already_refunded');
    const made =
      before ??
      (await this.ask<MollieRefund>(account, {
        method: 'POST',
        path: `payments/${providerPayment}/refunds`,
        key: `${paymentId}:refund:${refundId ?? ''}`,
        body: { amount: amountOf(amount, currency), metadata: { ...marksOf(paymentId), ...(refundId && { guichet_refund: refundId }) } },
      }));
    if (isUndone(made)) throw new PaymentProviderRefused(`Mollie could not give it back (${made.status}).`, 'refund_failed');
    return { reference: made.id };
  }

  /** Asks which ways to pay are switched on. */
  async check(account: ProviderAccount): Promise<void> {
    const { count } = await this.ask<{ count?: number }>(account, { path: 'methods' });
    if (count === 0) throw new PaymentProviderRefused('No way to pay is switched on at Mollie.');
  }

  /** What is switched on in the account, with Apple Pay, which Mollie names on request. https://docs.mollie.com/reference/list-methods */
  override async methods(account: ProviderAccount): Promise<OnlineMethod[]> {
    const path = 'methods?includeWallets=applepay';
    const { _embedded } = await this.ask<{ _embedded?: { methods?: readonly { id?: unknown }[] } }>(account, { path });
    return knownMethods((_embedded?.methods ?? []).map(({ id }) => mollieNames[String(id)] ?? String(id)));
  }

  /** `id=tr_…`. https://docs.mollie.com/reference/webhooks */
  override readNotice(body: unknown): string {
    const id = isObject(body) ? body['id'] : undefined;
    if (typeof id !== 'string' || !/^tr_\w{4,60}$/.test(id)) throw new PaymentEventRefused('The message names no payment.');
    return id;
  }

  private payment(id: string, account: ProviderAccount): Promise<MolliePayment> {
    return this.ask<MolliePayment>(account, { path: `payments/${id}?embed=refunds` });
  }

  /** A customer at Mollie, who keeps the means of payment. */
  private async customerOf({ paymentId, email }: CheckoutRequest, account: ProviderAccount): Promise<string> {
    const body = { ...(email !== '' && { email }), metadata: marksOf(paymentId) };
    return (await this.ask<{ id: string }>(account, { method: 'POST', path: 'customers', key: `${paymentId}:customer`, body })).id;
  }

  private ask<Answer extends object>({ fields }: ProviderAccount, request: MollieRequest): Promise<Answer> {
    return askMollie({ base: this.settings.mollieApiBase, apiKey: fields['apiKey'] ?? '' }, request);
  }
}

/** Whether places are kept while a bank processes a payment. */
const keepsPlaces = ({ fields }: ProviderAccount): boolean => fields['delayedMethods'] === 'yes';

const amountOf = (value: string, currency: string): MollieAmount => ({ value, currency });

const shortened = (text: string): string => [...text].slice(0, longestDescription).join('');
