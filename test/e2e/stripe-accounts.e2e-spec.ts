import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import {
  PaymentAccountMissing,
  PaymentAccountsService,
  PaymentEventRefused,
  PaymentProviderRefused,
  type CheckoutOutcome,
} from '#payments';
import { RefusedInput, SecretBoxError } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { StripeServer, type StripeEvent } from '../support/stripe-server.js';
import { StripePayments, thrownBy } from '../support/stripe-payments.js';

const payments = new StripePayments();
const { save, checkout, request, read, paid } = payments;
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

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

describe('a payment account', () => {
  it('is encrypted: the table contains no key', async () => {
    const rows = await test.database.query<Record<'fields' | 'key' | 'secret', Buffer>>(
      `select sealed_fields as fields, sealed_secret_key as key, sealed_webhook_secret as secret
       from "${tenant.schemaName}".payment_account`,
    );
    expect(rows).toHaveLength(1);
    const { secretKey, webhookSecret } = stripe;
    const { fields, key, secret } = rows[0]!;
    for (const sealed of [fields, key, secret])
      for (const plain of [secretKey, webhookSecret]) expect(sealed.includes(plain.slice(-8))).toBe(false);
    const text = JSON.stringify({ secretKey, webhookSecret, delayedMethods: 'no' });
    expect([fields, key, secret].map(({ length }) => length - 29)).toEqual([text, secretKey, webhookSecret].map(({ length }) => length));
  });

  it('can be decrypted only for its own tenant and use', async () => {
    const thief = await test.newTenant({ node: tenant.node });
    await test.database.query(`insert into "${thief.schemaName}".payment_account select * from "${tenant.schemaName}".payment_account`);
    const open = (of: TenantIdentity) =>
      test.inside(of, () => test.app.get(PaymentAccountsService).of({ provider: 'stripe', accountId: null }));
    await expect(open(thief)).rejects.toThrow(SecretBoxError);
    expect((await test.accountOf(thief))!.account).toBeUndefined();
    // The columns of older programs, which are read where the fields are not sealed.
    const swapped = await test.newVenue();
    await test.database.query(
      `update "${swapped.schemaName}".payment_account
       set sealed_secret_key = sealed_webhook_secret, sealed_webhook_secret = sealed_secret_key`,
    );
    await expect(open(swapped)).rejects.toThrow(SecretBoxError);
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

  it('has the ways to pay that its page shows', async () => {
    const account = (await test.accountOf(tenant))!;
    const shown = (delayedMethods: string) =>
      account.provider.methods!({ id: account.id, fields: { ...account.account!.fields, delayedMethods } });
    expect(await shown('no')).toEqual(['card', 'google_pay', 'bancontact', 'przelewy24']);
    expect(await shown('yes')).toEqual(['card', 'google_pay', 'bancontact', 'przelewy24', 'sepa_debit']);
  });

  it('is replaced, switched off and removed', async () => {
    const venue = await test.newTenant();
    const status = async () => {
      const found = await test.accountOf(venue);
      return found && { enabled: found.enabled, key: found.account!.fields['secretKey'], isTest: found.provider.isTest(found.account!) };
    };
    expect(await status()).toBeUndefined();
    expect((await thrownBy(checkout((service) => service.open(request()), venue))).name).toBe('PaymentAccountMissing');
    await save(venue, { secretKey: ' sk_live_51GuichetTestsOnly0002\n', webhookSecret: stripe.webhookSecret });
    expect(await status()).toMatchObject({ isTest: false, key: 'sk_live_51GuichetTestsOnly0002' });
    await test.takePayments(venue);
    expect(await status()).toMatchObject({ isTest: true, key: stripe.secretKey, enabled: true });
    const { paymentId, providerPayment } = await paid(venue);
    await test.switchAccount(venue, false);
    expect(await status()).toMatchObject({ enabled: false });
    expect(await thrownBy(checkout((service) => service.open(request()), venue))).toBeInstanceOf(PaymentAccountMissing);
    // Earlier payments can still be refunded.
    const refund = { paymentId, providerPayment, amount: '12.50', currency: 'EUR' };
    await checkout((service) => service.refund(refund), venue);
    await test.removeAccount(venue);
    expect(await status()).toBeUndefined();
  });

  it('is usable at once when it is saved or switched here, and within a second when another process does', async () => {
    const venue = await test.newTenant();
    const accounts = test.app.get(PaymentAccountsService);
    const isUsable = async (of = venue): Promise<boolean> => (await test.inside(of, () => accounts.offered())).length > 0;
    expect(await isUsable()).toBe(false);
    await test.takePayments(venue);
    expect(await isUsable()).toBe(true);
    await test.switchAccount(venue, false);
    expect(await isUsable()).toBe(false);
    await test.database.query(`update "${venue.schemaName}".payment_account set enabled = true`);
    await eventually(async () => expect(await isUsable()).toBe(true), { timeout: 5000, interval: 100 });
    await test.removeAccount(venue);
    expect(await isUsable()).toBe(false);
    expect(await isUsable(tenant)).toBe(true);
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

describe('an event', () => {
  it('reports a payment', async () => {
    const { paymentId } = request();
    const { reference } = await checkout((service) => service.open(request({ paymentId })));
    const event = stripe.pay(reference);
    const seen = await read(event);
    expect(seen).toEqual({
      id: event.id,
      change: {
        type: 'paid',
        reference,
        paymentId,
        providerPayment: stripe.sessions.get(reference)?.payment_intent,
        amount: '12.50',
        currency: 'EUR',
      },
    });
    // Stripe repeats an event until it is acknowledged, with a new signature.
    expect(await read(event, stripe.signature(event, { timestamp: secondsAgo(200) }))).toEqual(seen);
  });

  it.each(['succeeded', 'failed'] as const)('reports a delayed payment that has %s', async (outcome) => {
    const { reference } = await checkout((service) => service.open(request()));
    const { change } = await read(stripe.payLater(reference));
    expect(change).toMatchObject({ type: 'under_way', reference, keepsPlaces: false });
    const settled = await read(stripe.settle(reference, outcome));
    expect(settled.change).toMatchObject({ type: outcome === 'succeeded' ? 'paid' : 'refused', reference });
  });

  it('reports an expired checkout', async () => {
    const { reference } = await checkout((service) => service.open(request()));
    const { change } = await read(stripe.runOut(reference));
    expect(change).toMatchObject({ type: 'closed', reference, providerPayment: null });
  });

  it('of others on the same account is reduced to its id', async () => {
    const neighbour = await test.newVenue();
    const { reference } = await checkout((service) => service.open(request()), neighbour);
    const foreign = stripe.pay(reference);
    expect(Object.keys(await read(foreign))).toEqual(['id']);
    expect(((await read(foreign, undefined, neighbour)).change as CheckoutOutcome).reference).toBe(reference);
    for (const object of [
      { object: 'checkout.session', id: 'cs_test_shop', metadata: {}, payment_status: 'paid' },
      { object: 'checkout.session', id: 'cs_test_shop', metadata: null },
      { object: 'checkout.session', metadata: { guichet_tenant: tenant.id, guichet_payment: "' or 1=1" } },
      { object: 'customer', id: 'cus_1' },
    ])
      expect((await read(stripe.event('some.event', object))).change).toBeUndefined();
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
      expect(await test.deliver(event, other)).toMatchObject({ status: 400 });
      await save(other, { secretKey: stripe.secretKey, webhookSecret: 'whsec_anotherTenantsOwnSecret' });
      expect(await thrownBy(read(event, undefined, other))).toBeInstanceOf(PaymentEventRefused);
    });
  });
});

it('no key is in the log', () => {
  expect(payments.logged).not.toMatch(/(sk|rk|whsec)_\w/);
});
