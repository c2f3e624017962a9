import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentAccountsService, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { readSettings } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { longRun } from '../support/long-run.js';
import type { StripeFault } from '../support/stripe-faults.js';
import { StripeServer } from '../support/stripe-server.js';
import { StripePayments, thrownBy } from '../support/stripe-payments.js';
import { startTestApp } from '../support/test-app.js';

const payments = new StripePayments();
const { checkout, request, read, paid } = payments;
let test: StripePayments['test'];
let stripe: StripeServer;
let tenant: TenantIdentity;

beforeAll(async () => {
  ({ test, stripe, tenant } = await payments.start());
});
afterEach(() => {
  stripe.fault = undefined;
});
afterAll(() => payments.stop());

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
      idempotencyKey: `${asked.paymentId}:checkout:immediate`,
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
    const { paymentId, providerPayment } = await paid();
    const refund = { paymentId, providerPayment, amount: '12.50', currency: 'EUR' };
    const answers = await Promise.all([1, 2, 3].map(() => checkout((service) => service.refund(refund))));
    expect(new Set(answers.map(({ reference }) => reference)).size).toBe(1);
    expect(stripe.charges.get(providerPayment)).toMatchObject({ amount_refunded: 1250, refunded: true });
    const more = checkout((service) => service.refund({ ...refund, refundId: 'again' }));
    expect((await thrownBy(more)).code).toBe('already_refunded');
  });

  it('in parts is identified by the id of each refund', async () => {
    const { paymentId, providerPayment } = await paid();
    const part = { paymentId, providerPayment, amount: '5.00', currency: 'EUR' };
    const purposes = ['ticket-1', 'ticket-2', 'ticket-1'];
    const references = [];
    for (const purpose of purposes)
      references.push((await checkout((service) => service.refund({ ...part, refundId: purpose }))).reference);
    expect(references[2]).toBe(references[0]);
    expect(references[1]).not.toBe(references[0]);
    const { change } = await read(stripe.refunded(providerPayment));
    expect(change).toEqual({ type: 'refunded', paymentId, refunded: '10.00', whole: false });
  });

  it('above the paid amount is refused', async () => {
    const { paymentId, providerPayment } = await paid();
    const refund = { paymentId, providerPayment, amount: '12.51', currency: 'EUR' };
    expect(await thrownBy(checkout((service) => service.refund(refund)))).toBeInstanceOf(PaymentProviderRefused);
  });
});

describe('when Stripe', () => {
  it.each<[string, StripeFault]>([
    // Each takes the time-out of ten seconds.
    ...(longRun
      ? ([
          ['hangs', 'hang'],
          ['sends a byte now and then', 'drip'],
        ] as [string, StripeFault][])
      : []),
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
    const open = own.inside(tenant, async () => {
      const { provider, account } = await own.app.get(PaymentAccountsService).of({ provider: 'stripe', accountId: null });
      return provider.open!(request(), account);
    });
    expect(await thrownBy(open)).toBeInstanceOf(PaymentProviderUnavailable);
    await own.close();
  });

  it('repeats a key in its refusal, our error does not', async () => {
    const { paymentId } = request();
    const refund = { paymentId, providerPayment: stripe.secretKey, amount: '1.00', currency: 'EUR' };
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
  expect(payments.logged).not.toMatch(/(sk|rk|whsec)_\w/);
});
