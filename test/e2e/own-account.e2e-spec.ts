import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runInTenant, UsersService } from '#tenancy';
import { TransferAccountService } from '#transfers';
import type supertest from 'supertest';
import { eventually } from '../support/eventually.js';
import { staffWith } from '../support/role-staff.js';
import { StaffAccounts } from '../support/staff-accounts.js';
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

describe('My account', () => {
  it('shows and changes name and language, of the person alone', async () => {
    const browser = await staff.signedIn();
    const { text } = await browser.call('get', '/account').expect(200);
    expect(text).toContain(staff.person.email);
    await browser.form('/account', { name: 'Zoé <b>', language: 'fr', email: 'other@example.org' }).expect(303);
    const french = await browser.call('get', '/account').expect(200);
    expect(french.text).toContain('Mon compte');
    expect(french.text).toContain('Zoé &lt;b');
    // The frame shows the new name in sessions that began before.
    expect((await browser.call('get', '/')).text).toContain('Zoé \\u003cb');
    const [row] = await test.database.query('select email, language from shared.user_account where id = $1', [staff.person.id]);
    expect(row).toEqual({ email: staff.person.email, language: 'fr' });
    await browser.form('/account', { name: ' ', language: 'fr' }).expect(400);
    await browser.form('/account', { name: 'x'.repeat(201), language: 'fr' }).expect(400);
  });

  it('needs a sign-in, and a page of this host', async () => {
    await staff.browser().call('get', '/account').expect(302);
    const browser = await staff.signedIn();
    for (const path of [
      '/account',
      '/account/password',
      '/account/sessions',
      '/account/factor',
      '/account/factor/off',
      '/account/factor/kept',
    ])
      await browser.form(path, { name: 'X', end: 'others' }).set('Sec-Fetch-Site', 'cross-site').expect(403);
    for (const path of ['/login/code', '/forgotten', `/password/${'a'.repeat(43)}`])
      await browser.form(path, { email: staff.person.email }).set('Sec-Fetch-Site', 'cross-site').expect(403);
  });

  it('changes the password with the present one, and ends the other sessions', async () => {
    const [here, there] = [await staff.signedIn(), await staff.signedIn('203.0.113.5')];
    const before = here.cookieNamed('guichet');
    expect((await here.form('/account/password', { present: 'wrong', next }).expect(403)).text).toContain('The present password is wrong');
    expect((await here.form('/account/password', { present: staff.person.password, next: 'short' }).expect(400)).text).toContain('10');
    expect([await here.isIn(), await there.isIn()]).toEqual([true, true]);
    await here.form('/account/password', { present: staff.person.password, next }).expect(303);
    expect([await here.isIn(), await there.isIn()]).toEqual([true, false]);
    expect(here.cookieNamed('guichet')).not.toBe(before);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).status).toBe(401);
    expect((await staff.browser().signIn(staff.person.email, next)).status).toBe(303);
    await staff.mailWith('The password of your account was changed');
  });

  it('does not help to guess the password: parallel attempts are counted in the database', async () => {
    const browser = await staff.signedIn();
    const answers = await Promise.all(Array.from({ length: 12 }, () => browser.form('/account/password', { present: 'a guess', next })));
    expect(answers.filter(({ text }) => text.includes('Too many attempts')).length).toBeGreaterThanOrEqual(7);
    expect((await browser.form('/account/password', { present: staff.person.password, next })).text).toContain('Too many attempts');
  });

  it('lists the own sessions and ends one, or all others', async () => {
    const [here, there] = [await staff.signedIn('192.0.2.7'), await staff.signedIn('203.0.113.5')];
    const stranger = await staff.signedIn('198.51.100.6', await staff.newPerson());
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
    const again = await staff.signedIn('203.0.113.5');
    await here.form('/account/sessions', { end: 'others' }).expect(303);
    expect([await here.isIn(), await again.isIn(), await stranger.isIn()]).toEqual([true, false, true]);
  });
});

describe('a forgotten password', () => {
  it('is replaced behind a mailed link, which ends the other sessions, signs in and works once', async () => {
    const before = await staff.signedIn('203.0.113.5');
    const token = await staff.mailedToken();
    const rows = await test.database.query('select l::text as row from shared.password_link l');
    expect(JSON.stringify(rows)).not.toContain(token);
    const browser = staff.browser();
    expect((await browser.call('get', `/password/${token}`).expect(200)).text).toContain('Choose a new password');
    await browser.form(`/password/${token}`, { password: 'short' }).expect(400);
    const planted = browser.cookieNamed('guichet');
    await browser.form(`/password/${token}`, { password: next }).expect(303);
    expect(browser.cookieNamed('guichet')).not.toBe(planted);
    expect([await browser.isIn(), await before.isIn()]).toEqual([true, false]);
    await staff.browser().call('get', `/password/${token}`).expect(410);
    await staff.browser().form(`/password/${token}`, { password: 'yet another one' }).expect(410);
    await staff.mailWith('The password of your account was changed');
  });

  it('is set by exactly one of many simultaneous uses of a link', async () => {
    const token = await staff.mailedToken();
    const passwords = Array.from({ length: 8 }, (_, index) => `simultaneous password ${index}`);
    const answers = await Promise.all(
      passwords.map((password, index) => staff.browser(`10.1.${index}.1`).form(`/password/${token}`, { password })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 7 }, () => 410)]);
    const winner = passwords[answers.findIndex(({ status }) => status === 303)] as string;
    expect((await staff.browser().signIn(staff.person.email, winner)).status).toBe(303);
  });

  it('has the same answer for unknown addresses, people of other places and too many requests, and mails nobody', async () => {
    const stranger = await test.app.get(UsersService).create({ email: `elsewhere${staff.people}@example.org` });
    const answers: supertest.Response[] = [];
    for (const email of [staff.person.email, staff.person.email, 'nobody@example.org', stranger.email])
      answers.push(await staff.browser().form('/forgotten', { email }));
    const seen = answers.map(({ status, text, headers }) => [status, text, headers['location'], headers['set-cookie']]);
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    // The second request within a minute makes no link, and each of the others one row and one job.
    const links = await test.database.query<{ person: string | null }>('select user_id as person from shared.password_link');
    expect([links.length, links.filter(({ person }) => person !== null).length]).toEqual([3, 2]);
    await staff.mails();
    await eventually(async () => expect(await test.database.query(`select 1 from shared.job where kind = 'password-link'`)).toEqual([]));
    expect(staff.smtp.mails.map(({ to }) => to)).toEqual([[staff.person.email]]);
    await staff.browser().form('/forgotten', { email: 'no address' }).expect(400);
  });

  it('is limited by address and by network, also for simultaneous requests', async () => {
    await Promise.all(Array.from({ length: 6 }, () => staff.browser().form('/forgotten', { email: staff.person.email })));
    const links = () => test.database.query('select 1 from shared.password_link');
    expect(await links()).toHaveLength(1);
    for (let index = 0; index < 8; index += 1) {
      await test.database.query(`update shared.password_link set created_at = created_at - interval '2 minutes'`);
      await staff.browser(`10.2.${index}.1`).form('/forgotten', { email: staff.person.email });
    }
    expect(await links()).toHaveLength(5);
    await test.database.query('delete from shared.password_link');
    for (let index = 0; index < 25; index += 1)
      await staff.browser('10.3.1.1').form('/forgotten', { email: `someone${index}@example.org` });
    expect((await links()).length).toBeLessThanOrEqual(20);
  });

  it('ends with its time, a new password, a new address, a removed right, and works for its place alone', async () => {
    const other = await test.newTenant();
    const uses: Readonly<Record<string, (token: string) => Promise<unknown>>> = {
      time: () => test.database.query('update shared.password_link set ends_at = now()'),
      password: () => test.app.get(UsersService).setPassword(staff.person.id),
      address: () => test.app.get(UsersService).change(staff.person.id, { email: `new-${staff.person.email}` }),
      place: (token) => staff.browser('192.0.2.7', other).form(`/password/${token}`, { password: next }).expect(410),
    };
    for (const [name, use] of Object.entries(uses)) {
      staff.person = await staff.newPerson();
      const token = await staff.mailedToken();
      await use(token);
      const { status } = await staff.browser().call('get', `/password/${token}`);
      expect([name, status]).toEqual([name, name === 'place' ? 200 : 410]);
    }
    staff.person = await staff.newPerson();
    const token = await staff.mailedToken();
    await test.app.get(UsersService).revoke(staff.person.id, staff.venue.id);
    const browser = staff.browser();
    await browser.form(`/password/${token}`, { password: next });
    expect(await browser.isIn()).toBe(false);
    for (const odd of ['x', 'a'.repeat(43), '..%2f..', `${token}x`])
      expect((await staff.browser().call('get', `/password/${odd}`)).status).toBe(410);
  });
});

describe('a sign-in', () => {
  it('from a browser that was not seen before is mailed in the language of the person; the first one ever is not', async () => {
    await test.app.get(UsersService).change(staff.person.id, { language: 'de' });
    const known = await staff.signedIn();
    await known.call('post', '/logout').expect(303);
    await known.signIn(staff.person.email, staff.person.password);
    const stranger = staff.browser('203.0.113.99');
    await stranger.signIn(staff.person.email, staff.person.password);
    const mails = await staff.mails();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('mit Ihrem Konto angemeldet');
  });
});

describe('a change of keys or payment accounts', () => {
  it('is mailed to everybody who directs the venue, and to nobody else', async () => {
    const colleague = await staff.newPerson();
    const seller = await staffWith(test, staff.venue, { role: 'boxOffice' });
    const browser = await staff.signedIn();
    const account = { iban: 'DE02120300000000202051', holder: 'Venue', days: '10', offered: 'true' };
    await browser.form('/api/resources/payment-account/actions/transferAccount', account).expect(200);
    await staff.mailWith('gets its money on');
    await browser.form('/api/resources/keys/actions/new', { name: 'Website', 'scopes.0': 'event:read' }).expect(200);
    await staff.mailWith('created an API key');
    const about = /API key of|gets its money/;
    const sentTo = (email: string): number =>
      staff.smtp.mails.filter(({ to, parsed }) => to.includes(email) && about.test(parsed.text ?? '')).length;
    await eventually(() => expect([staff.person, colleague, seller].map(({ email }) => sentTo(email))).toEqual([2, 2, 0]));
    // What the operator does is in the record alone.
    await runInTenant(staff.venue, () => test.app.get(TransferAccountService).save({ ...account, bic: '', days: 11, offered: true }));
    const told = `select action from shared.user_change where user_id = $1 and action in ('key_created', 'payment_account_changed')`;
    expect(await test.database.query(told, [staff.person.id])).toHaveLength(2);
  });
});

describe('the mail about a change', () => {
  const refusing = async (trigger: string, work: () => Promise<unknown>): Promise<void> => {
    await test.database.query(
      `create function shared.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$; ${trigger}`,
    );
    try {
      await work();
    } finally {
      await test.database.query('drop function shared.refuse() cascade');
    }
  };

  it('is queued in the transaction of the change: one is not there without the other', async () => {
    const browser = await staff.signedIn();
    const { email, password } = staff.person;
    const change = async (): Promise<void> => {
      expect((await browser.form('/account/password', { present: password, next })).status).toBe(500);
      expect((await staff.browser().signIn(email, next)).status).toBe(401);
      expect(await browser.isIn()).toBe(true);
    };
    await refusing(
      `create trigger refuse before insert on shared.job for each row when (new.kind = 'account-notice') execute function shared.refuse()`,
      change,
    );
    await refusing(
      `create constraint trigger refuse after insert on shared.user_change deferrable initially deferred
       for each row execute function shared.refuse()`,
      change,
    );
    expect(await test.database.query(`select 1 from shared.job where kind = 'account-notice'`)).toEqual([]);
    await browser.form('/account/password', { present: password, next }).expect(303);
    await staff.mailWith('The password of your account was changed');
    expect(staff.smtp.mails).toHaveLength(1);
  });
});
