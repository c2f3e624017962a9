import { randomUUID } from 'node:crypto';
import {
  fitFields,
  PaymentAccountMissing,
  PaymentAccountsService,
  PaymentProviders,
  type BegunPayment,
  type CheckoutOutcome,
  type CheckoutRequest,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type RefundRequest,
} from '#payments';
import type { TenantIdentity } from '#tenancy';
import { startStripeApp, type StripeApp } from './stripe-app.js';
import type { StripeEvent, StripeServer } from './stripe-server.js';
import { expect } from '@jest/globals';

/** Stripe with one account. */
export interface AskedProvider {
  open(request: CheckoutRequest): ReturnType<NonNullable<PaymentProvider['open']>>;
  expire(reference: string): Promise<void>;
  look(reference: string): Promise<CheckoutOutcome | undefined>;
  refund(request: RefundRequest): ReturnType<PaymentProvider['refund']>;
  check(): Promise<void>;
  readEvent(payload: Buffer, signature: string): Promise<ProviderEvent>;
}

/** An application with a Stripe server and a tenant with a payment account. Its functions can be destructured before `start`. */
export class StripePayments {
  test!: StripeApp;
  tenant!: TenantIdentity;
  /** Log lines of the application. */
  logged = '';

  async start(): Promise<this> {
    this.test = await startStripeApp({ log: (line) => (this.logged += line) });
    this.tenant = await this.test.newVenue();
    return this;
  }

  get stripe(): StripeServer {
    return this.test.stripe;
  }

  stop(): Promise<void> {
    return this.test.close();
  }

  /** Saves the keys of a tenant's payment account, as a form that staff send. */
  readonly save = (of: TenantIdentity, keys: { secretKey: string; webhookSecret: string }): Promise<string> =>
    this.test.inside(of, async () => {
      const { fields } = this.test.app.get(PaymentProviders).find('stripe')!;
      return this.test.app.get(PaymentAccountsService).save('stripe', fitFields(fields, keys));
    });

  /** Asks Stripe with the account of a tenant; new checkouts need one that is offered. */
  readonly checkout = <Result>(work: (stripe: AskedProvider) => Promise<Result>, of = this.tenant): Promise<Result> =>
    this.test.inside(of, () => {
      const accounts = this.test.app.get(PaymentAccountsService);
      const use = async <Answer>(ask: (stripe: PaymentProvider, account: ProviderAccount) => Promise<Answer>): Promise<Answer> => {
        const { provider, account } = await accounts.of({ provider: 'stripe', accountId: null });
        return ask(provider, account);
      };
      return work({
        open: async (request) => {
          if ((await accounts.offered()).length === 0) throw new PaymentAccountMissing();
          return use((stripe, account) => stripe.open!(request, account));
        },
        expire: (reference) => use((stripe, account) => stripe.expire(reference, account, begunNow())),
        look: (reference) =>
          use(async (stripe, account) => (await stripe.look(reference, account, begunNow()))[0] as CheckoutOutcome | undefined),
        refund: (request) => use((stripe, account) => stripe.refund(request, account)),
        check: () => use((stripe, account) => stripe.check(account)),
        readEvent: (payload, signature) => use((stripe, account) => stripe.readEvent!(payload, { 'stripe-signature': signature }, account)),
      });
    });

  /** A request for a checkout of 12.50 EUR that expires in 15 minutes. */
  readonly request = (changes: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
    paymentId: randomUUID(),
    amount: '12.50',
    currency: 'EUR',
    description: 'Concert, 1 ticket',
    email: 'ada@example.org',
    language: 'fr',
    successUrl: `https://${this.tenant.host}/paid`,
    cancelUrl: `https://${this.tenant.host}/cancelled`,
    expiresAt: new Date(Date.now() + 15 * 60_000),
    ...changes,
  });

  /** Reads a signed event as the tenant's webhook endpoint does. */
  readonly read = (event: StripeEvent, signature = this.stripe.signature(event), of = this.tenant): Promise<ProviderEvent> =>
    this.checkout((service) => service.readEvent(Buffer.from(event.payload), signature), of);

  /** A paid payment. */
  readonly paid = async (of = this.tenant): Promise<{ paymentId: string; providerPayment: string }> => {
    const asked = this.request();
    const { reference } = await this.checkout((service) => service.open(asked), of);
    const { change } = await this.read(this.stripe.pay(reference), undefined, of);
    return { paymentId: asked.paymentId, providerPayment: (change as CheckoutOutcome).providerPayment as string };
  };
}

/** A payment that was begun now. */
export const begunNow = (): BegunPayment => ({ createdAt: new Date(), providerPayment: null });

/** The error that a promise rejects with. Fails when it does not reject with an error. */
export async function thrownBy(work: Promise<unknown>): Promise<Error & { code?: string }> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  return outcome as Error;
}
