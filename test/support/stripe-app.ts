import { PaymentAccountsService } from '#payments';
import type { NewTenant, TenantIdentity } from '#tenancy';
import type { Session } from './stripe-objects.js';
import { StripeServer, type Delivered, type StripeEvent } from './stripe-server.js';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** An application and the Stripe server that it calls; `close` stops both. */
export interface StripeApp extends TestApp {
  readonly stripe: StripeServer;
  /** Creates a tenant with a payment account. */
  newVenue(input?: Partial<NewTenant>): Promise<TenantIdentity>;
  /** Gives a tenant a payment account, or its account the valid keys again. */
  takePayments(tenant: TenantIdentity): Promise<void>;
  /** Lets a tenant accept payments that take days, or immediate ones only, which is the default. */
  acceptDelayed(tenant: TenantIdentity, accepted?: boolean): Promise<void>;
  /** Sends an event to the tenant's webhook endpoint. */
  deliver(event: StripeEvent, tenant: TenantIdentity): Promise<Delivered>;
  /** The checkout session that was opened last. */
  lastSession(): Session;
}

/** Starts a Stripe server, and the application with its address. */
export async function startStripeApp({ environment, ...options }: TestAppOptions = {}): Promise<StripeApp> {
  const stripe = await StripeServer.start();
  const test = await startTestApp({ ...options, environment: { STRIPE_API_BASE: stripe.url, ...environment } });
  const takePayments: StripeApp['takePayments'] = (tenant) =>
    test.inside(tenant, () =>
      test.app.get(PaymentAccountsService).save({ secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret }),
    );
  return {
    ...test,
    stripe,
    newVenue: async (input) => {
      const venue = await test.newTenant(input);
      await takePayments(venue);
      return venue;
    },
    takePayments,
    acceptDelayed: (tenant, accepted = true) => test.inside(tenant, () => test.app.get(PaymentAccountsService).setDelayedMethods(accepted)),
    deliver: (event, { host }) => stripe.deliver(event, `http://127.0.0.1:${test.port}/payments/stripe/`, host),
    lastSession: () => [...stripe.sessions.values()].at(-1)!,
    close: async () => {
      await test.close();
      await stripe.stop();
    },
  };
}
