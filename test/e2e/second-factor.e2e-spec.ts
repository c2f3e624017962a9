import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UsersService } from '#tenancy';
import type supertest from 'supertest';
import { openCommandLine } from '../support/command-line.js';
import { codeOf, switchOn } from '../support/factor-codes.js';
import { longRun } from '../support/long-run.js';
import { PanelClient } from '../support/panel-client.js';
import { ageProofs, withPasskey } from '../support/passkey-pages.js';
import { StaffAccounts } from '../support/staff-accounts.js';
import type { StaffBrowser } from '../support/staff-browser.js';
import type { TestApp } from '../support/test-app.js';

let staff: StaffAccounts;
let test: TestApp;

const next = 'a much better password';

beforeAll(async () => {
  staff = await StaffAccounts.open();
  ({ test } = staff);
});
beforeEach(() => staff.begin());
afterAll(() => staff?.close());

describe('the second factor', () => {
  /** Types the password in a new browser. */
  async function halfIn(from?: string): Promise<StaffBrowser> {
    const browser = staff.browser(from);
    expect((await browser.signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin/login/code');
    return browser;
  }

  const type = (browser: StaffBrowser, code: string): supertest.Test => browser.form('/login/code', { code });

  it('is switched on with a first code; sessions stay, and the next sign-in asks for a code', async () => {
    const [here, there] = [await staff.signedIn(), await staff.signedIn('203.0.113.5')];
    await here.call('get', '/account/factor').expect(200);
    await here.form('/account/factor', { code: '000000' }).expect(403);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin');
    const { key, recovery } = await switchOn(here);
    expect([await here.isIn(), await there.isIn()]).toEqual([true, true]);
    const stored = await test.database.query(
      'select f::text as factor, c::text as code from shared.second_factor f, shared.recovery_code c',
    );
    expect(JSON.stringify(stored)).not.toContain(key);
    for (const code of recovery) expect(JSON.stringify(stored)).not.toContain(code);
    // The key is not shown again.
    await here.call('get', '/account/factor').expect(303);
    const browser = await halfIn();
    expect((await browser.call('get', '/login/code').expect(200)).text).toContain('Enter your code');
    await type(browser, '123').expect(401);
    await type(browser, codeOf(key)).expect(303);
    expect(await browser.isIn()).toBe(true);
    expect(browser.cookieNamed('guichet-step')).toBeUndefined();
    await staff.mailWith('The second factor of your account was switched on');
  });

  it('is set up after a fresh proof alone, each time with another key', async () => {
    const browser = await staff.signedIn();
    const shown = async (): Promise<string> => (await browser.call('get', '/account/factor').expect(200)).text;
    const keyOf = (text: string): string => (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');
    const [earlier, key] = [keyOf(await shown()), keyOf(await shown())];
    expect(key).not.toBe(earlier);
    // The key of an earlier time is worth nothing; a wrong code does not change the key.
    const refused = await browser.form('/account/factor', { code: codeOf(earlier) }).expect(403);
    expect(keyOf(refused.text)).toBe(key);
    await ageProofs(test, staff.person.id);
    for (const answer of [await browser.call('get', '/account/factor'), await browser.form('/account/factor', { code: codeOf(key) })])
      expect(answer.headers['location']).toBe('/admin/prove?next=%2Fadmin%2Faccount%2Ffactor');
    expect(
      await test.database.query('select 1 from shared.second_factor where confirmed_at is not null and user_id = $1', [staff.person.id]),
    ).toEqual([]);
  });

  it('leaves the recovery codes that came with a passkey', async () => {
    const { browser, codes } = await withPasskey(staff);
    const { text } = await browser.call('get', '/account/factor').expect(200);
    const key = (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');
    expect((await browser.form('/account/factor', { code: codeOf(key) })).headers['location']).toBe('/admin/account?done=factorOn');
    await type(await halfIn(), codes[0]!).expect(303);
  });

  it('leaves no half session: no route opens before the code', async () => {
    await switchOn(await staff.signedIn());
    const browser = await halfIn();
    expect(browser.cookieNamed('guichet')).toBeUndefined();
    expect(await test.database.query('select 1 from shared.panel_session where user_id = $1', [staff.person.id])).toHaveLength(1);
    for (const path of [
      '/',
      '/account',
      '/account/factor',
      '/welcome',
      '/resources/events',
      '/exports/events.csv',
      '/files/events.pdf',
      '/support',
    ])
      expect([path, (await browser.call('get', path)).status]).not.toEqual([path, 200]);
    for (const path of ['/api/dashboard', '/api/resources/events/actions/list', '/api/resources/keys/actions/new'])
      expect([path, (await browser.call('get', path)).status]).toEqual([path, 401]);
    for (const path of ['/account', '/account/password', '/account/factor/off', '/account/factor/kept', '/account/sessions'])
      expect((await browser.form(path, { end: 'others' })).headers['location']).toMatch(/^\/admin\/login/);
    expect(
      await test.database.query(`select 1 from shared.user_account where id = $1 and last_sign_in_at is null`, [staff.person.id]),
    ).toEqual([]);
  });

  it('accepts each code once, also when it is sent twice at the same moment', async () => {
    const { key } = await switchOn(await staff.signedIn());
    // The code with which it was switched on.
    await type(await halfIn(), codeOf(key, -1)).expect(401);
    const browsers = await Promise.all(['10.4.1.1', '10.4.2.1', '10.4.3.1', '10.4.4.1'].map((from) => halfIn(from)));
    const code = codeOf(key);
    const answers = await Promise.all(browsers.map((browser) => type(browser, code)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    await type(await halfIn(), code).expect(401);
  });

  it('accepts each recovery code once, also when it is sent twice at the same moment', async () => {
    const { recovery } = await switchOn(await staff.signedIn());
    const [code = '', other = ''] = recovery;
    const browsers = await Promise.all(['10.5.1.1', '10.5.2.1', '10.5.3.1'].map((from) => halfIn(from)));
    const answers = await Promise.all(browsers.map((browser) => type(browser, code)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    // Typed in another way.
    const browser = await halfIn();
    await type(browser, other.toUpperCase().replaceAll('-', ' ')).expect(303);
    expect((await browser.call('get', '/account')).text).toContain('8 recovery codes are left');
  });

  it(
    'is not guessed: wrong codes are counted in the database for all networks together',
    async () => {
      const { key } = await switchOn(await staff.signedIn());
      const browsers = await Promise.all(Array.from({ length: 10 }, (_, index) => halfIn(`10.6.${index}.1`)));
      const statuses = (await Promise.all(browsers.map((browser) => type(browser, '111111')))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(5);
      const guesses = Array.from({ length: longRun ? 10_000 : 100 }, (_, index) => String(index).padStart(6, '0'));
      const judged: number[] = [];
      while (guesses.length > 0) {
        const some = guesses.splice(0, browsers.length);
        const answers = await Promise.all(some.map((guess, index) => type(browsers[index]!, guess)));
        judged.push(...answers.flatMap(({ status }) => (status === 429 ? [] : [status])));
      }
      // Each lock is longer than the one before and ends with one more try: at most three in the minutes of this test.
      expect(new Set([401, ...judged])).toEqual(new Set([401]));
      expect(judged.length).toBeLessThanOrEqual(longRun ? 3 : 0);
      await type(await halfIn('10.7.1.1'), codeOf(key)).expect(429);
      // A right password does not remove the lock.
      await type(await halfIn('10.7.2.1'), codeOf(key)).expect(429);
    },
    longRun ? 300_000 : 30_000,
  );

  it('binds the step between password and code to the person, the place, the password and its time', async () => {
    const { key } = await switchOn(await staff.signedIn());
    const step = (await halfIn()).cookieNamed('guichet-step');
    const elsewhere = staff.browser('192.0.2.7', await test.newTenant());
    const changed = staff.browser();
    for (const [browser, cookie] of [
      [elsewhere, step],
      [changed, `${step?.slice(0, -3)}AAA`],
      [staff.browser(), undefined],
    ] as const) {
      browser.take({ 'guichet-step': cookie });
      expect((await type(browser, codeOf(key))).headers['location']).toMatch(/^\/admin\/login\?next/);
      expect(await browser.isIn()).toBe(false);
    }
    await test.app.get(UsersService).setPassword(staff.person.id);
    const late = staff.browser();
    late.take({ 'guichet-step': step });
    expect((await type(late, codeOf(key))).headers['location']).toMatch(/^\/admin\/login\?next/);
  });

  it('gives the session a new id after the code, so that a planted one is worth nothing', async () => {
    const { key } = await switchOn(await staff.signedIn());
    const planted = (await staff.signedIn(undefined, await staff.newPerson())).cookieNamed('guichet');
    const browser = await halfIn();
    browser.take({ guichet: planted });
    await type(browser, codeOf(key)).expect(303);
    expect(browser.cookieNamed('guichet')).not.toBe(planted);
  });

  it('is asked after a forgotten password, too', async () => {
    const { key } = await switchOn(await staff.signedIn());
    const token = await staff.mailedToken();
    const browser = staff.browser();
    expect((await browser.form(`/password/${token}`, { password: next })).headers['location']).toBe('/admin/login/code');
    expect(await browser.isIn()).toBe(false);
    await type(browser, codeOf(key)).expect(303);
    expect(await browser.isIn()).toBe(true);
  });

  it('is switched off with the password and a code', async () => {
    const browser = await staff.signedIn();
    const { key, recovery } = await switchOn(browser);
    await browser.form('/account/factor/off', { password: 'wrong', code: codeOf(key) }).expect(403);
    await browser.form('/account/factor/off', { password: staff.person.password, code: '222222' }).expect(403);
    await browser.form('/account/factor/off', { password: staff.person.password }).expect(403);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin/login/code');
    await browser.form('/account/factor/off', { password: staff.person.password, code: String(recovery[0]) }).expect(303);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin');
    expect(await test.database.query('select 1 from shared.recovery_code where user_id = $1', [staff.person.id])).toEqual([]);
    await staff.mailWith('switched off');
  });

  it('is reset by the operator, which ends the sessions and mails the person; Root shows who has it', async () => {
    const browser = await staff.signedIn();
    const cli = await openCommandLine(test);
    expect((await cli.run(['user', 'reset-factor', '--email', staff.person.email])).code).toBe(1);
    await switchOn(browser);
    const operator = await test.app.get(UsersService).create({ email: `operator${staff.people}@example.org`, isSuperUser: true });
    const root = new PanelClient(test, 'localhost');
    await root.signIn(operator.email, operator.password);
    const isOn = async (): Promise<unknown> => (await root.look('users', staff.person.id)).record?.params['hasFactor'];
    expect(await isOn()).toBe(true);
    const outcome = await cli.run(['user', 'reset-factor', '--email', staff.person.email]);
    await cli.close();
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringContaining('all sessions are ended')]);
    expect([await isOn(), await browser.isIn()]).toEqual([false, false]);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin');
    await staff.mailWith('The operator of the server switched off');
  });
});
