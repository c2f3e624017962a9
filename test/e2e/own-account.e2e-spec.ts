import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { UsersService, type TenantIdentity } from '#tenancy';
import { TOTP, Secret } from 'otpauth';
import type supertest from 'supertest';
import { eventually } from '../support/eventually.js';
import { PanelClient } from '../support/panel-client.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let smtp: SmtpSink;
let test: TestApp;
let venue: TenantIdentity;
let person: { id: string; email: string; password: string };
let people = 0;

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const next = 'a much better password';

beforeAll(async () => {
  smtp = await openSmtpSink();
  test = await startTestApp({ environment: { TRUSTED_PROXIES: '127.0.0.1', SMTP_URL: smtp.url, RATE_SIGN_IN: 'off', RATE_PAGES: 'off' } });
  test.app.get(JobRunner).start();
  venue = await test.newTenant();
});
beforeEach(async () => {
  person = await newPerson();
  smtp.mails.length = 0;
  await test.database.query('delete from shared.password_link; delete from shared.sign_in_attempt');
});
afterAll(async () => {
  await test.close();
  await smtp.close();
});

async function newPerson(): Promise<typeof person> {
  people += 1;
  const made = await test.app.get(UsersService).create({ email: `staff${people}@example.org`, name: `Person ${people}` });
  await test.app.get(UsersService).grant(made.id, { tenantId: venue.id });
  return made;
}

/** A browser that keeps all cookies, as real ones do. */
class Browser extends PanelClient {
  private readonly jar = new Map<string, string>();

  constructor(
    readonly from = '192.0.2.7',
    place: string | TenantIdentity = venue,
  ) {
    super(test, place);
  }

  override call(method: 'get' | 'post', path: string): supertest.Test {
    const call = super.call(method, path).set({ 'X-Forwarded-For': this.from, 'User-Agent': firefox, 'Accept-Language': 'en' });
    if (this.jar.size > 0) call.set('Cookie', this.cookies);
    return call.on('response', ({ headers }: supertest.Response) => {
      for (const line of [headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') this.jar.delete(name);
        else this.jar.set(name, value);
      }
    });
  }

  get cookies(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookieNamed(name: string): string | undefined {
    return this.jar.get(name);
  }

  take(cookies: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(cookies)) if (value !== undefined) this.jar.set(name, value);
  }

  form(path: string, fields: Readonly<Record<string, string>>): supertest.Test {
    return this.call('post', path).type('form').send(fields);
  }

  async isIn(): Promise<boolean> {
    return (await this.call('get', '/api/dashboard')).status === 200;
  }
}

async function signedIn(from?: string): Promise<Browser> {
  const browser = new Browser(from);
  expect((await browser.signIn(person.email, person.password)).status).toBe(303);
  return browser;
}

/** Runs what is due, and returns the mails to the person. */
async function mailsTo(address: string, least = 1): Promise<string[]> {
  const texts = (): string[] => smtp.mails.filter(({ to }) => to.includes(address)).map(({ parsed }) => parsed.text ?? '');
  await eventually(() => expect(texts().length).toBeGreaterThanOrEqual(least));
  return texts();
}

const tokenIn = (mail: string): string => /\/admin\/password\/([\w-]{43})/.exec(mail)?.[1] ?? '';

async function mailedToken(): Promise<string> {
  expect((await new Browser().form('/forgotten', { email: person.email })).headers['location']).toBe('/admin/forgotten?sent');
  return tokenIn((await mailsTo(person.email)).at(-1) ?? '');
}

describe('My account', () => {
  it('shows and changes name and language, of the person alone', async () => {
    const browser = await signedIn();
    const { text } = await browser.call('get', '/account').expect(200);
    expect(text).toContain(person.email);
    await browser.form('/account', { name: 'Zoé <b>', language: 'fr', email: 'other@example.org' }).expect(303);
    const french = await browser.call('get', '/account').expect(200);
    expect(french.text).toContain('Mon compte');
    expect(french.text).toContain('Zoé &lt;b');
    // The frame shows the new name in sessions that began before.
    expect((await browser.call('get', '/')).text).toContain('Zoé \\u003cb');
    const [row] = await test.database.query('select email, language from shared.user_account where id = $1', [person.id]);
    expect(row).toEqual({ email: person.email, language: 'fr' });
    await browser.form('/account', { name: ' ', language: 'fr' }).expect(400);
    await browser.form('/account', { name: 'x'.repeat(201), language: 'fr' }).expect(400);
  });

  it('needs a sign-in, and a page of this host', async () => {
    await new Browser().call('get', '/account').expect(302);
    const browser = await signedIn();
    for (const path of ['/account', '/account/password', '/account/sessions', '/account/factor', '/account/factor/off'])
      await browser.form(path, { name: 'X', end: 'others' }).set('Sec-Fetch-Site', 'cross-site').expect(403);
    for (const path of ['/login/code', '/forgotten', `/password/${'a'.repeat(43)}`])
      await browser.form(path, { email: person.email }).set('Sec-Fetch-Site', 'cross-site').expect(403);
  });

  it('changes the password with the present one, and ends the other sessions', async () => {
    const [here, there] = [await signedIn(), await signedIn('203.0.113.5')];
    const before = here.cookieNamed('guichet');
    expect((await here.form('/account/password', { present: 'wrong', next }).expect(403)).text).toContain('The present password is wrong');
    expect((await here.form('/account/password', { present: person.password, next: 'short' }).expect(400)).text).toContain('10');
    expect([await here.isIn(), await there.isIn()]).toEqual([true, true]);
    await here.form('/account/password', { present: person.password, next }).expect(303);
    expect([await here.isIn(), await there.isIn()]).toEqual([true, false]);
    expect(here.cookieNamed('guichet')).not.toBe(before);
    expect((await new Browser().signIn(person.email, person.password)).status).toBe(401);
    expect((await new Browser().signIn(person.email, next)).status).toBe(303);
    await eventually(async () => expect((await mailsTo(person.email)).join()).toContain('The password of your account was changed'));
  });

  it('does not help to guess the password: parallel attempts are counted in the database', async () => {
    const browser = await signedIn();
    const answers = await Promise.all(Array.from({ length: 12 }, () => browser.form('/account/password', { present: 'a guess', next })));
    expect(answers.filter(({ text }) => text.includes('Too many attempts')).length).toBeGreaterThanOrEqual(7);
    expect((await browser.form('/account/password', { present: person.password, next })).text).toContain('Too many attempts');
  });

  it('lists the own sessions and ends one, or all others', async () => {
    const [here, there] = [await signedIn('192.0.2.7'), await signedIn('203.0.113.5')];
    const mine = person;
    person = await newPerson();
    const stranger = await signedIn('198.51.100.6');
    person = mine;
    const { text } = await here.call('get', '/account');
    expect(text.match(/Firefox · Linux/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).toContain('203.0.113.x');
    expect(text).not.toContain('203.0.113.5');
    expect(text.match(/This one/g)).toHaveLength(1);
    const [id] = /(?<=name="end" value=")[0-9a-f-]{36}/.exec(text) ?? [];
    await stranger.form('/account/sessions', { end: String(id) }).expect(303);
    expect(await there.isIn()).toBe(true);
    await here.form('/account/sessions', { end: String(id) }).expect(303);
    expect([await here.isIn(), await there.isIn()]).toEqual([true, false]);
    const again = await signedIn('203.0.113.5');
    await here.form('/account/sessions', { end: 'others' }).expect(303);
    expect([await here.isIn(), await again.isIn(), await stranger.isIn()]).toEqual([true, false, true]);
  });
});

describe('a forgotten password', () => {
  it('is replaced behind a mailed link, which ends the other sessions, signs in and works once', async () => {
    const before = await signedIn('203.0.113.5');
    const token = await mailedToken();
    const rows = await test.database.query('select l::text as row from shared.password_link l');
    expect(JSON.stringify(rows)).not.toContain(token);
    const browser = new Browser();
    expect((await browser.call('get', `/password/${token}`).expect(200)).text).toContain('Choose a new password');
    await browser.form(`/password/${token}`, { password: 'short' }).expect(400);
    const planted = browser.cookieNamed('guichet');
    await browser.form(`/password/${token}`, { password: next }).expect(303);
    expect(browser.cookieNamed('guichet')).not.toBe(planted);
    expect([await browser.isIn(), await before.isIn()]).toEqual([true, false]);
    await new Browser().call('get', `/password/${token}`).expect(410);
    await new Browser().form(`/password/${token}`, { password: 'yet another one' }).expect(410);
    await eventually(async () => expect((await mailsTo(person.email)).join()).toContain('The password of your account was changed'));
  });

  it('is set by exactly one of many simultaneous uses of a link', async () => {
    const token = await mailedToken();
    const passwords = Array.from({ length: 8 }, (_, index) => `simultaneous password ${index}`);
    const answers = await Promise.all(
      passwords.map((password, index) => new Browser(`10.1.${index}.1`).form(`/password/${token}`, { password })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 7 }, () => 410)]);
    const winner = passwords[answers.findIndex(({ status }) => status === 303)] as string;
    expect((await new Browser().signIn(person.email, winner)).status).toBe(303);
  });

  it('has the same answer for unknown addresses, people of other places and too many requests, and mails nobody', async () => {
    const stranger = await test.app.get(UsersService).create({ email: `elsewhere${people}@example.org` });
    const answers: supertest.Response[] = [];
    for (const email of [person.email, person.email, 'nobody@example.org', stranger.email])
      answers.push(await new Browser().form('/forgotten', { email }));
    const seen = answers.map(({ status, text, headers }) => [status, text, headers['location'], headers['set-cookie']]);
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    // The second request within a minute makes no link, and each of the others one row and one job.
    const [counted] = await test.database.query<{ links: number; people: number }>(
      'select count(*)::int as links, count(user_id)::int as people from shared.password_link',
    );
    expect(counted).toEqual({ links: 3, people: 2 });
    await mailsTo(person.email);
    await eventually(async () => expect(await test.database.query(`select 1 from shared.job where kind = 'password-link'`)).toEqual([]));
    expect(smtp.mails.map(({ to }) => to)).toEqual([[person.email]]);
    await new Browser().form('/forgotten', { email: 'no address' }).expect(400);
  });

  it('is limited by address and by network, also for simultaneous requests', async () => {
    await Promise.all(Array.from({ length: 6 }, () => new Browser().form('/forgotten', { email: person.email })));
    const links = () => test.database.query('select 1 from shared.password_link');
    expect(await links()).toHaveLength(1);
    for (let index = 0; index < 8; index += 1) {
      await test.database.query(`update shared.password_link set created_at = created_at - interval '2 minutes'`);
      await new Browser(`10.2.${index}.1`).form('/forgotten', { email: person.email });
    }
    expect(await links()).toHaveLength(5);
    await test.database.query('delete from shared.password_link');
    for (let index = 0; index < 25; index += 1) await new Browser('10.3.1.1').form('/forgotten', { email: `someone${index}@example.org` });
    expect((await links()).length).toBeLessThanOrEqual(20);
  });

  it('ends with its time, a new password, a new address, a removed right, and works for its place alone', async () => {
    const other = await test.newTenant();
    const uses: Readonly<Record<string, (token: string) => Promise<unknown>>> = {
      time: () => test.database.query('update shared.password_link set ends_at = now()'),
      password: () => test.app.get(UsersService).setPassword(person.id),
      address: () => test.app.get(UsersService).change(person.id, { email: `new-${person.email}` }),
      place: (token) => new Browser('192.0.2.7', other).form(`/password/${token}`, { password: next }).expect(410),
    };
    for (const [name, use] of Object.entries(uses)) {
      person = await newPerson();
      const token = await mailedToken();
      await use(token);
      const { status } = await new Browser().call('get', `/password/${token}`);
      expect([name, status]).toEqual([name, name === 'place' ? 200 : 410]);
    }
    person = await newPerson();
    const token = await mailedToken();
    await test.app.get(UsersService).revoke(person.id, venue.id);
    const browser = new Browser();
    await browser.form(`/password/${token}`, { password: next });
    expect(await browser.isIn()).toBe(false);
    for (const odd of ['x', 'a'.repeat(43), '..%2f..', `${token}x`])
      expect((await new Browser().call('get', `/password/${odd}`)).status).toBe(410);
  });
});

describe('the second factor', () => {
  const codeOf = (key: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(key), period: 30 }).generate({ timestamp: Date.now() + steps * 30_000 });

  /** Switches it on in a browser. */
  async function switchOn(browser: Browser): Promise<{ key: string; recovery: string[] }> {
    const { text } = await browser.call('get', '/account/factor').expect(200);
    const key = (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');
    expect(text).toContain('data:image/svg+xml;base64,');
    const shown = await browser.form('/account/factor', { code: codeOf(key, -1) }).expect(200);
    const recovery = [...shown.text.matchAll(/<code>([\w-]{14})<\/code>/g)].map(([, code]) => String(code));
    expect(recovery).toHaveLength(10);
    return { key, recovery };
  }

  /** Types the password in a new browser. */
  async function halfIn(from?: string): Promise<Browser> {
    const browser = new Browser(from);
    expect((await browser.signIn(person.email, person.password)).headers['location']).toBe('/admin/login/code');
    return browser;
  }

  const type = (browser: Browser, code: string): supertest.Test => browser.form('/login/code', { code });

  it('is switched on with a first code; sessions stay, and the next sign-in asks for a code', async () => {
    const [here, there] = [await signedIn(), await signedIn('203.0.113.5')];
    await here.call('get', '/account/factor').expect(200);
    await here.form('/account/factor', { code: '000000' }).expect(403);
    expect((await new Browser().signIn(person.email, person.password)).headers['location']).toBe('/admin');
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
    await eventually(async () => expect((await mailsTo(person.email)).join()).toContain('The second factor of your account was switched on'));
  });

  it('leaves no half session: no route opens before the code', async () => {
    await switchOn(await signedIn());
    const browser = await halfIn();
    expect(browser.cookieNamed('guichet')).toBeUndefined();
    expect(await test.database.query('select 1 from shared.panel_session where user_id = $1', [person.id])).toHaveLength(1);
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
    for (const path of ['/account', '/account/password', '/account/factor/off', '/account/sessions'])
      expect((await browser.form(path, { end: 'others' })).headers['location']).toMatch(/^\/admin\/login/);
    expect(await test.database.query(`select 1 from shared.user_account where id = $1 and last_sign_in_at is null`, [person.id])).toEqual(
      [],
    );
  });

  it('accepts each code once, also when it is sent twice at the same moment', async () => {
    const { key } = await switchOn(await signedIn());
    // The code with which it was switched on.
    await type(await halfIn(), codeOf(key, -1)).expect(401);
    const browsers = await Promise.all(['10.4.1.1', '10.4.2.1', '10.4.3.1', '10.4.4.1'].map((from) => halfIn(from)));
    const code = codeOf(key);
    const answers = await Promise.all(browsers.map((browser) => type(browser, code)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    await type(await halfIn(), code).expect(401);
  });

  it('accepts each recovery code once, also when it is sent twice at the same moment', async () => {
    const { recovery } = await switchOn(await signedIn());
    const [code = '', other = ''] = recovery;
    const browsers = await Promise.all(['10.5.1.1', '10.5.2.1', '10.5.3.1'].map((from) => halfIn(from)));
    const answers = await Promise.all(browsers.map((browser) => type(browser, code)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    // Typed in another way.
    const browser = await halfIn();
    await type(browser, other.toUpperCase().replaceAll('-', ' ')).expect(303);
    expect((await browser.call('get', '/account')).text).toContain('8 recovery codes are left');
  });

  it('is not guessed: wrong codes are counted in the database for all networks together', async () => {
    const { key } = await switchOn(await signedIn());
    const browsers = await Promise.all(Array.from({ length: 10 }, (_, index) => halfIn(`10.6.${index}.1`)));
    const statuses = (await Promise.all(browsers.map((browser) => type(browser, '111111')))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    await type(await halfIn('10.7.1.1'), codeOf(key)).expect(429);
    // A right password does not remove the lock.
    await type(await halfIn('10.7.2.1'), codeOf(key)).expect(429);
  });

  it('binds the step between password and code to the person, the place, the password and its time', async () => {
    const { key } = await switchOn(await signedIn());
    const mine = person;
    const step = (await halfIn()).cookieNamed('guichet-step');
    const elsewhere = new Browser('192.0.2.7', await test.newTenant());
    const changed = new Browser();
    for (const [browser, cookie] of [
      [elsewhere, step],
      [changed, `${step?.slice(0, -3)}AAA`],
      [new Browser(), undefined],
    ] as const) {
      browser.take({ 'guichet-step': cookie });
      expect((await type(browser, codeOf(key))).headers['location']).toMatch(/^\/admin\/login\?next/);
      expect(await browser.isIn()).toBe(false);
    }
    await test.app.get(UsersService).setPassword(mine.id);
    const late = new Browser();
    late.take({ 'guichet-step': step });
    expect((await type(late, codeOf(key))).headers['location']).toMatch(/^\/admin\/login\?next/);
  });

  it('gives the session a new id after the code, so that a planted one is worth nothing', async () => {
    const { key } = await switchOn(await signedIn());
    const mine = person;
    person = await newPerson();
    const planted = (await signedIn()).cookieNamed('guichet');
    person = mine;
    const browser = await halfIn();
    browser.take({ guichet: planted });
    await type(browser, codeOf(key)).expect(303);
    expect(browser.cookieNamed('guichet')).not.toBe(planted);
  });

  it('is asked after a forgotten password, too', async () => {
    const { key } = await switchOn(await signedIn());
    const token = await mailedLinkOf(person.email);
    const browser = new Browser();
    expect((await browser.form(`/password/${token}`, { password: next })).headers['location']).toBe('/admin/login/code');
    expect(await browser.isIn()).toBe(false);
    await type(browser, codeOf(key)).expect(303);
    expect(await browser.isIn()).toBe(true);
  });

  it('is switched off with the password and a code', async () => {
    const browser = await signedIn();
    const { key, recovery } = await switchOn(browser);
    await browser.form('/account/factor/off', { password: 'wrong', code: codeOf(key) }).expect(403);
    await browser.form('/account/factor/off', { password: person.password, code: '222222' }).expect(403);
    await browser.form('/account/factor/off', { password: person.password }).expect(403);
    expect((await new Browser().signIn(person.email, person.password)).headers['location']).toBe('/admin/login/code');
    await browser.form('/account/factor/off', { password: person.password, code: String(recovery[0]) }).expect(303);
    expect((await new Browser().signIn(person.email, person.password)).headers['location']).toBe('/admin');
    expect(await test.database.query('select 1 from shared.recovery_code where user_id = $1', [person.id])).toEqual([]);
    await eventually(async () => expect((await mailsTo(person.email)).join()).toContain('switched off'));
  });
});

async function mailedLinkOf(email: string): Promise<string> {
  await new Browser().form('/forgotten', { email }).expect(303);
  await eventually(() => expect(smtp.mails.some(({ parsed }) => tokenIn(parsed.text ?? '') !== '')).toBe(true));
  return smtp.mails.map(({ parsed }) => tokenIn(parsed.text ?? '')).find((token) => token !== '') ?? '';
}

describe('a sign-in', () => {
  it('from a browser that was not seen before is mailed in the language of the person; the first one ever is not', async () => {
    await test.app.get(UsersService).change(person.id, { language: 'de' });
    const known = await signedIn();
    await known.call('post', '/logout').expect(303);
    await known.signIn(person.email, person.password);
    const stranger = new Browser('203.0.113.99');
    await stranger.signIn(person.email, person.password);
    const mails = await mailsTo(person.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('mit Ihrem Konto angemeldet');
  });
});
