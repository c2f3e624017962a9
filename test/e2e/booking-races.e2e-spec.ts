import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { AuditService, ReservationChangesService, ReservationsService } from '#tickets';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity, type Tx } from '#tenancy';
import { lockMembership } from '../../libs/memberships/src/rows/membership-rows.js';
import { book, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const changes = (): ReservationChangesService => test.app.get(ReservationChangesService);
const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const within = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => inside(() => test.app.get(TenantDb).transaction(work));
const sql = (text: string, values: unknown[] = []): Promise<unknown> => within((tx) => tx.query(text, values));
/** A statement that is run outside of the application. */
const outside = (text: string): string => text.replaceAll('{tenant}', `"${tenant.schemaName}"`);
const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

async function sellAlso(eventId: string, priceId: string): Promise<void> {
  await sql('insert into event_product select $1, product_id from price where id = $2', [eventId, priceId]);
}

describe('booking while the event or its prices change', () => {
  it('answers that the event does not exist when it is deleted', async () => {
    const event = await newEvent(test, tenant);
    const answer = await test.database.race(outside('delete from {tenant}.event where id = $1'), [event.id], () =>
      outcome(book(test, tenant, event)),
    );
    expect(answer).toMatchObject({ field: 'eventId' });
  });

  it('answers that the price does not exist when it is deleted', async () => {
    const event = await newEvent(test, tenant);
    const answer = await test.database.race(outside('delete from {tenant}.price where id = $1'), [event.priceId], () =>
      outcome(book(test, tenant, event)),
    );
    expect(answer).toMatchObject({ field: 'tickets.0.priceId' });
  });

  it('sells nothing while the event is unpublished, and no more than the new maximum', async () => {
    const event = await newEvent(test, tenant);
    const unpublish = outside('update {tenant}.event set published = false where id = $1');
    expect(await test.database.race(unpublish, [event.id], () => outcome(book(test, tenant, event)))).toMatchObject({
      reason: 'event_not_published',
    });
    const other = await newEvent(test, tenant);
    const limit = outside('update {tenant}.event set max_per_user = 1 where id = $1');
    expect(await test.database.race(limit, [other.id], () => outcome(book(test, tenant, other, { quantity: 2 })))).toMatchObject({
      reason: 'limit_per_user',
    });
  });

  it('sells nothing more when capacity or stock are lowered below the number sold', async () => {
    const event = await newEvent(test, tenant, { capacity: 5 });
    await book(test, tenant, event, { quantity: 3 });
    const lower = outside('update {tenant}.event set capacity = 2 where id = $1');
    const answer = await test.database.race(lower, [event.id], () => outcome(book(test, tenant, event)));
    expect(answer).toMatchObject({ reason: 'sold_out', facts: { remaining: [{ remaining: 0 }] } });
    await inside(() => test.app.get(EventsService).update(event.id, { capacity: 50 }));
    const cut = outside('update {tenant}.price set stock = 1 where id = $1');
    const refused = await test.database.race(cut, [event.priceId], () => outcome(book(test, tenant, event)));
    expect(refused).toMatchObject({ reason: 'sold_out', facts: { remaining: [{ remaining: 0 }] } });
  });

  it('avoids deadlocks when prices are bought in opposite order', async () => {
    const [one, two] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    await sellAlso(one.id, two.priceId);
    await sellAlso(two.id, one.priceId);
    const prices = [one.priceId, two.priceId];
    const answers = await Promise.allSettled(
      Array.from({ length: 16 }, (_, index) =>
        book(test, tenant, index % 2 ? one : two, {
          tickets: (index % 4 < 2 ? prices : prices.toReversed()).map((priceId) => ({ priceId, quantity: 1 })),
        }),
      ),
    );
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
    expect(refused).toEqual([]);
  });
});

describe('expired holds', () => {
  it('take no places, even when a request needs exactly the remaining ones', async () => {
    const [here, there] = [await newEvent(test, tenant, { capacity: 2 }), await newEvent(test, tenant)];
    const priceId = await newPrice(test, tenant, there.id, { stock: 2 }, 'T');
    await sellAlso(here.id, priceId);
    await book(test, tenant, { id: there.id, priceId }, { quantity: 2 });
    await letHoldsLapse(test, tenant);
    expect(await book(test, tenant, { id: here.id, priceId }, { quantity: 2 })).toMatchObject({ status: 'R' });
  });

  it('report what is left of a stock without the refused reservation itself', async () => {
    const event = await newEvent(test, tenant, { capacity: 3 });
    const few = await newPrice(test, tenant, event.id, { stock: 1 });
    const tickets = [event.priceId, few].map((priceId) => ({ priceId, quantity: priceId === few ? 2 : 1 }));
    expect(await outcome(book(test, tenant, event, { tickets }))).toMatchObject({
      reason: 'sold_out',
      facts: { remaining: [{ remaining: 3 }, { remaining: 1 }] },
    });
  });

  it('do not exceed the maximum per person when they expire while their confirmation waits', async () => {
    const event = await newEvent(test, tenant, { maxPerUser: 1 });
    const held = await book(test, tenant, event, { email: 'both@example.org' });
    await sql(`update reservation set expires_at = clock_timestamp() + interval '100 ms' where id = $1`, [held.id]);
    // Another seller sells the same person a ticket; it starts after the confirmation and commits before it.
    const sale = outside(`
      with counted as (update {tenant}.event set booked = booked + 1 where id = $1),
        sold as (update {tenant}.event_price set sold = sold + 1 where event_id = $1 and price_id = $2),
        made as (insert into {tenant}.reservation (id, event_id, email, email_key, status)
          values (gen_random_uuid(), $1, 'both@example.org', 'both@example.org', 'V') returning id)
      insert into {tenant}.ticket (reservation_id, event_id, price_id, status, signing_key_id) select id, $1, $2, 'K', 1 from made`);
    const answer = await test.database.race(sale, [event.id, event.priceId], () => outcome(inside(() => changes().confirm(held.id))));
    expect(answer).toMatchObject({ reason: 'limit_per_user' });
  });

  it('stay confirmed when the confirmation follows a refusal of the holder', async () => {
    const event = await newEvent(test, tenant, { capacity: 1 });
    const priceId = await newPrice(test, tenant, event.id, { amount: '0' });
    const held = await book(test, tenant, { id: event.id, priceId });
    await letHoldsLapse(test, tenant);
    await book(test, tenant, event, { confirmed: true });
    const waiting = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
    const lock = outside('select 1 from {tenant}.event where id = $1 for no key update');
    const [, , confirmed] = await test.database.race(lock, [event.id], async () => {
      const verified = inside(() => changes().verify(held.id));
      await waiting();
      const enlarged = sql('update event set capacity = 2 where id = $1', [event.id]);
      await waiting();
      return Promise.all([verified, enlarged, outcome(inside(() => changes().confirm(held.id)))]);
    });
    const status = confirmed instanceof Error ? 'C' : 'FA';
    expect(await inside(() => test.app.get(ReservationsService).find(held.id))).toMatchObject({ status });
  });

  it('are remembered as verified, even when the holder was too late', async () => {
    const event = await newEvent(test, tenant, { capacity: 1 });
    const priceId = await newPrice(test, tenant, event.id, { amount: '0' });
    const held = await book(test, tenant, { id: event.id, priceId }, { email: 'late.but@example.org' });
    await letHoldsLapse(test, tenant);
    const other = await book(test, tenant, event, { confirmed: true });
    expect(await inside(() => changes().verify(held.id))).toMatchObject({ status: 'C', cancelReason: 'too_late' });
    await inside(() => changes().cancel(other.id, { reason: 'staff' }));
    const again = await book(test, tenant, { id: event.id, priceId }, { email: 'late.but@example.org' });
    expect(again).toMatchObject({ status: 'FA' });
  });
});

describe('memberships', () => {
  /** A pending membership whose time to pay has expired. */
  async function lapsed(priceId: string, email: string): Promise<string> {
    const { id } = await inside(() => test.app.get(MembershipsService).create({ priceId, email, paymentMethod: 'offered' }));
    await sql(`update membership set status = 'pending', expires_at = now() - interval '1 second' where id = $1`, [id]);
    return id;
  }
  const membershipPrice = async (more: object): Promise<string> => {
    const product = await inside(() => test.app.get(ProductsService).create({ name: crypto.randomUUID(), category: 'A' }));
    const price = { productId: product.id, name: 'Yearly', amount: '20', subscriptionType: 'Y' as const, ...more };
    return (await inside(() => test.app.get(PricesService).create(price))).id;
  };
  const activate = (id: string): Promise<unknown> =>
    outcome(within(async (tx) => test.app.get(MembershipsService).activate(tx, (await lockMembership(tx, id))!)));
  const create = (priceId: string, email: string): Promise<unknown> =>
    outcome(inside(() => test.app.get(MembershipsService).create({ priceId, email, paymentMethod: 'offered' })));

  it('paid late do not exceed the maximum per person', async () => {
    const priceId = await membershipPrice({ maxPerUser: 1 });
    const late = await lapsed(priceId, 'ada@example.org');
    expect(await create(priceId, 'ada@example.org')).toMatchObject({ status: 'active' });
    expect(await activate(late)).toMatchObject({ reason: 'limit_per_user' });
  });

  it('replace an expired one only while stock is left', async () => {
    const priceId = await membershipPrice({ stock: 2 });
    await lapsed(priceId, 'one@example.org');
    await create(priceId, 'two@example.org');
    await inside(() => test.app.get(PricesService).update(priceId, { stock: 1 }));
    expect(await create(priceId, 'three@example.org')).toMatchObject({ reason: 'sold_out' });
    await inside(() => test.app.get(PricesService).update(priceId, { stock: 2 }));
    expect(await create(priceId, 'three@example.org')).toMatchObject({ status: 'active' });
  });

  it('paid late replace another expired one', async () => {
    const priceId = await membershipPrice({ stock: 1 });
    const late = await lapsed(priceId, 'one@example.org');
    await create(priceId, 'two@example.org');
    await sql(`update membership set status = 'pending', expires_at = now() - interval '1 second' where email = 'two@example.org'`);
    expect(await activate(late)).toBeUndefined();
  });
});

describe('repairing counters', () => {
  it('waits for running transactions that change the counters', async () => {
    const event = await newEvent(test, tenant);
    const sold = await book(test, tenant, event, { quantity: 3, confirmed: true });
    await sql('update event set booked = 40 where id = $1', [event.id]);
    const client = new (await import('pg')).default.Client({ connectionString: await test.database.urlOf(tenant) });
    await client.connect();
    await client.query('begin');
    await client.query(outside('select 1 from {tenant}.event where id = $1 for no key update'), [event.id]);
    const repair = inside(() => test.app.get(AuditService).repair());
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.query(outside(`update {tenant}.ticket set status = 'R', line_id = null where id = $1`), [sold.tickets[0]!.id]);
    await client.query(outside('update {tenant}.event set booked = booked - 1 where id = $1'), [event.id]);
    await client.query(outside('update {tenant}.event_price set sold = sold - 1 where event_id = $1'), [event.id]);
    await client.query('commit');
    await client.end();
    expect(await repair).toMatchObject([{ kind: 'event', id: event.id, counted: 39, rows: 2 }]);
  });
});
