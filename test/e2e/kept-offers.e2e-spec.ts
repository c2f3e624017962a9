import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BookingsService, type NewReservation } from '#selling';
import { OffersService, ReservationsService, SigningKeysService, toSchemaOrgReservation, type ShownReservation } from '#tickets';
import { WaitingListService } from '#waiting';
import { QuestionsService } from '#catalogue';
import { databaseNow, setDatabaseTime } from '#kernel';
import { runInTenant, type TenantIdentity } from '#tenancy';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { hold } from '../support/drafts.js';
import { eventually } from '../support/eventually.js';
import { roundTripsOf } from '../support/round-trips.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Trips = readonly (readonly string[])[];

/** Numbers of the statements that read an offer, and of those that write a booking. */
const sent = (trips: Trips): { reads: number; writes: number } => ({
  reads: trips.flat().filter((text) => text.includes('"isPostponed"')).length,
  writes: trips.flat().filter((text) => text.includes('insert into reservation')).length,
});

let test: TestApp;
let tenant: TenantIdentity;
let event: Awaited<ReturnType<typeof newEvent>>;
let freeId: string;

beforeAll(async () => {
  // Jobs of the bookings would send statements of their own.
  test = await startTestApp({ environment: { WORKER: 'separate' } });
  tenant = await test.newTenant();
});
beforeEach(async () => {
  // A slow machine needs more than two seconds between two bookings of a test.
  jest.replaceProperty(Reflect.get(test.app.get(OffersService), 'kept') as { ttl: number }, 'ttl', 600_000);
  event = await newEvent(test, tenant, { capacity: 20 });
  freeId = await newPrice(test, tenant, event.id, { amount: '0', name: 'Free' });
  await sql(`insert into event_option (event_id, kind, name, position) values ($1, 'checkbox', 'Vegan', 0)`, [event.id]);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await expectNoDrift(test, tenant);
});
afterAll(() => test.close());

const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));

function book(more: Partial<NewReservation> = {}): Promise<ShownReservation> {
  const email = `${randomUUID()}@example.org`;
  const tickets = [{ priceId: event.priceId, quantity: 1 }];
  return inside(() => test.app.get(BookingsService).book({ eventId: event.id, email, tickets, origin: 'api', ...more }));
}

/** Books. @returns the reservation or the error, and the round trips, without those of other work */
async function counted(more: Partial<NewReservation> = {}): Promise<{ booked: ShownReservation; trips: Trips }> {
  let booked: unknown;
  const trips = await roundTripsOf(async () => {
    booked = await outcome(book(more));
  });
  const clients = new Set(trips.flatMap(({ client, texts }) => (texts.some((text) => text.includes('enter_tenant')) ? [client] : [])));
  // Whether the venue accepts payments online is known for a second only.
  const own = trips.filter(({ client, texts }) => clients.has(client) && !texts.some((text) => text.includes('payment_account')));
  return {
    booked: booked as ShownReservation,
    trips: own.map(({ texts }) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())),
  };
}

const reservations = async (): Promise<number> =>
  (await sql<{ count: number }>('select count(*)::int as count from reservation where event_id = $1', [event.id]))[0]!.count;

const ofPrice = (change: string) => () => sql(`update price set ${change} where id = $1`, [event.priceId]);
const ofEvent = (change: string) => () => sql(`update event set ${change} where id = $1`, [event.id]);
const ofProduct = (change: string) => () =>
  sql(`update product set ${change} where id = (select product_id from price where id = $1)`, [event.priceId]);

describe('a booking of what the process booked a moment ago', () => {
  const kinds: readonly [name: string, more: () => Partial<NewReservation>][] = [
    [
      'that waits for payment',
      () => ({ tickets: [{ priceId: event.priceId, quantity: 2, holders: [{ firstName: 'Bo', lastName: 'B' }] }] }),
    ],
    [
      'that is free and confirmed',
      () => ({ tickets: [{ priceId: freeId, quantity: 1 }], confirmed: true, firstName: ' Ada ', language: 'fr' }),
    ],
    ['with an option', () => ({ options: ['Vegan'] })],
    [
      'of two prices',
      () => ({
        tickets: [
          { priceId: freeId, quantity: 1 },
          { priceId: event.priceId, quantity: 2 },
        ],
      }),
    ],
  ];

  it.each(kinds)('%s takes one round trip, and shows what is stored', async (_name, more) => {
    await book(more());
    const { booked, trips } = await counted(more());
    expect(trips).toHaveLength(1);
    const stored = await inside(() => test.app.get(ReservationsService).find(booked.id));
    expect(stored && toSchemaOrgReservation(stored, tenant)).toEqual(toSchemaOrgReservation(booked, tenant));
    const [row] = await sql<{ age: number; held: number | null }>(
      `select extract(epoch from now() - created_at)::float8 as age, extract(epoch from expires_at - created_at)::float8 as held
       from reservation where id = $1`,
      [booked.id],
    );
    expect(row?.age).toBeGreaterThanOrEqual(0);
    expect(row?.age).toBeLessThan(30);
    expect(row?.held).toBe(booked.status === 'R' ? 900 : null);
  });

  const unlike: readonly [name: string, more: () => Partial<NewReservation>][] = [
    ['of somebody whose address may be verified', () => ({ tickets: [{ priceId: freeId, quantity: 1 }] })],
    ['that is paid at the venue', () => ({ confirmed: true, paymentMethod: 'cash' })],
    ['that names no event', () => ({ eventId: undefined })],
  ];

  it.each(unlike)('%s takes more than one round trip', async (_name, more) => {
    await book();
    await book({ tickets: [{ priceId: freeId, quantity: 1 }], confirmed: true });
    const { booked, trips } = await counted(more());
    expect(booked).toMatchObject({ eventId: event.id });
    expect(trips.length).toBeGreaterThan(1);
  });

  it('reads the offer again after two seconds', async () => {
    jest.restoreAllMocks();
    await book();
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 2500);
    const { trips } = await counted();
    expect(sent(trips)).toEqual({ reads: 1, writes: 1 });
  });

  it('is planned again when the clock of this process is wrong', async () => {
    await book();
    const right = databaseNow().getTime();
    const at = performance.now();
    setDatabaseTime(right + 60_000, at);
    const { booked, trips } = await counted();
    setDatabaseTime(right, at);
    expect(sent(trips)).toEqual({ reads: 1, writes: 2 });
    expect(Math.abs(Date.now() - booked.createdAt.getTime())).toBeLessThan(3000);
  });

  it('reads the offer again when a sale begins or ends', async () => {
    await ofPrice(`sales_until = now() + interval '1 second'`)();
    await book();
    await eventually(async () =>
      expect(await sql('select 1 from price where id = $1 and sales_until <= now()', [event.priceId])).toHaveLength(1),
    );
    expect((await counted()).booked).toMatchObject({ reason: 'sale_ended' });
  });

  const changes: readonly [name: string, change: () => Promise<unknown>, expected: object][] = [
    ['the price costs more', ofPrice('amount = 20'), { amount: '20.00' }],
    ['the price has another name', ofPrice(`name = 'Late price'`), { tickets: [{ price: { name: 'Late price' } }] }],
    ['the price has another rate of VAT', ofPrice(`vat = '7.7'`), { tickets: [{ vatRate: '7.7' }] }],
    ['the price is not published', ofPrice('published = false'), { reason: 'price_not_published' }],
    ['the sale has ended', ofPrice(`sales_until = now() - interval '1 second'`), { reason: 'sale_ended' }],
    ['the sale is not open', ofPrice(`sales_from = now() + interval '1 hour'`), { reason: 'sale_not_open' }],
    ['the event is postponed', ofEvent(`alteration = 'postponed'`), { reason: 'event_postponed' }],
    ['the price has a maximum per person', ofPrice('max_per_user = 1'), { amount: '12.50' }],
    ['the price has no stock left', ofPrice('stock = 1'), { reason: 'sold_out' }],
    ['the product is not published', ofProduct('published = false'), { reason: 'price_not_published' }],
    [
      'the product has another name',
      ofProduct(`name = 'Late product ' || id`),
      { tickets: [{ price: { product: { name: expect.stringMatching('Late') as unknown } } }] },
    ],
    [
      'the product is not sold for the event',
      () => sql('delete from event_product where event_id = $1', [event.id]),
      { field: 'tickets.0.priceId' },
    ],
    ['the event has another name', ofEvent(`name = 'Late event'`), { event: { name: 'Late event' } }],
    ['the event has moved', ofEvent(`starts_at = '2100-01-01T20:00:00Z'`), { event: { startsAt: new Date('2100-01-01T20:00:00Z') } }],
    ['the event is over', ofEvent(`starts_at = now() - interval '9 hours'`), { reason: 'event_over' }],
    ['the event is not published', ofEvent('published = false'), { reason: 'event_not_published' }],
    ['the event has a maximum per person', ofEvent('max_per_user = 1'), { amount: '12.50' }],
    ['the event has no place left', ofEvent('capacity = 1'), { reason: 'sold_out', facts: { remaining: [{ remaining: 0 }] } }],
    ['somebody waits for the event', () => wait(), { reason: 'sold_out' }],
    ['fewer people wait than there are places', () => wait().then(ofEvent('capacity = 20')), { amount: '12.50' }],
    ['the product asks a required question', () => ask(), { field: 'answers.town' }],
  ];

  async function ask(): Promise<void> {
    const [price] = await sql<{ productId: string }>('select product_id as "productId" from price where id = $1', [event.priceId]);
    const questions = [{ label: 'Town', kind: 'text', required: true }] as const;
    await inside(() => test.app.get(QuestionsService).define(price!.productId, [...questions]));
  }

  async function wait(): Promise<void> {
    await sql('update event set capacity = booked where id = $1', [event.id]);
    const wanted = { eventId: event.id, priceId: event.priceId, quantity: 1, email: 'waits@example.org', language: 'en' } as const;
    await inside(() => test.app.get(WaitingListService).join(wanted, 'network'));
  }

  it.each(changes)('decides by the offer as it is now when %s', async (_name, change, expected) => {
    await book();
    const before = await reservations();
    await change();
    const { booked, trips } = await counted();
    // The kept offer is tried in vain.
    expect(sent(trips)).toMatchObject({ reads: 1 });
    expect(sent(trips).writes).toBeGreaterThan(0);
    expect(booked).toMatchObject(expected);
    expect(await reservations()).toBe(before + (booked instanceof Error ? 0 : 1));
    expect(await bookedOf(event.id)).toBe(await reservations());
  });

  it('is refused when the event is deleted', async () => {
    const id = await hold(test, tenant, event);
    await sql('delete from ticket where reservation_id = $1', [id]);
    await sql('delete from order_line where reservation_id = $1', [id]);
    await sql('delete from reservation where id = $1', [id]);
    await sql('delete from event_price where event_id = $1', [event.id]);
    await sql('delete from event_product where event_id = $1', [event.id]);
    await sql('delete from event where id = $1', [event.id]);
    const { booked, trips } = await counted();
    expect(sent(trips)).toEqual({ reads: 1, writes: 1 });
    expect(booked).toMatchObject({ field: 'eventId' });
  });

  it('uses the key that signs now', async () => {
    const { tickets } = await book();
    const next = await inside(() => test.app.get(SigningKeysService).rotate());
    const { booked } = await counted();
    expect(tickets[0]?.signingKeyId).not.toBe(next);
    expect(booked.tickets[0]?.signingKeyId).toBe(next);
  });

  it('is not made for a tenant that has changed meanwhile', async () => {
    await book();
    const before = await reservations();
    const earlier = { ...tenant, state: 'suspended' } as const;
    const late = runInTenant(earlier, () =>
      test.app.get(BookingsService).book({
        eventId: event.id,
        email: 'late@example.org',
        tickets: [{ priceId: event.priceId, quantity: 1 }],
        origin: 'api',
      }),
    );
    await expect(late).rejects.toMatchObject({ code: 'tenant.changed' });
    expect(await reservations()).toBe(before);
  });

  it('takes the last places once, among many', async () => {
    await book();
    const results = await Promise.allSettled(crowd(60, () => book()));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(60 - 19);
    for (const error of refused) expect(error).toMatchObject({ reason: 'sold_out' });
    expect([await reservations(), await bookedOf(event.id)]).toEqual([20, 20]);
  });

  it('keeps the limits per person of event and price, in one round trip', async () => {
    await ofEvent('max_per_user = 3')();
    await ofPrice('max_per_user = 2')();
    const of = (priceId: string, quantity: number): Partial<NewReservation> => ({
      email: 'Ada@example.org',
      tickets: [{ priceId, quantity }],
      confirmed: priceId === freeId,
    });
    for (const priceId of [event.priceId, freeId]) await book({ ...of(priceId, 1), email: 'other@example.org' });
    const allowed = [of(event.priceId, 2), of(freeId, 1)];
    const refused = [of(event.priceId, 1), of(freeId, 1)];
    for (const [index, more] of allowed.entries()) {
      const { booked, trips } = await counted(more);
      expect(booked).toMatchObject({ email: 'Ada@example.org' });
      expect(trips).toHaveLength(1);
      const { booked: error } = await counted(refused[index]);
      expect(error).toMatchObject({ reason: 'limit_per_user', facts: { mayBook: 0 } });
    }
    expect([await reservations(), await bookedOf(event.id)]).toEqual([4, 5]);
  });

  it('keeps the limit of a person who books many times at once', async () => {
    await ofEvent('max_per_user = 3')();
    await book();
    const results = await Promise.allSettled(crowd(20, () => book({ email: 'ada@example.org' })));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(17);
    for (const error of refused) expect(error).toMatchObject({ reason: 'limit_per_user' });
    expect(await bookedOf(event.id)).toBe(4);
  });
});
