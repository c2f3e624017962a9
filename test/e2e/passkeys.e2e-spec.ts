import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SETTINGS } from '#kernel';
import { PanelRouter } from '#panel-kit';
import { UsersService } from '#tenancy';
import type supertest from 'supertest';
import { SoftPasskey, type Forged } from '../support/soft-passkey.js';
import { StaffAccounts } from '../support/staff-accounts.js';
import { StaffBrowser } from '../support/staff-browser.js';
import type { TestApp } from '../support/test-app.js';

let staff: StaffAccounts;
let test: TestApp;

beforeAll(async () => {
  staff = await StaffAccounts.open();
  ({ test } = staff);
});
beforeEach(() => staff.begin());
afterAll(() => staff?.close());

/** Adds a passkey in a browser that is signed in. @returns the answer to it */
async function add(browser: StaffBrowser, passkey: SoftPasskey, { name = 'Phone', ...forged }: Forged & { name?: string } = {}) {
  const { body } = await browser.call('get', '/account/passkeys').expect(200);
  return browser.form('/account/passkeys', { name, credential: passkey.make(body, forged) });
}

/** A person with a passkey, and the browser where it was added. */
async function withPasskey(): Promise<{ passkey: SoftPasskey; browser: StaffBrowser; codes: string[] }> {
  const browser = await staff.signedIn();
  const passkey = new SoftPasskey(staff.venue.host);
  const { text } = await add(browser, passkey).then((answer) => answer);
  const codes = [...text.matchAll(/<code>([\w-]{14})<\/code>/g)].map(([, code]) => String(code));
  expect(codes).toHaveLength(10);
  return { passkey, browser, codes };
}

/** Answers with a passkey at a page of the sign-in. */
async function use(browser: StaffBrowser, passkey: SoftPasskey, forged: Forged = {}, path = '/login/passkey'): Promise<supertest.Response> {
  const { body } = await browser.call('get', path).expect(200);
  return browser.form(path, { credential: passkey.use(body, forged) });
}

const idIn = async (browser: StaffBrowser): Promise<string> =>
  /passkeys\/([\w-]{36})/.exec((await browser.call('get', '/account')).text)?.[1] ?? '';

describe('a passkey', () => {
  it('is the only thing that a sign-in needs, and the account shows where it works and when it was used', async () => {
    const { passkey, browser } = await withPasskey();
    await staff.mailWith('A passkey was added to your account');
    expect((await browser.call('get', '/account')).text).toContain('Never used');
    const other = staff.browser('192.0.2.200');
    const { body } = await other.call('get', '/login/passkey').expect(200);
    // Nothing tells whether anybody has passkeys.
    expect([body.allowCredentials, body.userVerification, body.rpId]).toEqual([undefined, 'required', staff.venue.host]);
    const before = other.cookieNamed('guichet');
    expect((await use(other, passkey)).headers['location']).toBe('/admin');
    expect([await other.isIn(), other.cookieNamed('guichet') === before]).toEqual([true, false]);
    const { text } = await other.call('get', '/account');
    expect(text).toContain(staff.venue.host);
    expect(text).not.toContain('Never used');
    expect(
      await test.database.query('select 1 from shared.passkey where name = $1 and user_id = $2', ['Phone', staff.person.id]),
    ).toHaveLength(1);
  });

  it('completes a sign-in after the password, and recovery codes do, too', async () => {
    const { passkey, codes } = await withPasskey();
    const halfIn = async (): Promise<StaffBrowser> => {
      const browser = staff.browser();
      expect((await browser.signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin/login/code');
      expect((await browser.call('get', '/login/code').expect(200)).text).toContain('Use a passkey');
      return browser;
    };
    const [first, second, third] = [await halfIn(), await halfIn(), await halfIn()];
    expect((await use(first, passkey, {}, '/login/code/passkey')).headers['location']).toBe('/admin');
    await second.form('/login/code', { code: codes[0]! }).expect(303);
    await third.form('/login/code', { code: codes[0]! }).expect(401);
    expect([await first.isIn(), await second.isIn(), await third.isIn()]).toEqual([true, true, false]);
    // The one of somebody else does not.
    await staff.begin();
    const { passkey: own } = await withPasskey();
    const fourth = await halfIn();
    expect((await use(fourth, passkey, {}, '/login/code/passkey')).status).toBe(401);
    expect((await use(fourth, own, {}, '/login/code/passkey')).status).toBe(303);
  });

  it('works on its host alone', async () => {
    const { passkey } = await withPasskey();
    const venue = await test.newTenant();
    await test.app.get(UsersService).grant(staff.person.id, { tenantId: venue.id });
    const there = staff.browser('192.0.2.7', venue);
    expect((await use(there, passkey)).status).toBe(401);
    // Also one that says what the other host wants to hear.
    expect((await use(there, passkey, { host: venue.host, origin: `http://${venue.host}` })).status).toBe(401);
    // A challenge of this host does not work there.
    const { body } = await staff.browser().call('get', '/login/passkey');
    expect((await there.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    await there.signIn(staff.person.email, staff.person.password);
    expect((await there.call('get', '/login/code')).text).toContain('Your passkeys do not work at this address');
  });

  it('is refused with another origin, without verification of the person, with another key, person or challenge', async () => {
    const { passkey } = await withPasskey();
    const browser = staff.browser();
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const forged of [
      { origin: `https://${staff.venue.host}` },
      { origin: `http://${staff.venue.host}:81` },
      { isVerified: false },
      { key: other },
      { userHandle: Buffer.from(staff.venue.id).toString('base64url') },
    ] as Forged[])
      expect([forged, (await use(browser, passkey, forged)).status]).toEqual([forged, 401]);
    const { body } = await browser.call('get', '/login/passkey');
    const stranger = staff.browser();
    await stranger.call('get', '/login/passkey');
    expect((await stranger.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    for (const credential of ['', '{}', 'null', '[]', '{"id":1}', `{"id":"${'a'.repeat(2000)}"}`, 'x'.repeat(20_000)])
      expect((await browser.form('/login/passkey', { credential })).status).toBeLessThan(500);
    expect((await browser.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    expect((await use(browser, passkey)).status).toBe(303);
  });

  it('answers a challenge once, also when the answer is sent many times at the same moment', async () => {
    const { passkey } = await withPasskey();
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
    const { passkey } = await withPasskey();
    passkey.counter = 5;
    expect((await use(staff.browser(), passkey)).status).toBe(303);
    expect((await use(staff.browser(), passkey, { counter: 6 })).status).toBe(401);
    expect((await use(staff.browser(), passkey, { counter: 0 })).status).toBe(401);
    expect((await use(staff.browser(), passkey)).status).toBe(303);
  });

  it('is renamed, and removed with the password or a passkey; then it opens nothing', async () => {
    const { passkey, browser } = await withPasskey();
    const id = await idIn(browser);
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
    expect((await add(browser, spare, { name: 'Spare' })).headers['location']).toBe('/admin/account?done=passkeyAdded');
    expect((await use(browser, spare, {}, `/account/passkeys/${id}/remove`)).headers['location']).toBe(
      '/admin/account?done=passkeyRemoved',
    );
    await staff.mailWith('A passkey of your account was removed');
    expect((await browser.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    expect((await use(staff.browser(), passkey)).status).toBe(401);
    expect((await use(staff.browser(), spare)).status).toBe(303);
    const last = await idIn(browser);
    await browser.form(`/account/passkeys/${last}/remove`, { password: staff.person.password }).expect(303);
    expect(await test.database.query('select 1 from shared.recovery_code where user_id = $1', [staff.person.id])).toEqual([]);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin');
  });

  it('is added by the person alone: after a proof, with a fresh challenge of the session, and 20 at most', async () => {
    const browser = await staff.signedIn();
    const passkey = new SoftPasskey(staff.venue.host);
    for (const forged of [{ origin: 'http://other.localhost' }, { host: 'other.localhost' }, { isVerified: false }, { name: ' ' }])
      expect((await add(browser, passkey, forged)).status).toBeGreaterThanOrEqual(400);
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
        const own = await staff.browser();
        own.take({ guichet: browser.cookieNamed('guichet') });
        return add(own, new SoftPasskey(staff.venue.host));
      }),
    );
    expect(made.filter(({ status }) => status < 400)).toHaveLength(1);
  });
});

describe('what matters much', () => {
  /** The last proof of all sessions of the person was long ago. */
  const age = (): Promise<unknown> =>
    test.database.query(`update shared.panel_session set data = jsonb_set(data, '{provenAt}', '1') where user_id = $1`, [staff.person.id]);

  const newKey = (browser: StaffBrowser): supertest.Test =>
    browser.call('post', '/api/resources/keys/actions/new').send({ name: 'Till', scopes: ['event:read'] });

  it('asks for the password again, and goes on with a new id of the session', async () => {
    const browser = await staff.signedIn();
    await age();
    const refused = await newKey(browser);
    expect([refused.status, refused.headers['guichet-proof'], refused.body.notice.message]).toEqual([
      403,
      'needed',
      expect.stringContaining('confirm first'),
    ]);
    const json = (secret: string): supertest.Test => browser.form('/prove', { secret }).set('Accept', 'application/json');
    expect((await json('wrong')).body.fault).toBe('That is wrong.');
    const before = browser.cookieNamed('guichet');
    await json(staff.person.password).expect(200);
    expect(browser.cookieNamed('guichet')).not.toBe(before);
    expect((await newKey(browser)).status).toBe(200);
    // The id of before is worth nothing, and the list of sessions has one.
    const planted = staff.browser();
    planted.take({ guichet: before });
    expect(await planted.isIn()).toBe(false);
    expect(await test.database.query('select 1 from shared.panel_session where user_id = $1', [staff.person.id])).toHaveLength(1);
  });

  it('asks for a passkey, on a page that leads back', async () => {
    const { passkey, browser } = await withPasskey();
    await age();
    const asked = await browser.call('get', '/exports/reservations.csv');
    expect(asked.headers['location']).toBe('/admin/prove?next=%2Fadmin%2Fexports%2Freservations.csv');
    expect((await browser.call('get', '/prove')).text).toContain('Use a passkey');
    const { body } = await browser.call('get', '/prove/passkey');
    // The answer of a sign-in is none to this.
    expect((await browser.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    expect(
      (await use(browser, passkey, { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }, '/prove/passkey')).status,
    ).toBe(403);
    expect((await use(browser, passkey, {}, '/prove/passkey')).status).toBe(303);
    await browser.call('get', '/exports/reservations.csv').expect(200);
  });

  it('asks before people, keys and the payment account change; what matters less does not', async () => {
    const browser = await staff.signedIn();
    const colleague = await staff.newPerson();
    await age();
    for (const path of [
      `people/records/${colleague.id}/delete`,
      `people/records/${colleague.id}/change`,
      'people/actions/add',
      'roles/actions/new',
      'keys/actions/new',
      'payment-account/actions/add',
      'refunds/actions/settleSome',
    ]) {
      const { status, headers } = await browser.call('post', `/api/resources/${path}`).send({ name: 'Some' });
      expect([path, status, headers['guichet-proof']]).toEqual([path, 403, 'needed']);
    }
    for (const id of ['reservations', 'tickets', 'memberships']) await browser.call('get', `/exports/${id}.csv`).expect(303);
    await browser.call('get', '/exports/products.csv').expect(200);
    await browser.call('get', '/account/passkeys').expect(403);
    expect((await browser.call('get', '/account/passkeys/new')).headers['location']).toMatch(/^\/admin\/prove\?next/);
    expect((await browser.call('post', '/api/resources/people/records/x/list')).status).toBe(404);
    expect(await browser.isIn()).toBe(true);
  });

  it('cannot be guessed: wrong proofs are counted for all sessions together, and an ended session stays ended', async () => {
    const browser = await staff.signedIn();
    await age();
    const tries = await Promise.all(Array.from({ length: 8 }, () => browser.form('/prove', { secret: 'wrong' })));
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3);
    expect((await browser.form('/prove', { secret: staff.person.password })).status).toBe(429);
    expect((await staff.browser().form('/prove', { secret: staff.person.password })).headers['location']).toMatch(/^\/admin\/login/);
  });
});

describe('a role that needs a second factor', () => {
  const name = (browser: StaffBrowser, roles: readonly string[]): supertest.Test =>
    browser
      .call('post', '/api/resources/people/actions/factorRoles')
      .send(Object.fromEntries(roles.map((role, at) => [`roles.${at}`, role])));

  it('opens nothing but the page where it is set up', async () => {
    const director = await staff.signedIn();
    await add(director, new SoftPasskey(staff.venue.host));
    const colleague = await staff.newPerson();
    const browser = await staff.signedIn('192.0.2.9', colleague);
    expect((await name(director, ['direction'])).status).toBe(200);
    const ids = test.app
      .get(PanelRouter)
      .entries('tenant')
      .map(({ source }) => source.id);
    expect(ids.length).toBeGreaterThan(20);
    for (const id of ids) {
      for (const path of [`/resources/${id}`, `/exports/${id}.csv`, `/files/${id}.pdf`, `/sums/${id}`])
        expect([path, (await browser.call('get', path)).headers['location']]).toEqual([path, '/admin/account/required']);
      for (const act of ['list', 'new', 'search']) {
        const path = `/api/resources/${id}/actions/${act}`;
        const { status, body } = await browser.call('post', path);
        expect([path, status, body.notice?.message]).toEqual([path, 403, 'Set up a second factor first.']);
      }
    }
    for (const path of ['', '/account', '/account/codes', '/welcome', '/search', '/look/home', '/mail-texts'])
      expect([path, (await browser.call('get', path)).headers['location']]).toEqual([path, '/admin/account/required']);
    await browser.form('/account/password', { present: colleague.password, next: 'another good password' }).expect(303);
    expect(await browser.isIn()).toBe(false);
    expect((await browser.call('get', '/account/required').expect(200)).text).toContain('Your role needs one here');
    const passkey = new SoftPasskey(staff.venue.host);
    expect((await add(browser, passkey)).text).toContain('Your recovery codes');
    expect(await browser.isIn()).toBe(true);
    expect((await browser.call('get', '/account/required')).headers['location']).toBe('/admin/account');
    // Without it, at the next click.
    await browser.form(`/account/passkeys/${await idIn(browser)}/remove`, { password: colleague.password }).expect(303);
    expect(await browser.isIn()).toBe(false);
    expect((await name(director, [])).status).toBe(200);
    expect(await browser.isIn()).toBe(true);
    expect(await test.database.query(`select 1 from shared.tenant_change where action = 'factor_roles'`)).toHaveLength(2);
  });

  it('is that of super-users, but not on a server that is tried out', async () => {
    const operator = await test.app.get(UsersService).create({ email: 'operator@example.org', name: 'Operator', isSuperUser: true });
    const root = new StaffBrowser(test, 'localhost', '192.0.2.9');
    await root.signIn(operator.email, operator.password);
    expect(await root.isIn()).toBe(true);
    const settings = test.app.get<{ baseDomain: string }>(SETTINGS);
    const { baseDomain } = settings;
    settings.baseDomain = 'tickets.example.org';
    try {
      expect(await root.isIn()).toBe(false);
      expect((await root.call('get', '/resources/tenants')).headers['location']).toBe('/admin/account/required');
      await add(root, new SoftPasskey('localhost'));
      expect(await root.isIn()).toBe(true);
    } finally {
      settings.baseDomain = baseDomain;
    }
  });
});
