import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { UsersService, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { eventually } from '../support/eventually.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { StaffBrowser } from '../support/staff-browser.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let smtp: SmtpSink;
let test: TestApp;
let venue: TenantIdentity;
let person: { id: string; email: string; password: string };
let people = 0;

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

/** A browser in a network. */
class Browser extends StaffBrowser {
  constructor(from = '192.0.2.7', place = venue) {
    super(test, place, from);
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
