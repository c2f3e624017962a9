import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SETTINGS } from '#kernel';
import { PanelRouter } from '#panel-kit';
import { runInTenant, UsersService, VenueRolesService } from '#tenancy';
import type supertest from 'supertest';
import { pageFaults } from '../support/panel-client.js';
import { addPasskey, ageProofs, passkeyIn, usePasskey, withPasskey } from '../support/passkey-pages.js';
import { giveRight } from '../support/role-staff.js';
import { SoftPasskey } from '../support/soft-passkey.js';
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

describe('what matters much', () => {
  const age = (): Promise<unknown> => ageProofs(test, staff.person.id);

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

  it('takes two proofs at the same moment: neither signs out', async () => {
    for (let round = 0; round < 3; round += 1) {
      const browser = await staff.signedIn();
      await age();
      const answers = await Promise.all([0, 1].map(() => browser.form('/prove', { secret: staff.person.password })));
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      expect(await browser.isIn()).toBe(true);
      expect((await newKey(browser)).status).toBe(200);
    }
  });

  it('asks for a passkey, on a page that leads back', async () => {
    const { passkey, browser } = await withPasskey(staff);
    await age();
    const asked = await browser.call('get', '/exports/reservations.csv');
    expect(asked.headers['location']).toBe('/admin/prove?next=%2Fadmin%2Fexports%2Freservations.csv');
    expect((await browser.call('get', '/prove')).text).toContain('Use a passkey');
    const { body } = await browser.call('get', '/prove/passkey');
    // The answer of a sign-in is none to this.
    expect((await browser.form('/login/passkey', { credential: passkey.use(body) })).status).toBe(401);
    expect(
      (await usePasskey(browser, passkey, { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }, '/prove/passkey')).status,
    ).toBe(403);
    expect((await usePasskey(browser, passkey, {}, '/prove/passkey')).status).toBe(303);
    await browser.call('get', '/exports/reservations.csv').expect(200);
  });

  it('asks before people, keys and the payment account change; what matters less does not', async () => {
    const browser = await staff.signedIn();
    const colleague = await staff.newPerson();
    await age();
    for (const path of [
      `people/records/${colleague.id}/delete`,
      `people/records/${colleague.id}/change`,
      'people/actions/invite',
      'roles/actions/new',
      'keys/actions/new',
      'payment-account/actions/add',
      'refunds/actions/settleSome',
      'people/actions/factorRoles',
    ]) {
      const { status, headers } = await browser.call('post', `/api/resources/${path}`).send({ name: 'Some' });
      expect([path, status, headers['guichet-proof']]).toEqual([path, 403, 'needed']);
    }
    const hook = { url: 'https://hooks.example.org/in', types: ['event.created'] };
    const made = await browser.call('post', '/api/resources/webhook-endpoints/actions/new').send(hook);
    expect([made.status, made.headers['guichet-proof']]).toEqual([403, 'needed']);
    for (const id of ['reservations', 'tickets', 'memberships', 'payments', 'refunds'])
      await browser.call('get', `/exports/${id}.csv`).expect(303);
    const printed = await browser.call('get', '/files/reservations.pdf');
    expect(printed.headers['location']).toBe('/admin/prove?next=%2Fadmin%2Ffiles%2Freservations.pdf');
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
    browser.call('post', '/api/resources/people/actions/factorRoles').send({ roles });

  it('opens nothing but the page where it is set up', async () => {
    const director = await staff.signedIn();
    await addPasskey(director, new SoftPasskey(staff.venue.host));
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
        expect([path, status, body.notice?.message]).toEqual([path, 401, 'Set up a second factor first.']);
      }
    }
    for (const path of ['', '/account', '/account/codes', '/welcome', '/search', '/look/home', '/mail-texts'])
      expect([path, (await browser.call('get', path)).headers['location']]).toEqual([path, '/admin/account/required']);
    await browser.form('/account/password', { present: colleague.password, next: 'another good password' }).expect(303);
    expect(await browser.isIn()).toBe(false);
    expect((await browser.call('get', '/account/required').expect(200)).text).toContain('Your role needs one here');
    const passkey = new SoftPasskey(staff.venue.host);
    expect((await addPasskey(browser, passkey)).text).toContain('Your recovery codes');
    expect(await browser.isIn()).toBe(true);
    expect((await browser.call('get', '/account/required')).headers['location']).toBe('/admin/account');
    // Without it, at the next click.
    await browser.form(`/account/passkeys/${await passkeyIn(browser)}/remove`, { password: colleague.password }).expect(303);
    expect(await browser.isIn()).toBe(false);
    expect((await name(director, [])).status).toBe(200);
    expect(await browser.isIn()).toBe(true);
    expect(await test.database.query(`select 1 from shared.tenant_change where action = 'factor_roles'`)).toHaveLength(2);
  });

  it('is lifted by people alone whose right covers the role', async () => {
    const director = await staff.signedIn();
    const role = await runInTenant(staff.venue, () => test.app.get(VenueRolesService).create('Helpers', { people: 'change' }));
    const colleague = await staff.newPerson();
    await giveRight(test, staff.venue, colleague.id, { role });
    const browser = await staff.signedIn('192.0.2.9', colleague);
    expect((await name(director, ['boxOffice'])).body.notice.type).toBe('success');
    expect(Object.keys(pageFaults((await name(browser, [])).body))).toEqual(['roles']);
    // Adding one is open, and what stays stays.
    expect((await name(browser, ['boxOffice', 'readOnly'])).body.notice.type).toBe('success');
    expect(Object.keys(pageFaults((await name(browser, ['readOnly'])).body))).toEqual(['roles']);
    const rules = await test.database.query('select role from shared.factor_rule order by role');
    expect(rules).toEqual([{ role: 'boxOffice' }, { role: 'readOnly' }]);
    expect((await name(director, [])).body.notice.type).toBe('success');
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
      await addPasskey(root, new SoftPasskey('localhost'));
      expect(await root.isIn()).toBe(true);
      // Who lost everything asks the operator.
      const { browser } = await withPasskey(staff);
      const reset = (): supertest.Test => root.call('post', `/api/resources/users/records/${staff.person.id}/resetFactor`);
      expect((await reset()).body.notice.message).toBe('factorReset');
      expect(await browser.isIn()).toBe(false);
      await staff.mailWith('The operator of the server switched off the second factor');
      expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin');
    } finally {
      settings.baseDomain = baseDomain;
    }
  });
});
