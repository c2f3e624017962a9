import { randomUUID } from 'node:crypto';
import { PaymentAccountsService, StripeCheckoutService, type CheckoutRequest, type ProviderEvent } from '#payments';
import type { TenantIdentity } from '#tenancy';
import { startStripeApp, type StripeApp } from './stripe-app.js';
import type { StripeEvent, StripeServer } from './stripe-server.js';
import { expect } from '@jest/globals';

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

  /** Saves the keys of a tenant's payment account. */
  readonly save = (of: TenantIdentity, keys: { secretKey: string; webhookSecret: string }): Promise<void> =>
    this.test.inside(of, () => this.test.app.get(PaymentAccountsService).save(keys));

  /** Calls the checkout service inside a tenant. */
  readonly checkout = <Result>(work: (checkout: StripeCheckoutService) => Promise<Result>, of = this.tenant): Promise<Result> =>
    this.test.inside(of, () => work(this.test.app.get(StripeCheckoutService)));

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
  readonly paid = async (of = this.tenant): Promise<{ paymentId: string; paymentIntent: string }> => {
    const asked = this.request();
    const { reference } = await this.checkout((service) => service.open(asked), of);
    const { session } = await this.read(this.stripe.pay(reference), undefined, of);
    return { paymentId: asked.paymentId, paymentIntent: session?.paymentIntent as string };
  };
}

/** The error that a promise rejects with. Fails when it does not reject with an error. */
export async function thrownBy(work: Promise<unknown>): Promise<Error & { code?: string }> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  return outcome as Error;
}
