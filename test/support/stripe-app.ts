import { PaymentAccountsService, type PaymentAccountStatus } from '#payments';
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
  /** The account of a tenant with Stripe. */
  accountOf(tenant: TenantIdentity): Promise<PaymentAccountStatus | undefined>;
  /** Switches the account of a tenant on or off. */
  switchAccount(tenant: TenantIdentity, enabled: boolean): Promise<void>;
  /** Deletes the account of a tenant. */
  removeAccount(tenant: TenantIdentity): Promise<void>;
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
  const accounts = (): PaymentAccountsService => test.app.get(PaymentAccountsService);
  const save = async (tenant: TenantIdentity, isDelayed: boolean): Promise<void> => {
    const { secretKey, webhookSecret } = stripe;
    const fields = { secretKey, webhookSecret, delayedMethods: isDelayed ? 'yes' : 'no' };
    await test.inside(tenant, () => accounts().save('stripe', fields));
  };
  const accountOf: StripeApp['accountOf'] = (tenant) =>
    test.inside(tenant, async () => (await accounts().all()).find(({ provider }) => provider.name === 'stripe'));
  const idOf = async (tenant: TenantIdentity): Promise<string> => (await accountOf(tenant))!.id;
  return {
    ...test,
    get app() {
      return test.app;
    },
    stripe,
    newVenue: async (input) => {
      const venue = await test.newTenant(input);
      await save(venue, false);
      return venue;
    },
    takePayments: (tenant) => save(tenant, false),
    accountOf,
    switchAccount: async (tenant, enabled) => {
      const id = await idOf(tenant);
      await test.inside(tenant, () => accounts().setEnabled(id, enabled));
    },
    removeAccount: async (tenant) => {
      const id = await idOf(tenant);
      await test.inside(tenant, () => accounts().remove(id));
    },
    acceptDelayed: (tenant, accepted = true) => save(tenant, accepted),
    deliver: (event, { host }) => stripe.deliver(event, `http://127.0.0.1:${test.port}/payments/stripe/`, host),
    lastSession: () => [...stripe.sessions.values()].at(-1)!,
    close: async () => {
      await test.close();
      await stripe.stop();
    },
  };
}
