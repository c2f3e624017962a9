import { RefusedInput } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { WalletAccountsService, type TypedApple, type TypedGoogle } from '#wallet';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { pageFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newApple, newAuthority, newGoogle } from '../support/wallet-keys.js';

const authority = newAuthority();
const apple = newApple(authority);
const google = newGoogle();
const day = 86_400_000;

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let logged = '';

beforeAll(async () => {
  test = await startTestApp({ log: (line) => (logged += line) });
  venue = await test.newTenant();
  staff = await staffOf(test, venue);
});
afterAll(() => test.close());

const inside = <Result>(work: (accounts: WalletAccountsService) => Promise<Result>, tenant = venue): Promise<Result> =>
  test.inside(tenant, () => work(test.app.get(WalletAccountsService)));
const account = (account: string, key: string): string =>
  JSON.stringify({ type: 'service_account', client_email: account, private_key: key });
const privateKeyOf = ({ serviceAccount }: TypedGoogle): string => (JSON.parse(serviceAccount) as { private_key: string }).private_key;

/** The refusal of a save. */
async function refused(save: Promise<void>): Promise<readonly [string, string]> {
  const error = await save.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RefusedInput);
  return [(error as RefusedInput).field, (error as RefusedInput).message];
}

describe('what Apple gave the venue', () => {
  it.each<[string, () => Partial<TypedApple>, string, RegExp]>([
    ['another pass type', () => ({ passTypeIdentifier: 'pass.org.example.other' }), 'certificate', /another pass type/],
    ['an identifier that is none', () => ({ passTypeIdentifier: 'org.example' }), 'passTypeIdentifier', /begins with “pass\.”/],
    ['another team', () => ({ teamIdentifier: 'ZZZZZ12345' }), 'teamIdentifier', /another team/],
    ['no certificate', () => ({ certificate: 'hello' }), 'certificate', /no certificate/],
    ['a key that is none', () => ({ privateKey: apple.certificate }), 'privateKey', /no RSA key/],
    ['the key of another certificate', () => ({ privateKey: newApple(authority).privateKey }), 'privateKey', /does not belong/],
    ['another authority of the same name', () => ({ authority: newAuthority().certificate }), 'authority', /did not issue/],
    ['a certificate that has ended', () => newApple(authority, { days: -1 }), 'certificate', /has expired/],
    ['an authority that has ended', () => newApple(newAuthority(-1)), 'authority', /has expired/],
    ['a long certificate', () => ({ certificate: 'a'.repeat(10_001) }), 'certificate', /too long/],
    ['a long passphrase', () => ({ passphrase: 'a'.repeat(201) }), 'passphrase', /too long/],
  ])('is refused with %s', async (_, change, field, message) => {
    expect(await refused(inside((accounts) => accounts.saveApple({ ...apple, ...change() })))).toEqual([
      field,
      expect.stringMatching(message),
    ]);
    expect(await inside((accounts) => accounts.status())).toEqual([]);
  });
});

describe('what Google gave the venue', () => {
  it.each<[string, Partial<TypedGoogle>, string]>([
    ['an issuer that is none', { issuerId: '12' }, 'issuerId'],
    ['no JSON', { serviceAccount: '{' }, 'serviceAccount'],
    ['a list', { serviceAccount: '['.repeat(5000) }, 'serviceAccount'],
    ['another kind of account', { serviceAccount: '{"type":"authorized_user"}' }, 'serviceAccount'],
    ['a long file', { serviceAccount: ' '.repeat(10_001) }, 'serviceAccount'],
    ['no key', { serviceAccount: account('a@example.org', 'hello') }, 'serviceAccount'],
    ['a long address', { serviceAccount: account(`${'a'.repeat(60)}@${'b'.repeat(50)}.org`, privateKeyOf(google)) }, 'serviceAccount'],
  ])('is refused with %s', async (_, change, field) => {
    expect((await refused(inside((accounts) => accounts.saveGoogle({ ...google, ...change }))))[0]).toBe(field);
  });
});

describe('stored keys', () => {
  it('are encrypted for their tenant, and read by nobody else', async () => {
    await inside((accounts) => accounts.saveApple(apple));
    await inside((accounts) => accounts.saveGoogle(google));
    const rows = await test.database.query<{ sealed: Buffer }>(
      `select sealed_credentials as sealed from "${venue.schemaName}".wallet_account`,
    );
    for (const { sealed } of rows) expect(sealed.includes('PRIVATE KEY')).toBe(false);
    const thief = await test.newTenant({ node: venue.node });
    await test.database.query(`insert into "${thief.schemaName}".wallet_account select * from "${venue.schemaName}".wallet_account`);
    expect(await inside((accounts) => Promise.all([accounts.apple(), accounts.google()]), thief)).toEqual([undefined, undefined]);
    expect((await inside((accounts) => accounts.status(), thief)).map(({ isReadable }) => isReadable)).toEqual([false, false]);
    // Those of one wallet are not used for the other.
    const swap = `update "${venue.schemaName}".wallet_account set sealed_credentials = $1 where provider = 'apple'`;
    const [row] = await test.database.query<{ sealed: Buffer }>(
      `select sealed_credentials as sealed from "${venue.schemaName}".wallet_account where provider = 'google'`,
    );
    await test.database.query(swap, [row!.sealed]);
    expect(await inside((accounts) => accounts.apple())).toBeUndefined();
  });

  it('sign nothing after the certificate has ended', async () => {
    const tenant = await test.newTenant();
    await inside((accounts) => accounts.saveApple(apple), tenant);
    expect(await inside((accounts) => accounts.offered(), tenant)).toEqual({ apple: true, google: false });
    await test.database.query(`update "${tenant.schemaName}".wallet_account set expires_at = now() - interval '1 second'`);
    await eventually(async () => expect(await inside((accounts) => accounts.offered(), tenant)).toEqual({ apple: false, google: false }));
    expect(await inside((accounts) => accounts.apple(), tenant)).toBeUndefined();
  });
});

describe('wallets in the panel', () => {
  it('are set up with forms that check the keys and never show them', async () => {
    const { passphrase: _, ...typed } = apple;
    const wrong = await staff.send('wallets', 'apple', { ...typed, privateKey: newApple(authority).privateKey }, 'fr');
    expect(pageFaults(wrong)).toEqual({ privateKey: 'Cette clé n’appartient pas au certificat.' });
    for (const certificate of [undefined, { a: 1 }, ['x']])
      expect(Object.keys(pageFaults(await staff.send('wallets', 'apple', { ...typed, certificate })))).toEqual(['certificate']);
    const saved = await staff.send('wallets', 'apple', typed);
    expect(saved.notice?.type).toBe('success');
    await staff.send('wallets', 'google', { issuerId: google.issuerId, serviceAccount: google.serviceAccount });
    const list = await staff.list('wallets');
    expect(list.records!.map(({ params }) => [params['provider'], params['state'], params['identifier']])).toEqual([
      ['apple', 'on', 'pass.org.example.tickets'],
      ['google', 'on', google.issuerId],
    ]);
    const form = await staff.page('wallets', 'apple');
    for (const shown of [list, form, await staff.look('wallets', 'apple')])
      expect(JSON.stringify(shown)).not.toMatch(/BEGIN [A-Z ]*KEY|MII/);
    expect(logged).not.toMatch(/PRIVATE KEY/);
  });

  it('warn on the start page a month before the certificate ends, and when it has ended', async () => {
    const trouble = async (): Promise<unknown> => {
      const { body } = await staff.call('get', '/api/dashboard').expect(200);
      return (body as { wallet: unknown }).wallet;
    };
    expect(await trouble()).toBeNull();
    for (const [days, state] of [
      [29, 'ending'],
      [-1, 'ended'],
    ] as const) {
      const at = new Date(Date.now() + days * day);
      await test.database.query(`update "${venue.schemaName}".wallet_account set expires_at = $1 where provider = 'apple'`, [at]);
      expect(await trouble()).toMatchObject({ state, href: '/admin/resources/wallets/records/apple/show' });
      expect((await staff.list('wallets')).records![0]!.params['state']).toBe(state);
    }
  });

  it('are removed one by one', async () => {
    await staff.act('wallets', 'apple', 'delete');
    expect((await inside((accounts) => accounts.status())).map(({ provider }) => provider)).toEqual(['google']);
  });
});
