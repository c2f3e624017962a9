import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UsersService } from '#tenancy';
import type supertest from 'supertest';
import { addPasskey, passkeyIn, usePasskey, withPasskey } from '../support/passkey-pages.js';
import { SoftPasskey, type Forged } from '../support/soft-passkey.js';
import { StaffAccounts } from '../support/staff-accounts.js';
import type { StaffBrowser } from '../support/staff-browser.js';
import type { TestApp } from '../support/test-app.js';

let staff: StaffAccounts;
let test: TestApp;

beforeAll(async () => {
  staff = await StaffAccounts.open();
  ({ test } = staff);
});
beforeEach(() => staff.begin());
afterAll(() => staff?.close());

describe('a passkey', () => {
  it('is the only thing that a sign-in needs, and the account shows where it works and when it was used', async () => {
    const { passkey, browser } = await withPasskey(staff);
    await staff.mailWith('A passkey was added to your account');
    expect((await browser.call('get', '/account')).text).toContain('Never used');
    const other = staff.browser('192.0.2.200');
    const { body } = await other.call('get', '/login/passkey').expect(200);
    // Nothing tells whether anybody has passkeys.
    expect([body.allowCredentials, body.userVerification, body.rpId]).toEqual([undefined, 'required', staff.venue.host]);
    const before = other.cookieNamed('guichet');
    expect((await usePasskey(other, passkey)).headers['location']).toBe('/admin');
    expect([await other.isIn(), other.cookieNamed('guichet') === before]).toEqual([true, false]);
    const { text } = await other.call('get', '/account');
    expect(text).toContain(staff.venue.host);
    expect(text).not.toContain('Never used');
    expect(
      await test.database.query('select 1 from shared.passkey where name = $1 and user_id = $2', ['Phone', staff.person.id]),
    ).toHaveLength(1);
  });

  it('completes a sign-in after the password, and recovery codes do, too', async () => {
    const { passkey, codes } = await withPasskey(staff);
    const halfIn = async (): Promise<StaffBrowser> => {
      const browser = staff.browser();
      expect((await browser.signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin/login/code');
      expect((await browser.call('get', '/login/code').expect(200)).text).toContain('Use a passkey');
      return browser;
    };
    const [first, second, third] = [await halfIn(), await halfIn(), await halfIn()];
    expect((await usePasskey(first, passkey, {}, '/login/code/passkey')).headers['location']).toBe('/admin');
    await second.form('/login/code', { code: codes[0]! }).expect(303);
    await third.form('/login/code', { code: codes[0]! }).expect(401);
    expect([await first.isIn(), await second.isIn(), await third.isIn()]).toEqual([true, true, false]);
    // The one of somebody else does not.
    await staff.begin();
    const { passkey: own } = await withPasskey(staff);
    const fourth = await halfIn();
    expect((await usePasskey(fourth, passkey, {}, '/login/code/passkey')).status).toBe(401);
    expect((await usePasskey(fourth, own, {}, '/login/code/passkey')).status).toBe(303);
  });

  it('works on its host alone', async () => {
    const { passkey } = await withPasskey(staff);
    const venue = await test.newTenant();
    await test.app.get(UsersService).grant(staff.person.id, { tenantId: venue.id });
    const there = staff.browser('192.0.2.7', venue);
    expect((await usePasskey(there, passkey)).status).toBe(401);
    // Also one that says what the other host wants to hear.
    expect((await usePasskey(there, passkey, { host: venue.host, origin: `http://${venue.host}` })).status).toBe(401);
    // A challenge of this host does not work there.
    const { body } = await staff.browser().call('get', '/login/passkey');
    expect((await there.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    await there.signIn(staff.person.email, staff.person.password);
    expect((await there.call('get', '/login/code')).text).toContain('Your passkeys do not work at this address');
  });

  it('is refused with another origin, without verification of the person, with another key, person or challenge', async () => {
    const { passkey } = await withPasskey(staff);
    const browser = staff.browser();
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const forged of [
      { origin: `https://${staff.venue.host}` },
      { origin: `http://${staff.venue.host}:81` },
      { isVerified: false },
      { key: other },
      { userHandle: Buffer.from(staff.venue.id).toString('base64url') },
    ] as Forged[])
      expect([forged, (await usePasskey(browser, passkey, forged)).status]).toEqual([forged, 401]);
    const { body } = await browser.call('get', '/login/passkey');
    const stranger = staff.browser();
    await stranger.call('get', '/login/passkey');
    expect((await stranger.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    for (const credential of ['', '{}', 'null', '[]', '{"id":1}', `{"id":"${'a'.repeat(2000)}"}`, 'x'.repeat(20_000)])
      expect((await browser.form('/login/passkey', { credential })).status).toBeLessThan(500);
    expect((await browser.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    expect((await usePasskey(browser, passkey)).status).toBe(303);
  });

  it('answers a challenge once, also when the answer is sent many times at the same moment', async () => {
    const { passkey } = await withPasskey(staff);
    const browser = staff.browser();
    const { body } = await browser.call('get', '/login/passkey');
    const challenge = browser.cookieNamed('guichet-passkey');
    const credential = passkey.use(body);
    const send = (): Promise<supertest.Response> => {
      const one = staff.browser();
      one.take({ 'guichet-passkey': challenge });
      return one.form('/login/passkey', { credential }).then((answer) => answer);
    };
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await send()).status).toBe(401);
  });

  it('is refused when its counter does not rise, as with a copied key', async () => {
    const { passkey } = await withPasskey(staff);
    passkey.counter = 5;
    expect((await usePasskey(staff.browser(), passkey)).status).toBe(303);
    expect((await usePasskey(staff.browser(), passkey, { counter: 6 })).status).toBe(401);
    expect((await usePasskey(staff.browser(), passkey, { counter: 0 })).status).toBe(401);
    expect((await usePasskey(staff.browser(), passkey)).status).toBe(303);
  });

  it('is renamed, and removed with the password or a passkey; then it opens nothing', async () => {
    const { passkey, browser } = await withPasskey(staff);
    const id = await passkeyIn(browser);
    await browser.form(`/account/passkeys/${id}`, { name: ' ' }).expect(400);
    await browser.form(`/account/passkeys/${id}`, { name: 'Old phone' }).expect(303);
    expect((await browser.call('get', '/account')).text).toContain('Old phone');
    // Nobody else reads or changes it.
    const colleague = await staff.signedIn('192.0.2.9', await staff.newPerson());
    await colleague.form(`/account/passkeys/${id}`, { name: 'Mine' }).expect(303);
    await colleague.form(`/account/passkeys/${id}/remove`, { password: staff.person.password }).expect(303);
    await browser.form(`/account/passkeys/${id}/remove`, { password: 'wrong' }).expect(403);
    const { body } = await browser.call('get', '/login/passkey');
    const spare = new SoftPasskey(staff.venue.host);
    expect((await addPasskey(browser, spare, { name: 'Spare' })).headers['location']).toBe('/admin/account?done=passkeyAdded');
    expect((await usePasskey(browser, spare, {}, `/account/passkeys/${id}/remove`)).headers['location']).toBe(
      '/admin/account?done=passkeyRemoved',
    );
    await staff.mailWith('A passkey of your account was removed');
    expect((await browser.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    expect((await usePasskey(staff.browser(), passkey)).status).toBe(401);
    expect((await usePasskey(staff.browser(), spare)).status).toBe(303);
    const last = await passkeyIn(browser);
    await browser.form(`/account/passkeys/${last}/remove`, { password: staff.person.password }).expect(303);
    expect(await test.database.query('select 1 from shared.recovery_code where user_id = $1', [staff.person.id])).toEqual([]);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin');
  });

  it('is added by the person alone: after a proof, with a fresh challenge of the session, and 20 at most', async () => {
    const browser = await staff.signedIn();
    const passkey = new SoftPasskey(staff.venue.host);
    for (const forged of [{ origin: 'http://other.localhost' }, { host: 'other.localhost' }, { isVerified: false }, { name: ' ' }])
      expect((await addPasskey(browser, passkey, forged)).status).toBeGreaterThanOrEqual(400);
    const { body } = await browser.call('get', '/account/passkeys');
    const elsewhere = await staff.signedIn();
    elsewhere.take({ 'guichet-passkey': browser.cookieNamed('guichet-passkey') });
    await elsewhere.form('/account/passkeys', { name: 'Phone', credential: passkey.make(body) }).expect(403);
    await test.database.query(
      `insert into shared.passkey (id, user_id, host, credential_id, public_key, name)
       select gen_random_uuid(), $1, 'x.localhost', 'credential ' || n, '', n from generate_series(1, 19) n`,
      [staff.person.id],
    );
    const made = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const own = staff.browser();
        own.take({ guichet: browser.cookieNamed('guichet') });
        return addPasskey(own, new SoftPasskey(staff.venue.host));
      }),
    );
    expect(made.filter(({ status }) => status < 400)).toHaveLength(1);
  });
});
