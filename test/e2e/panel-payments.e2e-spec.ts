import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentAccountsService } from '#payments';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { pageFaults, type PanelAnswer, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';

let test: StripeApp;
let venue: TenantIdentity;
let staff: PanelClient;
let logged = '';

beforeAll(async () => {
  test = await startStripeApp({ log: (line) => (logged += line) });
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
});
afterEach(() => {
  test.stripe.fault = undefined;
});
afterAll(() => test.close());

const account = 'payment-account';
const keys = () => ({ secretKey: test.stripe.secretKey, webhookSecret: test.stripe.webhookSecret });
const type = (fields: object, language?: string): Promise<PanelAnswer> => staff.send(account, 'keys', fields, language);
const webhookUrl = (): string => tenantUrl(test.settings, venue, '/payments/stripe/');
const status = () => test.inside(venue, () => test.app.get(PaymentAccountsService).status());

describe('the payment account in the panel', () => {
  it('asks for the keys and shows the webhook address', async () => {
    expect((await staff.list(account)).records).toEqual([]);
    expect((await staff.page(account, 'keys')).view).toMatchObject({
      fields: [
        { name: 'secretKey', kind: 'secret' },
        { name: 'webhookUrl', kind: 'copy', value: webhookUrl() },
        { name: 'webhookSecret', kind: 'secret' },
      ],
    });
  });

  it('stores no key that is invalid, that Stripe does not accept, or that could not be checked', async () => {
    for (const secretKey of [undefined, '', 'hello', 'sk_test_short', `sk_test_${'a'.repeat(20)}\r\nX-Header: 1`, { a: 1 }]) {
      expect(Object.keys(pageFaults(await type({ ...keys(), secretKey })))).toEqual(['secretKey']);
    }
    expect(Object.keys(pageFaults(await type({ ...keys(), webhookSecret: 'sk_test_1' })))).toEqual(['webhookSecret']);
    const foreign = { ...keys(), secretKey: `sk_test_${'z'.repeat(24)}` };
    expect(pageFaults(await type(foreign))).toEqual({ secretKey: 'Stripe does not know this secret key.' });
    expect(pageFaults(await type(foreign, 'fr'))).toEqual({ secretKey: 'Stripe ne connaît pas cette clé secrète.' });
    for (const fault of ['error', 'limit', 'cut', 'no JSON'] as const) {
      test.stripe.fault = fault;
      expect(Object.keys(pageFaults(await type(keys())))).toEqual(['secretKey']);
    }
    expect(await status()).toBeUndefined();
  });

  it('is set up, tested, switched off and on, and shows at most four characters of the keys', async () => {
    const made = await type(keys());
    expect(made).toMatchObject({
      notice: { type: 'success', message: 'saved' },
      redirectUrl: `/admin/resources/${account}/records/stripe/show`,
    });
    const shown = await staff.look(account, 'stripe');
    expect(shown.record!.params).toMatchObject({
      state: 'on',
      mode: 'test',
      key: `…${test.stripe.secretKey.slice(-4)}`,
      webhookUrl: webhookUrl(),
    });
    expect((await staff.act(account, 'stripe', 'check')).notice).toMatchObject({ message: 'checked' });
    test.stripe.fault = 'cut';
    const { notice } = await staff.act(account, 'stripe', 'check');
    expect(notice).toMatchObject({ type: 'error', message: expect.stringContaining('does not answer') });
    test.stripe.fault = undefined;
    expect((await staff.act(account, 'stripe', 'disable')).record!.params).toMatchObject({ state: 'off' });
    expect((await status())!.enabled).toBe(false);
    expect((await staff.act(account, 'stripe', 'enable')).record!.params).toMatchObject({ state: 'on' });
    const seen = JSON.stringify([made, shown, await staff.list(account), await staff.page(account, 'keys'), logged]);
    expect(seen).not.toContain(test.stripe.secretKey);
    expect(seen).not.toContain(test.stripe.webhookSecret);
  });

  it('reports that its keys cannot be decrypted instead of failing', async () => {
    await test.database.query(`update "${venue.schemaName}".payment_account set sealed_secret_key = sealed_webhook_secret`);
    expect((await staff.list(account)).records!.map(({ params }) => params)).toMatchObject([{ state: 'unreadable' }]);
    await type(keys());
    expect((await staff.look(account, 'stripe')).record!.params).toMatchObject({ state: 'on' });
  });

  it('is deleted, belongs to its own tenant, and exists only for places that sell', async () => {
    const stranger = await staffOf(test, await test.newTenant());
    expect((await stranger.list(account)).records).toEqual([]);
    expect((await stranger.act(account, 'stripe', 'disable')).notice?.type).toBe('error');
    await staff.act(account, 'stripe', 'delete');
    expect(await status()).toBeUndefined();
    const association = await staffOf(test, await test.newTenant({ category: 'M' }));
    expect((await association.page(account, 'keys')).notice?.type).toBe('error');
  });
});
