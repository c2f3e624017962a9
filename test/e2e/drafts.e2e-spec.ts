import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventCancellationsService, ReservationChangesService } from '#tickets';
import { PricesService } from '#catalogue';
import { JobsService } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { book, crowd, expectNoDrift, newPrice, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { changeHold, complete, endHold, hold } from '../support/drafts.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '6' } });
  tenant = await test.newTenant();
  authorization = await newKey(test, tenant, 'reservation:read', 'ticket:read', 'reservation:write');
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));
const runJob = (kind: string, id: string): Promise<void> =>
  inside(() => test.app.get(JobsService).workOf(kind)(id, { number: 1, isLast: false }));

async function freeEvent(capacity: number): Promise<{ id: string; priceId: string }> {
  const event = await newEvent(test, tenant, { capacity });
  return { id: event.id, priceId: await newPrice(test, tenant, event.id, { amount: '0.00' }) };
}

async function told(id: string): Promise<{ events: string[]; mails: string[] }> {
  const events = await test.database.query<{ type: string }>('select type from shared.outbox where subject_id = $1 order by sequence', [
    id,
  ]);
  const mails = await sql<{ kind: string }>('select kind from mail where reservation_id = $1 order by created_at', [id]);
  return { events: events.map(({ type }) => type), mails: mails.map(({ kind }) => kind) };
}

describe('a draft', () => {
  it('holds its places and is shown by no API, webhook or mail', async () => {
    const event = await newEvent(test, tenant, { capacity: 3 });
    const id = await hold(test, tenant, event, { quantity: 2 });
    expect(await bookedOf(event.id)).toBe(2);
    expect(await outcome(book(test, tenant, event, { quantity: 2 }))).toMatchObject({
      reason: 'sold_out',
      facts: { remaining: [{ remaining: 1 }] },
    });
    const [ticket] = await sql<{ id: string; status: string }>('select id, status from ticket where reservation_id = $1', [id]);
    expect(ticket).toMatchObject({ status: 'C' });
    const get = (path: string) => test.on(tenant).get(path).set('Authorization', authorization);
    await get(`/api/v2/reservations/${id}/`).expect(404);
    await get(`/api/reservations/${id}/`).expect(404);
    await get(`/api/ticket/${ticket!.id}/`).expect(404);
    for (const path of ['/api/v2/reservations/', '/api/reservations/']) expect((await get(path).expect(200)).text).not.toContain(id);
    await test
      .on(tenant)
      .call('patch', `/api/v2/reservations/${id}/`)
      .set('Authorization', authorization)
      .send({ reservationStatus: 'https://schema.org/ReservationCancelled' })
      .expect(404);
    expect(await inside(() => test.app.get(ReservationChangesService).confirm(id))).toBeUndefined();
    expect(await told(id)).toEqual({ events: [], mails: [] });
  });

  it('changes all its tickets or none', async () => {
    const event = await newEvent(test, tenant, { capacity: 4 });
    const scarce = await newPrice(test, tenant, event.id, { stock: 1 });
    const id = await hold(test, tenant, event, { quantity: 2 });
    expect(await changeHold(test, tenant, id, event, { quantity: 3 })).toBe(true);
    expect(await bookedOf(event.id)).toBe(3);
    const lines = [{ priceId: scarce, quantity: 2 }];
    expect(await outcome(changeHold(test, tenant, id, event, { lines }))).toMatchObject({ reason: 'sold_out' });
    const rows = await sql('select price_id as "priceId", amount from ticket where reservation_id = $1', [id]);
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ priceId: event.priceId, amount: '12.50' })));
    // Its own places count as free for the new choice.
    expect(
      await changeHold(test, tenant, id, event, {
        lines: [
          { priceId: event.priceId, quantity: 3 },
          { priceId: scarce, quantity: 1 },
        ],
      }),
    ).toBe(true);
    expect(await bookedOf(event.id)).toBe(4);
  });

  it('becomes a free reservation once, however often its form is sent', async () => {
    const event = await freeEvent(5);
    const id = await hold(test, tenant, event, { quantity: 2 });
    const holders = [undefined, { firstName: 'Zoë', lastName: 'Roux' }];
    const answers = await Promise.all(crowd(8, () => complete(test, tenant, id, { email: 'Ada@Example.org', holders })));
    for (const reservation of answers) expect(reservation).toMatchObject({ id, status: 'F', isDraft: false, sequence: 1, origin: 'page' });
    expect(await told(id)).toEqual({ events: ['reservation.created'], mails: ['confirm-email'] });
    const names = answers[0]!.tickets.map(({ firstName, status }) => `${firstName} ${status}`);
    expect(names).toEqual(['Ada N', 'Zoë N']);
    const again = await complete(test, tenant, id, { email: 'other@example.org' });
    expect(again).toMatchObject({ email: expect.stringMatching(/@Example\.org$/) });
    await test.on(tenant).get(`/api/v2/reservations/${id}/`).set('Authorization', authorization).expect(200);
    // Who is signed in needs no confirmation; who knows an address that was confirmed before does.
    await inside(() => test.app.get(ReservationChangesService).verify(id));
    const [second, third] = [await hold(test, tenant, event), await hold(test, tenant, event)];
    const signedIn = { email: 'ada@example.org', signedIn: 'Ada@example.org' };
    expect(await complete(test, tenant, second, signedIn)).toMatchObject({ status: 'FA', expiresAt: null, network: null });
    expect(await told(second)).toMatchObject({ mails: ['tickets'] });
    const typed = await complete(test, tenant, third, { email: 'ada@example.org' });
    expect(typed).toMatchObject({ status: 'F', network: expect.any(String) });
    expect(await told(third)).toMatchObject({ mails: ['confirm-email'] });
  });

  it('names every fault of its form at once, and keeps the hold', async () => {
    const event = await freeEvent(5);
    const id = await hold(test, tenant, event);
    const refused = await outcome(
      complete(test, tenant, id, { email: 'ada', lastName: 'x'.repeat(101), acceptsTerms: false, answers: new Map([['nobody', 'x']]) }),
    );
    const fields = (refused as { faults: { field: string }[] }).faults.map(({ field }) => field);
    expect(fields).toEqual(['email', 'lastName', 'terms', 'answers.nobody']);
    expect(await outcome(complete(test, tenant, id, { ticketIds: [id] }))).toMatchObject({ reason: 'changed' });
    expect(await outcome(complete(test, tenant, await hold(test, tenant, await newEvent(test, tenant))))).toMatchObject({
      reason: 'not_payable',
      field: 'payment',
    });
    expect(await bookedOf(event.id)).toBe(1);
  });

  it('counts towards the limits per person, and needs the membership, as soon as the person is known', async () => {
    const event = await newEvent(test, tenant, { maxPerUser: 2 });
    const priceId = await newPrice(test, tenant, event.id, { amount: '0.00' });
    const free = { id: event.id, priceId };
    const beyond = { reason: 'limit_per_user', facts: { maximum: 2, held: 1, mayBook: 1 } };
    expect(await outcome(hold(test, tenant, free, { quantity: 3 }))).toMatchObject({ reason: 'limit_per_user', facts: { held: 0 } });
    const grace = { email: 'grace@example.org', signedIn: 'grace@example.org' };
    await complete(test, tenant, await hold(test, tenant, free), grace);
    const verify = (id: string) => outcome(inside(() => test.app.get(ReservationChangesService).verify(id)));
    const second = await hold(test, tenant, free, { quantity: 2 });
    expect(await outcome(complete(test, tenant, second, grace))).toMatchObject(beyond);
    // Anybody may type the address: what its owner has is not told, and the order takes nothing from it.
    expect(await outcome(complete(test, tenant, second, { email: 'Grace+again@example.org' }))).toMatchObject({ status: 'F' });
    expect(await verify(second)).toMatchObject(beyond);
    expect(await complete(test, tenant, await hold(test, tenant, free), grace)).toMatchObject({ status: 'FA' });
    const [club] = await sql<{ id: string }>(`insert into product (name, category) values ('Club', 'A') returning id`);
    await inside(() => test.app.get(PricesService).update(priceId, { requiredMembershipId: club!.id }));
    const someone = { email: 'someone@example.org' };
    const typed = await hold(test, tenant, free);
    expect(await complete(test, tenant, typed, someone)).toMatchObject({ status: 'F' });
    expect(await verify(typed)).toMatchObject({ reason: 'membership_required' });
    const own = await hold(test, tenant, free);
    const refused = await outcome(complete(test, tenant, own, { ...someone, signedIn: someone.email }));
    expect(refused).toMatchObject({ reason: 'membership_required' });
  });

  it('of an event without a maximum has at most 10 tickets of a person, when it costs nothing', async () => {
    const event = await freeEvent(40);
    const beyond = { reason: 'limit_per_user', facts: { maximum: 10 } };
    expect(await outcome(hold(test, tenant, event, { quantity: 11 }))).toMatchObject(beyond);
    const id = await hold(test, tenant, event, { quantity: 4 });
    expect(await changeHold(test, tenant, id, event, { quantity: 6 })).toBe(true);
    const ida = { email: 'ida@example.org', signedIn: 'ida@example.org' };
    await complete(test, tenant, id, ida);
    const second = await hold(test, tenant, event, { quantity: 6 });
    expect(await outcome(complete(test, tenant, second, ida))).toMatchObject({ ...beyond, facts: { maximum: 10, held: 6 } });
    await complete(test, tenant, second, { email: ida.email });
    const verified = outcome(inside(() => test.app.get(ReservationChangesService).verify(second)));
    expect(await verified).toMatchObject({ ...beyond, facts: { maximum: 10, held: 6 } });
  });
});

describe('a draft whose hold has ended', () => {
  it('frees its places at once, and is renewed when it is completed while places remain', async () => {
    const event = await freeEvent(1);
    const id = await hold(test, tenant, event);
    await endHold(test, tenant, id);
    const winner = await hold(test, tenant, event);
    expect(await outcome(complete(test, tenant, id))).toMatchObject({ reason: 'sold_out', facts: { remaining: [{ remaining: 0 }] } });
    await endHold(test, tenant, winner);
    expect(await complete(test, tenant, id)).toMatchObject({ status: 'F', releasedAt: null });
    expect(await outcome(complete(test, tenant, winner))).toMatchObject({ reason: 'sold_out' });
  });

  it('is released by its job, and deleted an hour later without a word', async () => {
    const event = await freeEvent(3);
    const id = await hold(test, tenant, event, { quantity: 3 });
    await runJob('draft-expiry', id);
    expect(await bookedOf(event.id)).toBe(3);
    await endHold(test, tenant, id);
    await runJob('draft-expiry', id);
    expect(await bookedOf(event.id)).toBe(0);
    const late = await hold(test, tenant, event);
    for (const old of [id, late]) {
      await endHold(test, tenant, old, '61 minutes');
      await runJob('draft-expiry', old);
      expect(await sql('select id from reservation where id = $1', [old])).toEqual([]);
      expect(await told(old)).toEqual({ events: [], mails: [] });
    }
    expect(await complete(test, tenant, id)).toBeUndefined();
  });

  it('is left alone by the cancellation of its event', async () => {
    const event = await freeEvent(3);
    const id = await hold(test, tenant, event);
    await inside(() => test.app.get(EventCancellationsService).cancel(event.id));
    await runJob('event-cancellation', event.id);
    expect(await inside(() => test.app.get(EventCancellationsService).progress(event.id))).toMatchObject({ left: 0, cancelled: 0 });
    expect(await outcome(complete(test, tenant, id))).toMatchObject({ reason: 'event_not_published' });
    expect(await told(id)).toEqual({ events: [], mails: [] });
  });
});

describe('many buyers', () => {
  it('of one network hold a limited number of tickets until they are paid or confirmed', async () => {
    const event = await freeEvent(20);
    const network = '10.0.0.1/32';
    const first = await hold(test, tenant, event, { quantity: 4, network });
    expect(await outcome(hold(test, tenant, event, { quantity: 3, network }))).toMatchObject({ reason: 'too_many_held' });
    expect(await outcome(changeHold(test, tenant, first, event, { quantity: 7 }))).toMatchObject({ reason: 'too_many_held' });
    await hold(test, tenant, event, { quantity: 3, network: '10.0.0.2/32' });
    // An invented address and another quarter of an hour do not make room for more.
    await complete(test, tenant, first);
    expect(await outcome(hold(test, tenant, event, { quantity: 3, network }))).toMatchObject({ reason: 'too_many_held' });
    await inside(() => test.app.get(ReservationChangesService).verify(first));
    const second = await hold(test, tenant, event, { quantity: 3, network });
    expect(await sql('select network from reservation where id = $1', [first])).toEqual([{ network: null }]);
    // Nor does a hold that has ended.
    await endHold(test, tenant, second);
    await hold(test, tenant, event, { quantity: 4, network });
    expect(await outcome(complete(test, tenant, second))).toMatchObject({ reason: 'too_many_held' });
  });

  it('of one site of IPv6 hold eight times as many as one network in it', async () => {
    const event = await freeEvent(60);
    const from = (network: number, site = 'one') => hold(test, tenant, event, { quantity: 6, network: `${site} ${network}`, site });
    const held = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((network) => from(network)));
    expect(await outcome(from(9))).toMatchObject({ reason: 'too_many_held' });
    await from(1, 'another');
    const first = held[0] as string;
    await complete(test, tenant, first);
    expect(await outcome(from(9))).toMatchObject({ reason: 'too_many_held' });
    await inside(() => test.app.get(ReservationChangesService).verify(first));
    const second = await from(9);
    const keys = 'select network, network_site as site from reservation where id = $1';
    expect(await sql(keys, [first])).toEqual([{ network: null, site: null }]);
    await endHold(test, tenant, second);
    const third = await from(10);
    expect(await outcome(complete(test, tenant, second))).toMatchObject({ reason: 'too_many_held' });
    await complete(test, tenant, third);
  });

  it('hold, change, complete and give up at the same time, and never get more places than there are', async () => {
    const event = await freeEvent(10);
    const buyer = async (index: number): Promise<number> => {
      const id = await hold(test, tenant, event, { quantity: 1 + (index % 2) });
      if (index % 4 === 1) await outcome(changeHold(test, tenant, id, event, { quantity: 3 }));
      if (index % 3 === 0) await endHold(test, tenant, id);
      if (index % 5 === 0) return 0;
      return (await complete(test, tenant, id))?.tickets.length ?? 0;
    };
    const counts = await Promise.all(crowd(60, (index) => buyer(index).catch(() => 0)));
    const kept = counts.reduce((sum, count) => sum + count, 0);
    expect(kept).toBeLessThanOrEqual(10);
    expect((await ticketsBy(test, tenant, event.id))['N']).toBe(kept);
    // What nobody completed is free again, and everything can be sold.
    await sql(`update reservation set expires_at = now() - interval '1 second' where event_id = $1 and is_draft`, [event.id]);
    const rest = await Promise.allSettled(crowd(20, async () => complete(test, tenant, await hold(test, tenant, event))));
    expect(rest.filter(({ status }) => status === 'fulfilled')).toHaveLength(10 - kept);
  });
});
