import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountErasureService, BuyerRetentionService } from '#holders';
import { MembershipsService } from '#memberships';
import { MailSenderService } from '#notices';
import { ReservationChangesService, ReservationsService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { DispatcherService, WebhookEndpointsService } from '#webhooks';
import { newContact, newGuest, type AccountGuest } from '../support/account-guest.js';
import { AccountVisits } from '../support/accounts.js';
import { book, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { findTraces } from '../support/traces.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let visits: AccountVisits;
/** A folder of its own: files that another run left would count as traces. */
let mailFolder: string;

beforeAll(async () => {
  mailFolder = await mkdtemp(join(tmpdir(), 'guichet-mail-'));
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min', ERASE_BUYERS_MONTHS: '2', MAIL_FOLDER: mailFolder } });
  tenant = await test.newTenant({ language: 'en' });
  visits = new AccountVisits(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await rm(mailFolder, { recursive: true, force: true });
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);

/** Puts an event into the past. */
const endEvent = (id: string): Promise<unknown> =>
  visits.sql(`update event set starts_at = now() - interval '3 days', ends_at = now() - interval '70 hours' where id = $1`, [id]);

/** Sends the waiting mails, as the worker does: without a mail server they become files. */
async function deliver(): Promise<void> {
  const mails = await visits.sql<{ id: string }>(`select id from mail where status = 'waiting'`);
  for (const { id } of mails) await inside(() => test.app.get(MailSenderService).send(id, { isLast: true }));
}

/** Runs the erasures that were asked for, as the queue does. */
async function erase(email: string): Promise<void> {
  const rows = await visits.sql<{ id: string }>('select id from account_session where lower(email) = lower($1)', [email]);
  for (const { id } of rows) await inside(() => test.app.get(AccountErasureService).run(id));
}

/** What a receiver of webhooks answered to an event about an object. */
async function answerOf(answer: string, subjectId: string): Promise<void> {
  const wanted = { url: 'https://receiver.example/', types: ['*'] };
  const { endpoint } = await inside(() => test.app.get(WebhookEndpointsService).create(wanted));
  await visits.sql(
    `with delivery as (insert into webhook_delivery (endpoint_id, event_id, status)
         select $1, id, 'delivered' from webhook_event where subject_id = $2 limit 1 returning id)
       insert into webhook_attempt (delivery_id, attempted_at, milliseconds, answer) select id, now(), 5, $3 from delivery`,
    [endpoint.id, subjectId, answer],
  );
}

const tracesOf = (word: string): Promise<string[]> => findTraces(test, tenant, mailFolder, word);

interface Told {
  readonly identifier: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const guest = (name: string): Promise<AccountGuest> => newGuest(test, tenant, visits, name);

describe('the data of a person', () => {
  it('is one file with everything that the tenant has stored', async () => {
    const { email, reservation, membership } = await guest('ada');
    await guest('grace');
    await newContact(test, tenant, visits, { name: 'Lycée Ada', email });
    const answer = await visits.get('/account/data.json', await visits.signIn(email));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${tenant.slug}.json"`,
      'cache-control': 'no-store',
    });
    const data = JSON.parse(answer.text) as Record<string, Record<string, unknown>[]>;
    expect(Object.keys(data)).toEqual([
      'place',
      'email',
      'exportedAt',
      'complete',
      'reservations',
      'ticketsGivenToYou',
      'memberships',
      'giftCards',
      'donations',
      'customers',
      'bankTransfers',
      'waitingLists',
      'following',
      'ticketTransfers',
      'otherAddressChanges',
      'mails',
      'verifiedAddress',
      'accountLinks',
      'cards',
    ]);
    expect(data).toMatchObject({ email, complete: true, place: tenant.name });
    expect(data['reservations']).toMatchObject([
      {
        id: reservation,
        amount: '24.00',
        firstName: 'ada',
        tickets: [{ price: 'Other price', givenAway: false, checkedInAt: null }, {}],
        answers: [{ question: 'Diet', answer: 'no nuts for ada' }],
        payments: [{ method: 'cash', amount: '24.00' }],
        addressChanges: [{ from: `old-${email}`, to: email }],
      },
    ]);
    expect(data['memberships']).toMatchObject([{ id: membership, amount: '20.00', payments: [{ method: 'cash' }] }]);
    expect([data['ticketsGivenToYou']!.length, data['waitingLists']!.length, data['accountLinks']!.length]).toEqual([1, 1, 1]);
    // Newest first: the ticket that waits for the person, the one that the person gave on, that ticket when
    // the person got it, and the one that the person kept.
    expect(data['ticketTransfers']).toMatchObject([
      { from: null, fromName: null, to: email, toName: 'ada Tester', state: 'pending', message: 'Come with us, ada!' },
      { from: email, to: null, toName: null, state: 'accepted' },
      { from: null, fromName: null, to: email, toName: 'ada Tester' },
      { from: null, fromName: null, to: email, toName: 'ada Tester' },
    ]);
    expect(data['customers']).toMatchObject([{ name: 'Lycée Ada', email }]);
    expect(data['otherAddressChanges']).toMatchObject([{ from: email, to: null }]);
    expect(answer.text).not.toContain('friend-of');
    expect(data['mails']!.map(({ kind }) => kind).toSorted()).toEqual([
      'membership',
      'on-account',
      'ticket-given',
      'ticket-offered',
      'ticket-offered',
      'ticket-offered',
      'ticket-transferred',
      'ticket-transferred',
      'tickets',
      'waiting-list',
    ]);
    expect(answer.text).not.toContain('grace');
    for (const path of ['/account/data.json', '/account/erase'])
      expect((await visits.forms.get(path)).headers['location']).toBe('/account');
    expect((await visits.forms.post('/account/erase', [['sure', 'yes']])).headers['location']).toBe('/account');
  });
});

describe('the erasure of a person', () => {
  it('is refused while something is to come or a refund is due', async () => {
    const { email, reservation, events } = await guest('hedy');
    const cookie = await visits.signIn(email);
    expect((await visits.get('/account/erase', cookie)).text).toContain('You have upcoming bookings');
    const early = await visits.forms.post('/account/erase', [['sure', 'yes']], cookie);
    expect([early.status, early.text.includes('You have upcoming bookings')]).toEqual([409, true]);
    expect((await visits.get('/account', cookie)).text).toContain(`signed in as ${email}`);
    for (const id of events) await endEvent(id);
    expect((await visits.get('/account/erase', cookie)).text).toContain('name="sure"');
    const forgotten = await visits.forms.post('/account/erase', [], cookie);
    expect([forgotten.status, forgotten.text.includes('href="#sure"')]).toEqual([422, true]);
    const other = await newEvent(test, tenant, { startsAt: days(3) });
    const paid = await book(test, tenant, other, { email, paymentMethod: 'cash', confirmed: true });
    await inside(() => test.app.get(ReservationChangesService).cancel(paid.id, { reason: 'staff' }));
    expect((await visits.get('/account/erase', cookie)).text).toContain('a refund is not complete yet');
    await erase(email);
    const [kept] = await visits.sql<{ email: string }>('select email from reservation where id = $1', [paid.id]);
    expect(kept!.email).toBe(email);
    expect((await inside(() => test.app.get(ReservationsService).find(reservation)))!.email).toBe('');
  });

  it('leaves sales without names and addresses, and nothing else', async () => {
    const { email, reservation, membership, gift, events } = await guest('zelda');
    const [ticket] = (await inside(() => test.app.get(ReservationsService).find(gift)))!.tickets;
    for (const id of events) await endEvent(id);
    await deliver();
    await inside(() => test.app.get(DispatcherService).dispatch());
    await answerOf('Thanks, zelda', reservation);
    const customer = await newContact(test, tenant, visits, { name: 'A school', email });
    const before = await tracesOf('zelda');
    expect(before.length).toBeGreaterThan(8);
    expect(before).toEqual(
      expect.arrayContaining(['webhook_attempt.answer', 'webhook_event.data', expect.stringMatching(/-zelda@example\.org\.eml$/)]),
    );
    const cookie = await visits.signIn(email);
    const done = await visits.forms.post('/account/erase', [['sure', 'yes']], cookie);
    expect([done.status, done.text.includes('Your data is being erased')]).toEqual([200, true]);
    expect(String(done.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await visits.get('/account', cookie)).text).toContain('action="/account"');
    await erase(email);
    expect(await tracesOf('zelda')).toEqual([]);
    expect(await visits.sql('select name, email from customer where id = $1', [customer])).toEqual([{ name: 'A school', email: '' }]);
    const kept = (await inside(() => test.app.get(ReservationsService).find(reservation)))!;
    expect(kept).toMatchObject({ email: '', emailKey: reservation, firstName: '', amount: '24.00', status: 'V', answers: [] });
    expect(kept.tickets.map((one) => [one.firstName, one.amount, one.vatRate !== null])).toEqual([
      ['', '12.00', true],
      ['', '12.00', true],
    ]);
    expect(kept.payments).toMatchObject([{ amount: '24.00', method: 'cash' }]);
    const ended = (await inside(() => test.app.get(MembershipsService).find(membership)))!;
    expect(ended).toMatchObject({ email: '', firstName: '', status: 'active', amount: '20.00' });
    expect(ended.validUntil!.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    const [given] = (await inside(() => test.app.get(ReservationsService).find(gift)))!.tickets;
    expect([given!.holderEmail, given!.firstName, given!.codeVersion]).toEqual(['', '', ticket!.codeVersion]);
    const read = await test
      .on(tenant)
      .get(`/api/v2/memberships/${membership}/`)
      .set('Authorization', await newKey(test, tenant, 'membership:read'))
      .expect(200);
    expect((read.body as { member: object }).member).toEqual({ '@type': 'Person' });
    expect((await visits.forms.get('/account')).status).toBe(200);
  });

  it('tells webhooks what was erased, and goes on after an interruption', async () => {
    const { email, reservation, membership, events } = await guest('lise');
    for (const id of events) await endEvent(id);
    const cookie = await visits.signIn(email);
    await visits.forms.post('/account/erase', [['sure', 'yes']], cookie);
    // As if the first run had stopped in the middle.
    await visits.sql(`update membership set email = '', email_key = id::text where id = $1`, [membership]);
    await erase(email);
    await erase(email);
    const authorization = await newKey(test, tenant, 'webhook:read', 'reservation:read', 'membership:read');
    const told: Told[] = [];
    for (let after = ''; ; after = `?after=${told.at(-1)!.identifier}`) {
      const { body } = await test.on(tenant).get(`/api/v2/webhook-events/${after}`).set('Authorization', authorization).expect(200);
      const { results } = body as { results: Told[] };
      if (results.length === 0) break;
      told.push(...results);
    }
    const last = told.findLast(({ type, data }) => type === 'reservation.updated' && data['identifier'] === reservation)!;
    expect(JSON.stringify(last.data)).not.toContain('lise');
    expect(await visits.sql('select 1 from account_session where email = $1', [email])).toEqual([]);
  });
});

describe('former buyers', () => {
  it('are erased some months after the last thing that they had, with verified addresses that nothing belongs to', async () => {
    const { email, reservation, membership, events } = await guest('mary');
    const other = await guest('emmy');
    await visits.sql(
      `insert into verified_email (email_key, verified_at) values ('gone@example.org', now() - interval '3 months'),
      ('new@example.org', now()), ($1, now() - interval '3 months')
      on conflict (email_key) do update set verified_at = excluded.verified_at`,
      [email],
    );
    await visits.sql(
      `insert into gift_card (amount, recipient_email, code, created_at, issued_at, mailed_at)
       select 5, 'given@example.org', code, old, old, mailed
       from (values ('AAAACCCCDDDDEEEE', now() - interval '3 months', now()), ('AAAACCCCDDDDFFFF', now() - interval '3 months', null))
         as card (code, old, mailed)`,
    );
    const mailedTo = (): Promise<unknown[]> =>
      visits.sql(`select 1 from gift_card where recipient_email = 'given@example.org' and mailed_at is not null`);
    const run = async (): Promise<string[]> => {
      await inside(() => test.app.get(BuyerRetentionService).run());
      const rows = await visits.sql<{ email: string }>('select email from reservation where id = any($1)', [
        [reservation, other.reservation],
      ]);
      return rows.map((row) => row.email).toSorted();
    };
    const ago = (months: number): Promise<unknown> =>
      visits.sql(
        `update event set starts_at = now() - make_interval(months => $2), ends_at = now() - make_interval(months => $2)
        where id = any($1)`,
        [events, months],
      );
    await ago(3);
    // The membership has not ended.
    expect(await run()).toEqual([other.email, email].toSorted());
    await visits.sql(
      `update membership set valid_from = now() - interval '9 months', valid_until = now() - interval '1 month' where id = $1`,
      [membership],
    );
    await visits.sql(`update waiting_entry set status = 'over', ended_at = now() - interval '3 months' where email = $1`, [email]);
    expect(await run()).toEqual([other.email, email].toSorted());
    await visits.sql(`update membership set valid_until = now() - interval '3 months' where id = $1`, [membership]);
    // One card of the same person is still to be mailed.
    expect(await mailedTo()).toHaveLength(1);
    await visits.sql(`update gift_card set mailed_at = now() where code = 'AAAACCCCDDDDFFFF'`);
    expect(await tracesOf('mary')).toContain('outbox.data');
    expect(await run()).toEqual(['', other.email]);
    expect(await mailedTo()).toHaveLength(0);
    expect(await tracesOf('mary')).toEqual([]);
    const known = await visits.sql<{ key: string }>(`select email_key as key from verified_email where email_key = any($1)`, [
      ['gone@example.org', 'new@example.org', email],
    ]);
    expect(known).toEqual([{ key: 'new@example.org' }]);
  });
});
