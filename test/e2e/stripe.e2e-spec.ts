import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  PaymentAccountMissing,
  PaymentAccountsService,
  PaymentEventRefused,
  PaymentProviderRefused,
  PaymentProviderUnavailable,
  StripeCheckoutService,
  type CheckoutRequest,
  type ProviderEvent,
} from '#payments';
import { readSettings, RefusedInput, SecretBoxError } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { StripeServer, type StripeEvent, type StripeFault } from '../support/stripe-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let stripe: StripeServer;
let tenant: TenantIdentity;
let logged = '';

beforeAll(async () => {
  stripe = await StripeServer.start();
  test = await startTestApp({ environment: { STRIPE_API_BASE: stripe.url }, log: (line) => (logged += line) });
  tenant = await newVenue();
});
afterEach(() => {
  stripe.fault = undefined;
});
afterAll(async () => {
  await test.close();
  await stripe.stop();
});

/** A tenant with a payment account. */
async function newVenue(): Promise<TenantIdentity> {
  const venue = await test.newTenant();
  await save(venue, { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret });
  return venue;
}

function save(of: TenantIdentity, keys: { secretKey: string; webhookSecret: string }): Promise<void> {
  return test.inside(of, () => test.app.get(PaymentAccountsService).save(keys));
}

function checkout<Result>(work: (checkout: StripeCheckoutService) => Promise<Result>, of = tenant): Promise<Result> {
  return test.inside(of, () => work(test.app.get(StripeCheckoutService)));
}

function request(changes: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    paymentId: randomUUID(),
    amount: '12.50',
    currency: 'EUR',
    description: 'Concert, 1 ticket',
    email: 'ada@example.org',
    language: 'fr',
    successUrl: `https://${tenant.host}/paid`,
    cancelUrl: `https://${tenant.host}/cancelled`,
    expiresAt: new Date(Date.now() + 15 * 60_000),
    ...changes,
  };
}

function read(event: StripeEvent, signature = stripe.signature(event), of = tenant): Promise<ProviderEvent> {
  return checkout((service) => service.readEvent(Buffer.from(event.payload), signature), of);
}

async function thrownBy(work: Promise<unknown>): Promise<Error & { code?: string }> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  return outcome as Error;
}

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

/** A paid payment. */
async function paid(of = tenant): Promise<{ paymentId: string; paymentIntent: string }> {
  const asked = request();
  const { reference } = await checkout((service) => service.open(asked), of);
  const { session } = await read(stripe.pay(reference), undefined, of);
  return { paymentId: asked.paymentId, paymentIntent: session?.paymentIntent as string };
}

describe('a payment account', () => {
  it('shows its mode and four characters, never a key', async () => {
    const status = await test.inside(tenant, () => test.app.get(PaymentAccountsService).status());
    expect(status).toEqual({ mode: 'test', enabled: true, lastFour: '0001', updatedAt: expect.any(Date) });
    expect(JSON.stringify(status)).not.toContain(stripe.secretKey);
  });

  it('is encrypted: the table contains no key', async () => {
    const rows = await test.database.query<Record<'key' | 'secret', Buffer>>(
      `select sealed_secret_key as key, sealed_webhook_secret as secret from "${tenant.schemaName}".payment_account`,
    );
    expect(rows).toHaveLength(1);
    for (const [sealed, plain] of [
      [rows[0]!.key, stripe.secretKey],
      [rows[0]!.secret, stripe.webhookSecret],
    ] as const) {
      expect(sealed.includes(plain.slice(-8))).toBe(false);
      expect(sealed.length).toBe(29 + plain.length);
    }
  });

  it('can be decrypted only for its own tenant and use', async () => {
    const thief = await test.newTenant();
    await test.database.query(`insert into "${thief.schemaName}".payment_account select * from "${tenant.schemaName}".payment_account`);
    await expect(test.inside(thief, () => test.app.get(PaymentAccountsService).stripe())).rejects.toThrow(SecretBoxError);
    const swapped = await newVenue();
    await test.database.query(
      `update "${swapped.schemaName}".payment_account
       set sealed_secret_key = sealed_webhook_secret, sealed_webhook_secret = sealed_secret_key`,
    );
    await expect(test.inside(swapped, () => test.app.get(PaymentAccountsService).stripe())).rejects.toThrow(SecretBoxError);
  });

  it.each([
    ['secretKey', '', undefined],
    ['secretKey', 'pk_test_51GuichetTestsOnly0001', undefined],
    ['secretKey', 'sk_test_', undefined],
    ['secretKey', 'sk_test_51Guichet TestsOnly0001', undefined],
    ['webhookSecret', undefined, 'we_1234567890123456'],
    ['webhookSecret', undefined, 'whsec_'],
  ])('refuses a %s that is none (%s%s)', async (field, secretKey, webhookSecret) => {
    const keys = { secretKey: secretKey ?? stripe.secretKey, webhookSecret: webhookSecret ?? stripe.webhookSecret };
    const error = await thrownBy(save(tenant, keys));
    expect(error).toBeInstanceOf(RefusedInput);
    expect((error as RefusedInput).field).toBe(field);
  });

  it('is replaced, switched off and removed', async () => {
    const venue = await test.newTenant();
    const accounts = test.app.get(PaymentAccountsService);
    const status = () => test.inside(venue, () => accounts.status());
    expect(await status()).toBeUndefined();
    expect((await thrownBy(checkout((service) => service.open(request()), venue))).name).toBe('PaymentAccountMissing');
    await save(venue, { secretKey: ' sk_live_51GuichetTestsOnly0002\n', webhookSecret: stripe.webhookSecret });
    expect(await status()).toMatchObject({ mode: 'live', lastFour: '0002' });
    await save(venue, { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret });
    expect(await status()).toMatchObject({ mode: 'test', lastFour: '0001', enabled: true });
    const { paymentId, paymentIntent } = await paid(venue);
    await test.inside(venue, () => accounts.setEnabled(false));
    expect(await status()).toMatchObject({ enabled: false });
    expect(await thrownBy(checkout((service) => service.open(request()), venue))).toBeInstanceOf(PaymentAccountMissing);
    // Earlier payments can still be refunded.
    const refund = { paymentId, paymentIntent, amount: '12.50', currency: 'EUR' };
    await checkout((service) => service.refund(refund), venue);
    await test.inside(venue, () => accounts.remove());
    expect(await status()).toBeUndefined();
  });

  it('is tested with Stripe', async () => {
    await checkout((service) => service.check());
    const venue = await test.newTenant();
    await save(venue, { secretKey: 'rk_test_51GuichetUnknown9999', webhookSecret: stripe.webhookSecret });
    const error = await thrownBy(checkout((service) => service.check(), venue));
    expect(error).toBeInstanceOf(PaymentProviderRefused);
    expect(error).toMatchObject({ message: 'Stripe does not know the secret key.', code: 'key' });
  });
});

describe('a checkout', () => {
  it('charges the amount in minor units, with payment and tenant as metadata', async () => {
    const asked = request({ amount: '1.15', description: 'é'.repeat(300) });
    const { reference, url } = await checkout((service) => service.open(asked));
    expect(url).toBe(`${stripe.url}/pay/${reference}`);
    const { parameters, ...sent } = stripe.requests.at(-1)!;
    expect(sent).toEqual({
      method: 'POST',
      path: '/v1/checkout/sessions',
      key: stripe.secretKey,
      idempotencyKey: `${asked.paymentId}:checkout`,
    });
    expect(parameters).toMatchObject({
      mode: 'payment',
      client_reference_id: asked.paymentId,
      'metadata[guichet_payment]': asked.paymentId,
      'metadata[guichet_tenant]': tenant.id,
      'payment_intent_data[metadata][guichet_payment]': asked.paymentId,
      'line_items[0][price_data][unit_amount]': '115',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][product_data][name]': 'é'.repeat(250),
      'line_items[0][quantity]': '1',
      customer_email: 'ada@example.org',
      locale: 'fr',
      success_url: asked.successUrl,
      cancel_url: asked.cancelUrl,
    });
  });

  it.each([1, 15, 60, 23 * 60, 3 * 24 * 60])('is accepted by Stripe when holds last %d minutes', async (held) => {
    const expiresAt = new Date(Date.now() + held * 60_000);
    const { reference } = await checkout((service) => service.open(request({ expiresAt })));
    const { expires_at: end } = stripe.sessions.get(reference)!;
    expect(end).toBeGreaterThanOrEqual(Date.now() / 1000 + 1800);
    expect(end).toBeLessThanOrEqual(Date.now() / 1000 + 86_401);
  });

  it('is the same when it is requested again', async () => {
    const asked = request();
    const first = await checkout((service) => service.open(asked));
    // Verified to fail when the end of the session is computed from the current time.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await checkout((service) => service.open(asked))).toEqual(first);
  });

  it('is created once, even when its answer was lost', async () => {
    const asked = request();
    const before = stripe.sessions.size;
    stripe.fault = 'cut after';
    expect(await thrownBy(checkout((service) => service.open(asked)))).toBeInstanceOf(PaymentProviderUnavailable);
    stripe.fault = undefined;
    const { reference } = await checkout((service) => service.open(asked));
    expect(stripe.sessions.size).toBe(before + 1);
    expect(stripe.sessions.get(reference)?.['client_reference_id']).toBe(asked.paymentId);
  });

  it('of another amount with the same payment is refused', async () => {
    const asked = request();
    await checkout((service) => service.open(asked));
    const error = await thrownBy(checkout((service) => service.open({ ...asked, amount: '1.00' })));
    expect(error).toBeInstanceOf(PaymentProviderRefused);
    expect(error.code).toBe('idempotency');
  });

  it('reports a refusal of Stripe as a sentence for staff', async () => {
    const error = await thrownBy(checkout((service) => service.open(request({ amount: '0.10' }))));
    expect(error).toBeInstanceOf(PaymentProviderRefused);
    expect(error).toMatchObject({ code: 'amount_too_small', message: expect.stringContaining('at least 0.50') });
    const email = request({ email: 'nobody' });
    expect((await thrownBy(checkout((service) => service.open(email)))).code).toBe('email_invalid');
  });

  it.each(['', '0.00', '-1.00', '1.005', '1e2'])('of %j is invalid and is not sent', async (amount) => {
    const before = stripe.requests.length;
    await expect(checkout((service) => service.open(request({ amount })))).rejects.toThrow(TypeError);
    expect(stripe.requests.length).toBe(before);
  });

  it('is closed once, and cannot be paid afterwards', async () => {
    const { reference } = await checkout((service) => service.open(request()));
    await checkout((service) => service.expire(reference));
    expect(stripe.sessions.get(reference)?.status).toBe('expired');
    expect(() => stripe.pay(reference)).toThrow();
    expect(await thrownBy(checkout((service) => service.expire(reference)))).toBeInstanceOf(PaymentProviderRefused);
    const unknown = checkout((service) => service.expire('cs_test_unknown'));
    expect((await thrownBy(unknown)).code).toBe('resource_missing');
  });
});

describe('a refund', () => {
  it('is created once, however often it is requested', async () => {
    const { paymentId, paymentIntent } = await paid();
    const refund = { paymentId, paymentIntent, amount: '12.50', currency: 'EUR' };
    const answers = await Promise.all([1, 2, 3].map(() => checkout((service) => service.refund(refund))));
    expect(new Set(answers.map(({ reference }) => reference)).size).toBe(1);
    expect(stripe.charges.get(paymentIntent)).toMatchObject({ amount_refunded: 1250, refunded: true });
    const more = checkout((service) => service.refund({ ...refund, refundId: 'again' }));
    expect((await thrownBy(more)).code).toBe('charge_already_refunded');
  });

  it('in parts is identified by the id of each refund', async () => {
    const { paymentId, paymentIntent } = await paid();
    const part = { paymentId, paymentIntent, amount: '5.00', currency: 'EUR' };
    const purposes = ['ticket-1', 'ticket-2', 'ticket-1'];
    const references = [];
    for (const purpose of purposes)
      references.push((await checkout((service) => service.refund({ ...part, refundId: purpose }))).reference);
    expect(references[2]).toBe(references[0]);
    expect(references[1]).not.toBe(references[0]);
    const { refund } = await read(stripe.refunded(paymentIntent));
    expect(refund).toEqual({ paymentId, paymentIntent, refunded: '10.00', currency: 'EUR', whole: false });
  });

  it('above the paid amount is refused', async () => {
    const { paymentId, paymentIntent } = await paid();
    const refund = { paymentId, paymentIntent, amount: '12.51', currency: 'EUR' };
    expect(await thrownBy(checkout((service) => service.refund(refund)))).toBeInstanceOf(PaymentProviderRefused);
  });
});

describe('an event', () => {
  it('reports a payment', async () => {
    const { paymentId } = request();
    const { reference } = await checkout((service) => service.open(request({ paymentId })));
    const event = stripe.pay(reference);
    const seen = await read(event);
    expect(seen).toEqual({
      id: event.id,
      type: 'checkout.session.completed',
      created: expect.any(Date),
      session: {
        reference,
        paymentId,
        status: 'complete',
        paid: true,
        paymentIntent: stripe.sessions.get(reference)?.payment_intent,
        amount: '12.50',
        currency: 'EUR',
      },
    });
    expect(Math.abs(seen.created.getTime() - Date.now())).toBeLessThan(60_000);
    // Stripe repeats an event until it is acknowledged, with a new signature.
    expect(await read(event, stripe.signature(event, { timestamp: secondsAgo(200) }))).toEqual(seen);
  });

  it.each(['succeeded', 'failed'] as const)('reports a delayed payment that has %s', async (outcome) => {
    const { reference } = await checkout((service) => service.open(request()));
    const { session } = await read(stripe.payLater(reference));
    expect(session).toMatchObject({ reference, status: 'complete', paid: false });
    const settled = await read(stripe.settle(reference, outcome));
    expect(settled.type).toBe(`checkout.session.async_payment_${outcome}`);
    expect(settled.session).toMatchObject({ reference, paid: outcome === 'succeeded' });
  });

  it('reports an expired checkout', async () => {
    const { reference } = await checkout((service) => service.open(request()));
    const { type, session } = await read(stripe.runOut(reference));
    expect(type).toBe('checkout.session.expired');
    expect(session).toMatchObject({ reference, status: 'expired', paid: false, paymentIntent: null });
  });

  it('of others on the same account is reduced to its header', async () => {
    const neighbour = await newVenue();
    const { reference } = await checkout((service) => service.open(request()), neighbour);
    const foreign = stripe.pay(reference);
    expect(Object.keys(await read(foreign))).toEqual(['id', 'type', 'created']);
    expect((await read(foreign, undefined, neighbour)).session?.reference).toBe(reference);
    for (const object of [
      { object: 'checkout.session', id: 'cs_test_shop', metadata: {}, payment_status: 'paid' },
      { object: 'checkout.session', id: 'cs_test_shop', metadata: null },
      { object: 'checkout.session', metadata: { guichet_tenant: tenant.id, guichet_payment: "' or 1=1" } },
      { object: 'customer', id: 'cus_1' },
    ])
      expect((await read(stripe.event('some.event', object))).session).toBeUndefined();
  });

  describe('is refused', () => {
    let event: StripeEvent;

    beforeAll(async () => {
      const { reference } = await checkout((service) => service.open(request()));
      event = stripe.pay(reference);
    });

    it.each<[string, () => [payload: string, signature: string]]>([
      ['signed with another secret', () => [event.payload, stripe.signature(event, { secret: 'whsec_of_somebody_else' })]],
      ['signed six minutes ago', () => [event.payload, stripe.signature(event, { timestamp: secondsAgo(360) })]],
      ['changed', () => [event.payload.replace('1250', '1251'), stripe.signature(event)]],
      ['written anew', () => [JSON.stringify(JSON.parse(event.payload)), stripe.signature(event)]],
      ['without a signature', () => [event.payload, '']],
      ['with nonsense as signature', () => [event.payload, 't=now,v1=ffff']],
      ['with the signature of an older scheme', () => [event.payload, stripe.signature(event).replace('v1=', 'v0=')]],
    ])('when it is %s', async (_what, forged) => {
      const [payload, signature] = forged();
      const error = await thrownBy(checkout((service) => service.readEvent(Buffer.from(payload), signature)));
      expect(error).toBeInstanceOf(PaymentEventRefused);
      expect(error.message.length).toBeLessThan(60);
    });

    it('when it is signed, but is no event', async () => {
      for (const payload of ['not JSON', '{}', '[]', 'null', '{"id":1,"type":"a","data":null}']) {
        const error = await thrownBy(read({ id: '', type: '', payload }));
        expect(error).toBeInstanceOf(PaymentEventRefused);
      }
    });

    it('with the secret of another tenant, or without an account', async () => {
      const other = await test.newTenant();
      expect(await thrownBy(read(event, undefined, other))).toBeInstanceOf(PaymentEventRefused);
      await save(other, { secretKey: stripe.secretKey, webhookSecret: 'whsec_anotherTenantsOwnSecret' });
      expect(await thrownBy(read(event, undefined, other))).toBeInstanceOf(PaymentEventRefused);
    });
  });
});

describe('when Stripe', () => {
  it.each<[string, StripeFault]>([
    ['hangs', 'hang'],
    ['sends a byte now and then', 'drip'],
    ['fails', 'error'],
    ['has had too many requests', 'limit'],
    ['cuts the connection', 'cut'],
    ['answers with a page', 'no JSON'],
  ])('%s, it is reported as unavailable, and the same request succeeds later', async (_what, fault) => {
    const asked = request();
    stripe.fault = fault;
    const error = await thrownBy(checkout((service) => service.open(asked)));
    expect(error).toBeInstanceOf(PaymentProviderUnavailable);
    expect(error.cause).toBeUndefined();
    // Abandoned connections are closed.
    for (const end = Date.now() + 5000; (await stripe.connections()) > 0 && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await stripe.connections()).toBe(0);
    stripe.fault = undefined;
    const { reference } = await checkout((service) => service.open(asked));
    expect(stripe.sessions.has(reference)).toBe(true);
  });

  it('is unreachable, the error says so', async () => {
    const gone = await StripeServer.start();
    const environment = { STRIPE_API_BASE: gone.url };
    await gone.stop();
    const own = await startTestApp({ database: test.database, environment });
    const open = own.inside(tenant, () => own.app.get(StripeCheckoutService).open(request()));
    expect(await thrownBy(open)).toBeInstanceOf(PaymentProviderUnavailable);
    await own.close();
  });

  it('repeats a key in its refusal, our error does not', async () => {
    const { paymentId } = request();
    const refund = { paymentId, paymentIntent: stripe.secretKey, amount: '1.00', currency: 'EUR' };
    const error = await thrownBy(checkout((service) => service.refund(refund)));
    expect(error).toMatchObject({ code: 'resource_missing', message: expect.stringContaining('sk_…') });
  });
});

describe('the setting STRIPE_API_BASE', () => {
  it('is an origin without a path', () => {
    expect(readSettings({}).stripeApiBase).toBe('https://api.stripe.com');
    expect(readSettings({ STRIPE_API_BASE: 'http://proxy:8080/' }).stripeApiBase).toBe('http://proxy:8080');
    for (const STRIPE_API_BASE of ['api.stripe.com', 'ftp://a.example', 'https://a.example/v1', 'https://u:p@a.example'])
      expect(() => readSettings({ STRIPE_API_BASE })).toThrow('STRIPE_API_BASE');
  });
});

it('no key is in the log', () => {
  expect(logged).not.toMatch(/(sk|rk|whsec)_\w/);
});
