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
const keys = () => ({ provider: 'stripe', secretKey: test.stripe.secretKey, webhookSecret: test.stripe.webhookSecret });
const type = (fields: object, language?: string): Promise<PanelAnswer> => staff.send(account, 'add', fields, language);
const webhookUrl = (): string => tenantUrl(test.settings, venue, '/payments/stripe/');
const status = () => test.accountOf(venue);
const idOf = async (): Promise<string> => (await status())!.id;

describe('the payment account in the panel', () => {
  it('asks for the fields of the provider and shows the webhook address', async () => {
    expect((await staff.list(account)).records).toEqual([]);
    const fields = [
      { name: 'provider', kind: 'choice' },
      { name: 'webhookUrl', kind: 'copy', value: webhookUrl() },
      { name: 'secretKey', kind: 'secret', required: true },
      { name: 'webhookSecret', kind: 'secret', required: true },
      { name: 'delayedMethods', kind: 'choice', value: 'no' },
      { name: 'label', kind: 'text' },
    ];
    const { view } = await staff.page(account, 'add');
    expect(view!['fields']).toEqual(expect.arrayContaining(fields.map((field) => expect.objectContaining(field))));
    expect(Object.keys(pageFaults(await type({ ...keys(), provider: 'bank' })))).toEqual(['provider']);
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
    const id = await idOf();
    expect(made).toMatchObject({
      notice: { type: 'success', message: 'saved' },
      redirectUrl: `/admin/resources/${account}/records/${id}/show`,
    });
    const shown = await staff.look(account, id);
    expect(shown.record!.params).toMatchObject({
      provider: 'Stripe',
      state: 'on',
      mode: 'test',
      fields: expect.stringContaining(`Secret key: …${test.stripe.secretKey.slice(-4)}`),
      webhookUrl: webhookUrl(),
    });
    expect((await staff.act(account, id, 'check')).notice).toMatchObject({ message: 'checked' });
    test.stripe.fault = 'cut';
    const { notice } = await staff.act(account, id, 'check');
    expect(notice).toMatchObject({ type: 'error', message: expect.stringContaining('does not answer') });
    test.stripe.fault = undefined;
    expect((await staff.act(account, id, 'disable')).record!.params).toMatchObject({ state: 'off' });
    expect((await status())!.enabled).toBe(false);
    expect((await staff.act(account, id, 'enable')).record!.params).toMatchObject({ state: 'on' });
    const form = await staff.look(account, id, 'change');
    const seen = JSON.stringify([made, shown, form, await staff.list(account), await staff.page(account, 'add'), logged]);
    expect(seen).not.toContain(test.stripe.secretKey);
    expect(seen).not.toContain(test.stripe.webhookSecret);
  });

  it('is changed without typing the secrets again', async () => {
    const id = await idOf();
    const { view } = await staff.look(account, id, 'change');
    expect(view!['fields']).toContainEqual(expect.objectContaining({ name: 'secretKey', kind: 'secret', value: '', required: false }));
    const changed = await staff.act(account, id, 'change', { secretKey: '', webhookSecret: '', delayedMethods: 'yes', label: ' Card  ' });
    expect(changed.notice).toMatchObject({ message: 'saved' });
    const fields = { secretKey: test.stripe.secretKey, webhookSecret: test.stripe.webhookSecret, delayedMethods: 'yes' };
    expect(await status()).toMatchObject({ id, label: 'Card', enabled: true, account: { fields } });
    const { record } = await staff.act(account, id, 'change', { secretKey: 'sk_test_short' });
    expect(Object.keys(record!.errors)).toEqual(['secretKey']);
    expect(await status()).toMatchObject({ account: { fields } });
  });

  it('reports that its keys cannot be decrypted instead of failing', async () => {
    await test.database.query(`update "${venue.schemaName}".payment_account set sealed_fields = sealed_webhook_secret`);
    expect((await staff.list(account)).records!.map(({ params }) => params)).toMatchObject([{ state: 'unreadable' }]);
    expect(await test.inside(venue, () => test.app.get(PaymentAccountsService).offered())).toEqual([]);
    await staff.call('get', '/api/dashboard').expect(200);
    const id = await idOf();
    expect(Object.keys((await staff.act(account, id, 'change', {})).record!.errors)).toEqual(['secretKey', 'webhookSecret']);
    await staff.act(account, id, 'change', keys());
    expect((await staff.look(account, id)).record!.params).toMatchObject({ state: 'on' });
  });

  it('is deleted, belongs to its own tenant, and exists only for places that sell', async () => {
    const stranger = await staffOf(test, await test.newTenant());
    expect((await stranger.list(account)).records).toEqual([]);
    const id = await idOf();
    for (const action of ['disable', 'change', 'first', 'check', 'delete'])
      expect((await stranger.act(account, id, action, keys())).notice?.type).toBe('error');
    expect((await status())!.enabled).toBe(true);
    await staff.act(account, id, 'delete');
    expect(await status()).toBeUndefined();
    const association = await staffOf(test, await test.newTenant({ category: 'M' }));
    expect((await association.page(account, 'add')).notice?.type).toBe('error');
  });
});
