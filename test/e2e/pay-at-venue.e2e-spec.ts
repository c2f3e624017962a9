import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EmailCorrectionsService } from '#holders';
import { MailSenderService } from '#notices';
import { HolderLinks, ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { crowd, expectNoDrift, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { complete, endHold, hold } from '../support/drafts.js';
import { OrderForms } from '../support/order-forms.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const hour = 3_600_000;

let test: TestApp;
let tenant: TenantIdentity;
let forms: OrderForms;
let post: SmtpSink;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url, RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
  forms = new OrderForms(test, tenant);
  await sql('insert into configuration (id, pay_at_venue_hours) values (1, 2) on conflict (id) do update set pay_at_venue_hours = 2');
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await post.close();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const changes = (): ReservationChangesService => test.app.get(ReservationChangesService);
const verify = (id: string): Promise<unknown> => inside(() => changes().verify(id));
const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const idOf = (path: string): string => path.split('/')[2] as string;
const someone = (): string => `${randomUUID()}@example.org`;

/** A paid event that begins in a day. */
const paidEvent = (more: Parameters<typeof newEvent>[2] = {}): ReturnType<typeof newEvent> =>
  newEvent(test, tenant, { startsAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 24 * hour), ...more });

interface State {
  readonly status: string;
  readonly expiresAt: Date;
  readonly payUntil: Date | null;
}

async function stateOf(id: string): Promise<State> {
  const [row] = await sql<State>('select status, expires_at as "expiresAt", pay_until as "payUntil" from reservation where id = $1', [id]);
  return row!;
}

/** Sends the waiting mails of a reservation, as the worker does. @returns their kinds, in the order in which they were added */
async function deliver(id: string): Promise<string[]> {
  const mails = await sql<{ id: string; kind: string; status: string }>(
    'select id, kind, status from mail where reservation_id = $1 order by created_at',
    [id],
  );
  for (const mail of mails)
    if (mail.status === 'waiting') await inside(() => test.app.get(MailSenderService).send(mail.id, { isLast: true }));
  return mails.map(({ kind }) => kind);
}

async function toldOf(id: string): Promise<string[]> {
  const rows = await test.database.query<{ type: string }>('select type from shared.outbox where subject_id = $1 order by sequence', [id]);
  return rows.map(({ type }) => type);
}

describe('a reservation to pay at the venue', () => {
  it('is held for a short time until the link in the mail is opened, then until some hours before the event', async () => {
    const event = await paidEvent();
    const until = new Date(event.startsAt.getTime() - 2 * hour);
    const path = await forms.begin(event.slug, event.priceId, '2');
    expect((await forms.get(path)).text).toContain('You pay at the venue before');
    expect((await forms.complete(path, { email: 'zoe@example.org' })).status).toBe(303);
    const id = idOf(path);
    const before = await stateOf(id);
    expect(before).toMatchObject({ status: 'R', payUntil: until });
    expect(before.expiresAt.getTime()).toBeLessThan(Date.now() + hour);
    const sent = (await forms.get(path)).text;
    for (const text of ['Check your inbox', 'Pay €25 at the venue before that.']) expect(sent).toContain(text);
    expect(sent).not.toContain('/reservation/');

    expect(await deliver(id)).toEqual(['confirm-venue']);
    const { parsed } = post.mails.at(-1)!;
    const text = parsed.text!.replace(/[\u00A0\u202F]/g, ' ');
    expect(parsed.subject).toContain('Please confirm');
    for (const fact of ['2 places for', 'To be paid at the venue: €25, before', 'The link works for']) expect(text).toContain(fact);
    const link = /http:\/\/[^/]+(\/reservation\/\S+)/.exec(text)![1]!;
    const page = (await forms.get(link)).text;
    expect(page).toContain(`action="${link}/confirm"`);
    const asks = ['One thing is left: your confirmation', 'Confirm 2 places · €25', 'Confirm your reservation before'];
    for (const fact of asks) expect(page.replace(/<[^>]*>|[\u2060]/g, '').replace(/[\u00A0\u202F]/g, ' ')).toContain(fact);
    // Reading the page confirms nothing: programs that check mails follow links.
    expect(await stateOf(id)).toMatchObject({ payUntil: until });

    const clicks = await Promise.all(crowd(6, () => forms.post(`${link}/confirm`, [])));
    for (const { status, headers } of clicks) expect([status, headers['location']]).toEqual([303, link]);
    expect(await stateOf(id)).toEqual({ status: 'R', expiresAt: until, payUntil: null });
    expect(await toldOf(id)).toEqual(['reservation.created', 'reservation.updated']);
    const after = (await forms.get(link)).text;
    const reserved = ['<h2>Your 2 places are reserved', 'Pay €25 at the venue before', 'give your name or the number', 'once it is paid'];
    for (const fact of reserved) expect(after).toContain(fact);
    // One mail, however often the button was pressed.
    expect(await deliver(id)).toEqual(['confirm-venue', 'pay-at-venue']);
    const told = post.mails.at(-1)!.parsed.text!.replace(/[\u00A0\u202F]/g, ' ');
    const facts = [
      '2 places for',
      'To be paid at the venue: €25, before',
      'Your tickets with their codes follow by e-mail once you have paid.',
    ];
    for (const fact of facts) expect(told).toContain(fact);
    expect(after).not.toContain('/confirm"');
    // Who made the order is not known to be the owner of the address.
    const ordered = await forms.get(path);
    expect([ordered.status, ordered.headers['location'], ordered.text.includes('in the mail that we sent')]).toEqual([
      200,
      undefined,
      true,
    ]);
    expect(ordered.text).not.toContain('/reservation/');
    const [job] = await test.database.query<{ dueAt: Date }>(
      `select due_at as "dueAt" from shared.job where subject_id = $1 and kind = 'reservation-expiry'`,
      [id],
    );
    expect(job).toEqual({ dueAt: until });
    await inside(() => changes().confirm(id, 'cash'));
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 2 });
  });

  it('says that the event was moved only to who booked before', async () => {
    const event = await paidEvent();
    const ordered = async (): Promise<string> =>
      (await complete(test, tenant, await hold(test, tenant, event), { email: someone(), payment: 'venue' }))!.id;
    const early = await ordered();
    await sql(
      `update event set previous_starts_at = starts_at, starts_at = starts_at + interval '1 day', alteration = 'rescheduled' where id = $1`,
      [event.id],
    );
    const late = await ordered();
    const said: boolean[] = [];
    for (const id of [early, late]) {
      const path = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id }, 0)));
      said.push((await forms.get(path)).text.includes('Tickets stay valid.'));
    }
    expect(said).toEqual([true, false]);
    const path = await forms.begin(event.slug, event.priceId, '1');
    expect((await forms.get(path)).text).not.toContain('Tickets stay valid.');
  });

  it('of a buyer who is signed in is held at once, and its mail says what to pay', async () => {
    const event = await paidEvent();
    const email = someone();
    await verify((await complete(test, tenant, await hold(test, tenant, event), { email, payment: 'venue' }))!.id);
    const typed = await complete(test, tenant, await hold(test, tenant, event), { email, payment: 'venue' });
    expect(typed!.payUntil).not.toBeNull();
    const id = await hold(test, tenant, event);
    await complete(test, tenant, id, { email: email.toUpperCase(), signedIn: email, payment: 'venue' });
    expect(await stateOf(id)).toEqual({ status: 'R', expiresAt: new Date(event.startsAt.getTime() - 2 * hour), payUntil: null });
    expect(await deliver(id)).toEqual(['pay-at-venue']);
    const text = post.mails.at(-1)!.parsed.text!.replace(/[\u00A0\u202F]/g, ' ');
    for (const fact of ['One place for', 'To be paid at the venue: €12.50, before', '/reservation/']) expect(text).toContain(fact);
    expect(text).not.toContain('confirm');
  });

  it('gets a link for the corrected address, and the old link confirms nothing', async () => {
    const event = await paidEvent();
    const id = await hold(test, tenant, event);
    await complete(test, tenant, id, { payment: 'venue' });
    const old = await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
    await inside(() => test.app.get(EmailCorrectionsService).reservation(id, someone()));
    expect((await forms.post(`${old}/confirm`, [])).status).toBe(404);
    await inside(() => changes().verify(id, 0));
    expect((await stateOf(id)).payUntil).not.toBeNull();
    expect(await deliver(id)).toEqual(['confirm-venue', 'confirm-venue']);
    await inside(() => changes().verify(id, 1));
    expect((await stateOf(id)).payUntil).toBeNull();
  });

  it('counts towards the maximum of a person once it is confirmed, and is at most 10 tickets without one', async () => {
    const limited = await paidEvent({ maxPerUser: 2 });
    const email = someone();
    const reserve = async (event: { id: string; priceId: string }, quantity: number, isSignedIn = true): Promise<unknown> => {
      const id = await hold(test, tenant, event, { quantity });
      return outcome(complete(test, tenant, id, { email, payment: 'venue', ...(isSignedIn && { signedIn: email }) }));
    };
    // Strangers type the address: their orders take nothing from its owner.
    const typed = (await reserve(limited, 2, false)) as { id: string };
    expect(await reserve(limited, 1)).toMatchObject({ status: 'R', payUntil: null });
    expect(await reserve(limited, 2)).toMatchObject({ reason: 'limit_per_user', facts: { maximum: 2, held: 1 } });
    expect(await outcome(verify(typed.id))).toMatchObject({ reason: 'limit_per_user', facts: { maximum: 2, held: 1 } });
    // Staff cannot confirm it either. Seen to fail without the check in `validate`.
    const byStaff = outcome(inside(() => changes().confirm(typed.id, 'cash')));
    expect(await byStaff).toMatchObject({ reason: 'limit_per_user', facts: { maximum: 2, held: 1 } });
    expect(await stateOf(typed.id)).toMatchObject({ status: 'R', payUntil: expect.any(Date) });
    const open = await paidEvent({ capacity: 500 });
    expect(await reserve(open, 11, false)).toMatchObject({ reason: 'limit_per_user', facts: { maximum: 10, held: 0 } });
    expect(await reserve(open, 6)).toMatchObject({ status: 'R' });
    expect(await reserve(open, 6)).toMatchObject({ reason: 'limit_per_user', facts: { maximum: 10, held: 6 } });
    const both = await Promise.all([reserve(open, 3), reserve(open, 3)]);
    expect(both.filter((one) => (one as { status?: string }).status === 'R')).toHaveLength(1);
  });

  // Seen to fail without `checkConfirmed`.
  it('is confirmed by one of two clicks that come together, when the person may have only one of the orders', async () => {
    const event = await paidEvent({ maxPerUser: 2 });
    const email = someone();
    const order = async (): Promise<string> => {
      const id = await hold(test, tenant, event, { quantity: 2 });
      await complete(test, tenant, id, { email, payment: 'venue' });
      return id;
    };
    const ids = [await order(), await order()];
    const clicks = await Promise.all(ids.map((id) => outcome(verify(id))));
    expect(clicks.filter((one) => (one as { reason?: string }).reason === 'limit_per_user')).toHaveLength(1);
    const states = await Promise.all(ids.map((id) => stateOf(id)));
    expect(states.filter(({ payUntil }) => payUntil === null)).toHaveLength(1);
  });
});

describe('a reservation to pay at the venue whose hold ended before the address was confirmed', () => {
  it('is held while places remain, and otherwise cancelled', async () => {
    const event = await paidEvent({ capacity: 1 });
    const id = await hold(test, tenant, event);
    await complete(test, tenant, id, { payment: 'venue' });
    await endHold(test, tenant, id);
    const link = await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
    expect((await forms.get(link)).text).toContain('The time to confirm has passed.');
    const other = await hold(test, tenant, event);
    await verify(id);
    expect((await stateOf(id)).status).toBe('C');
    expect(await deliver(id)).toContain('reservation-cancelled');
    await endHold(test, tenant, other);
    const late = await hold(test, tenant, event);
    await complete(test, tenant, late, { payment: 'venue' });
    await endHold(test, tenant, late);
    await inside(() => changes().expire(late));
    await verify(late);
    expect(await stateOf(late)).toMatchObject({ status: 'R', payUntil: null });
    // Its time to pay is not over, so the late end of the first hold changes nothing.
    await inside(() => changes().tidy(late));
    expect((await stateOf(late)).status).toBe('R');
  });

  it('is cancelled when the time to pay is over, too', async () => {
    const event = await paidEvent();
    const id = await hold(test, tenant, event);
    await complete(test, tenant, id, { payment: 'venue' });
    await endHold(test, tenant, id);
    await sql(`update reservation set pay_until = now() - interval '1 second' where id = $1`, [id]);
    const link = await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
    expect((await forms.get(link)).text).toContain('The time to pay has passed');
    await verify(id);
    expect((await stateOf(id)).status).toBe('C');
  });

  // Verified to fail without `takeAgain` in `keepUntilPaid`, and without the check of the state in `verify`.
  it('never shares its place with a buyer who takes it at the same time, nor loses it to the end of its hold', async () => {
    for (let round = 0; round < 8; round += 1) {
      const event = await paidEvent({ capacity: 1 });
      const id = await hold(test, tenant, event);
      await complete(test, tenant, id, { payment: 'venue' });
      await endHold(test, tenant, id);
      const buyers = [1, 2].map(() => outcome(hold(test, tenant, event)));
      const clicks = [1, 2].map(() => verify(id));
      const ends = [inside(() => changes().expire(id)), inside(() => changes().tidy(id))];
      const [first, second] = await Promise.all([...buyers, ...clicks, ...ends]);
      const sold = [first, second].filter((one) => typeof one === 'string').length;
      const { status, payUntil } = await stateOf(id);
      expect([sold, status, payUntil === null]).toEqual(sold === 1 ? [1, 'C', false] : [0, 'R', true]);
      await expectNoDrift(test, tenant);
    }
  }, 60_000);
});
