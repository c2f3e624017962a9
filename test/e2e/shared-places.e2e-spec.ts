import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CounterSalesService, RefusedSalePart } from '#selling';
import { AuditService, OnSaleService, ReservationChangesService, SeriesPoolsService } from '#tickets';
import { EventsService, SeriesService } from '#catalogue';
import { JobsService } from '#jobs';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { book, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { completeCart, newCart } from '../support/carts.js';
import { eventually } from '../support/eventually.js';
import { complete, endHold, hold } from '../support/drafts.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WaitingLists } from '../support/waiting-list.js';
import { ownPart } from '../support/own-part.js';

let test: TestApp;
let tenant: TenantIdentity;
let lists: WaitingLists;
const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', DATABASE_POOL_SIZE: '24', DATABASE_WAIT_MS: '20000' } });
  tenant = await test.newTenant();
  lists = new WaitingLists(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

interface Night {
  readonly id: string;
  readonly slug: string;
  readonly priceId: string;
}

const soldOut = { reason: 'sold_out' };
const together = { reason: 'sold_out', facts: { isShared: true } };
const pools = (): SeriesPoolsService => test.app.get(SeriesPoolsService);
const setCapacity = (seriesId: string, capacity: number | null): Promise<boolean> => inside(() => pools().setCapacity(seriesId, capacity));
const sell = (date: Night, quantity = 1): Promise<{ id: string }> => book(test, tenant, date, { quantity, confirmed: true });
const cancel = (id: string): Promise<unknown> => inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
const counted = async (seriesId: string): Promise<number> =>
  (await sql<{ booked: number }>('select booked from event_series where id = $1', [seriesId]))[0]!.booked;
const left = async ({ id }: Night): Promise<number> => (await inside(() => test.app.get(OnSaleService).sale(id)))!.event.remaining;
const runList = (eventId: string): Promise<void> =>
  inside(() => test.app.get(JobsService).workOf('waiting-list')(eventId, { number: 1, isLast: false }));

async function newSeries(capacity: number | null): Promise<string> {
  const [row] = await sql<{ id: string }>(`insert into event_series (name, slug) values ('Entry times', $1) returning id`, [randomUUID()]);
  if (capacity !== null) await setCapacity(row!.id, capacity);
  return row!.id;
}

/** A date with one free price. */
async function newDate(seriesId: string | null, capacity = 50): Promise<Night> {
  const { id, slug } = await newEvent(test, tenant, { capacity, seriesId });
  return { id, slug, priceId: await newPrice(test, tenant, id, { amount: '0.00' }) };
}

/** A series whose dates share places. */
async function newDates(capacity: number, count: number, own?: number): Promise<{ seriesId: string; dates: Night[] }> {
  const seriesId = await newSeries(capacity);
  const dates: Night[] = [];
  for (let index = 0; index < count; index += 1) dates.push(await newDate(seriesId, own));
  return { seriesId, dates };
}

/** Deadlocks so far, of connections that have reported. */
async function deadlocks(): Promise<number> {
  await test.database.query('select pg_stat_force_next_flush()');
  const [row] = await test.database.query<{ count: number }>(
    'select deadlocks::int as count from pg_stat_database where datname = current_database()',
  );
  return row!.count;
}

it('sells a date up to its own capacity, and all dates up to the places that they share', async () => {
  const { seriesId, dates } = await newDates(5, 2, 3);
  const [one, two] = dates as [Night, Night];
  await sell(one, 3);
  const own = await outcome(sell(one));
  expect(own).toMatchObject(soldOut);
  expect(own).not.toMatchObject(together);
  expect(String(own)).toContain('Not enough places are left.');
  expect(await left(two)).toBe(2);
  const refused = await outcome(sell(two, 3));
  expect(refused).toMatchObject({ ...together, facts: { remaining: [{ remaining: 2 }] } });
  expect(String(refused)).toContain('share their places');
  await sell(two, 2);
  expect(await outcome(hold(test, tenant, two))).toMatchObject(together);
  expect([await counted(seriesId), await left(one), await left(two)]).toEqual([5, 0, 0]);
  const alone = await newDate(null, 1);
  await sell(alone);
});

// Seen to sell more than ten without the series in `openPlacesSql`, and without its lock in `lockEventsSql`.
it('never sells more than they share, to any number of simultaneous buyers of all dates', async () => {
  const { seriesId, dates } = await newDates(10, 3);
  const answers = await Promise.all(
    crowd(50, (index) => outcome(index % 2 === 0 ? sell(dates[index % 3]!) : hold(test, tenant, dates[index % 3]!))),
  );
  const refused = answers.filter((answer) => answer instanceof Error);
  for (const error of refused) expect(error).toMatchObject(soldOut);
  expect(answers.length - refused.length).toBe(10);
  expect(await counted(seriesId)).toBe(10);
});

it('decides between two buyers of two dates who both saw the last place', async () => {
  const { seriesId, dates } = await newDates(1, 2);
  const lock = `select 1 from "${tenant.schemaName}".event_series where id = $1 for update`;
  const answers = await test.database.race(lock, [seriesId], () => Promise.all(dates.map((date) => outcome(sell(date)))));
  expect(answers.filter((answer) => answer instanceof Error)).toEqual([expect.objectContaining(soldOut)]);
});

// Seen to end in deadlocks without `lockEvents` in counter-sales.service.ts.
it('sells carts and orders of the box office with several dates, in any order, without deadlocks', async () => {
  const { seriesId, dates } = await newDates(30, 3);
  const before = await deadlocks();
  const counter = (chosen: readonly Night[]): Promise<unknown> =>
    inside(() =>
      test.app.get(CounterSalesService).sell({
        memberships: [],
        reservations: chosen.map(({ id, priceId }) => ({
          eventId: id,
          email: `${randomUUID()}@example.org`,
          tickets: [{ priceId, quantity: 1 }],
          origin: 'panel' as const,
          paymentMethod: 'cash' as const,
        })),
      }),
    );
  const answers = await Promise.all(
    crowd(24, (index) => {
      const chosen = index % 2 === 0 ? dates : dates.toReversed();
      return outcome(index % 3 === 0 ? sell(dates[(index / 3) % 3]!) : counter(chosen));
    }),
  );
  for (const answer of answers)
    if (answer instanceof Error) expect(answer).toMatchObject(answer instanceof RefusedSalePart ? { cause: soldOut } : soldOut);
  expect(await deadlocks()).toBe(before);
  // An order of three that comes last can leave up to two places.
  const taken = await counted(seriesId);
  expect([28, 29, 30]).toContain(taken);
});

it('completes a cart with several dates whose holds have ended, as far as places are left', async () => {
  const { seriesId, dates } = await newDates(4, 3);
  const third = dates[2]!;
  const carts = [await newCart(test, tenant, dates.slice(0, 2)), await newCart(test, tenant, dates.slice(0, 2).toReversed())];
  await sql(`update reservation set expires_at = now() - interval '1 second' where cart_id = any($1)`, [carts]);
  // The places of all holds are free for other dates at once.
  expect(await left(third)).toBe(4);
  const before = await deadlocks();
  const [completed] = await Promise.all([completeCart(test, tenant, carts[0]!), sell(third), sell(third)]);
  expect(completed.parts.map(({ status }) => status)).toEqual(['F', 'F']);
  expect(await outcome(completeCart(test, tenant, carts[1]!))).toMatchObject({ cause: together });
  expect([await counted(seriesId), await bookedOf(third.id), await deadlocks()]).toEqual([4, 2, before]);
});

it('counts expired holds of other dates as free, and gives back what is cancelled', async () => {
  const { seriesId, dates } = await newDates(2, 2);
  const [one, two] = dates as [Night, Night];
  const held = await hold(test, tenant, one, { quantity: 2 });
  expect(await outcome(sell(two))).toMatchObject(together);
  await endHold(test, tenant, held);
  expect(await left(two)).toBe(2);
  const sale = await sell(two, 2);
  expect([await bookedOf(one.id), await counted(seriesId)]).toEqual([0, 2]);
  expect(await outcome(complete(test, tenant, held))).toMatchObject(soldOut);
  await cancel(sale.id);
  await sell(one, 2);
});

it('counts when dates join, leave and change places, and when the places change', async () => {
  const seriesId = await newSeries(null);
  const [one, two] = [await newDate(seriesId), await newDate(null)];
  await sell(one, 2);
  await sell(two, 3);
  expect(await counted(seriesId)).toBe(0);
  await setCapacity(seriesId, 4);
  expect(await counted(seriesId)).toBe(2);
  const events = test.app.get(EventsService);
  await inside(() => events.update(two.id, { seriesId }));
  expect(await counted(seriesId)).toBe(5);
  expect(await outcome(sell(one))).toMatchObject(together);
  const other = await newSeries(9);
  await inside(() => events.update(one.id, { seriesId: other }));
  expect([await counted(seriesId), await counted(other)]).toEqual([3, 2]);
  await sell(two);
  await setCapacity(seriesId, 1);
  expect(await outcome(sell(two))).toMatchObject(together);
  expect(await bookedOf(two.id)).toBe(4);
  await setCapacity(seriesId, null);
  await sell(two);
  expect(await counted(seriesId)).toBe(0);
  await sql('delete from event_series where id = $1', [other]);
  await sell(one);
  expect(await setCapacity(other, 3)).toBe(false);
  await expect(setCapacity(seriesId, -1)).rejects.toMatchObject({ field: 'capacity' });
});

// Seen to miss sales without the lock of the table in series-pools.service.ts.
it('counts a sale that runs while dates begin to share places', async () => {
  const seriesId = await newSeries(null);
  const [one, two] = [await newDate(seriesId), await newDate(seriesId)];
  for (let round = 0; round < 5; round += 1) {
    await setCapacity(seriesId, null);
    await Promise.all([setCapacity(seriesId, 6), ...crowd(6, (index) => outcome(sell(index % 2 === 0 ? one : two)))]);
  }
  expect(await counted(seriesId)).toBe((await bookedOf(one.id)) + (await bookedOf(two.id)));
});

it('finds and repairs a counter that is wrong', async () => {
  const { seriesId, dates } = await newDates(5, 2);
  await sell(dates[0]!, 2);
  await sql('update event_series set booked = 4 where id = $1', [seriesId]);
  const audit = test.app.get(AuditService);
  const wrong = [{ kind: 'event_series', id: seriesId, eventId: null, name: 'Entry times', counted: 4, rows: 2 }];
  expect(await inside(() => audit.drifts())).toEqual(wrong);
  expect(await inside(() => audit.repair())).toEqual(wrong);
  expect(await counted(seriesId)).toBe(2);
});

it('shows dates as sold out on their pages when the shared places are taken', async () => {
  const { dates } = await newDates(1, 2);
  const page = async ({ slug }: Night): Promise<string> => ownPart((await test.on(tenant).get(`/event/${slug}/`).expect(200)).text);
  expect(await page(dates[1]!)).not.toContain('Sold out');
  const other = await newDates(1, 2);
  await sell(other.dates[0]!);
  expect(await page(other.dates[1]!)).toContain('Sold out');
});

// Seen to sell to others first without the second half of `waitedForSql`.
it('offers a place that one date gives back to who waits for another, before others, and never more than there are', async () => {
  const { seriesId, dates } = await newDates(2, 3);
  const [one, two, three] = dates as [Night, Night, Night];
  const sales = [await sell(one), await sell(one)];
  const first = await lists.wait(two);
  const second = await lists.wait(three);
  await lists.wait(three);
  await cancel(sales[0]!.id);
  // People who wait come first, at every date.
  expect(await outcome(sell(one))).toMatchObject(soldOut);
  await Promise.all([runList(two.id), runList(three.id), runList(one.id)]);
  expect([...(await lists.states(two.id)), ...(await lists.states(three.id))].filter((state) => state === 'offered')).toHaveLength(1);
  expect(await counted(seriesId)).toBe(2);
  await cancel(sales[1]!.id);
  await Promise.all([runList(two.id), runList(three.id)]);
  const offered = [...(await lists.rows(two.id)), ...(await lists.rows(three.id))].filter(({ status }) => status === 'offered');
  expect(offered).toHaveLength(2);
  expect(await counted(seriesId)).toBe(2);
  // An offer that ends frees its place for the lists of all dates.
  await endHold(test, tenant, offered[0]!.reservationId!);
  await Promise.all([runList(two.id), runList(three.id)]);
  const states = [...(await lists.states(two.id)), ...(await lists.states(three.id))];
  expect(states.filter((state) => state === 'offered')).toHaveLength(2);
  expect(states.filter((state) => state === 'waiting')).toHaveLength(0);
  expect([first, second].every(Boolean)).toBe(true);
});

it('wakes the lists of all dates when the shared places become more', async () => {
  const { seriesId, dates } = await newDates(1, 2);
  const [one, two] = dates as [Night, Night];
  await sell(one);
  await lists.wait(two);
  await sql(`delete from shared.job where kind = 'waiting-list'`);
  await setCapacity(seriesId, 2);
  expect(await sql(`select subject_id as id from shared.job where kind = 'waiting-list'`)).toEqual([{ id: two.id }]);
  await runList(two.id);
  expect(await lists.states(two.id)).toEqual(['offered']);
});

it('lets changes of several dates wait for the first one in the order of ids, holding none of the others', async () => {
  const { dates } = await newDates(4, 2);
  const [low, high] = [dates[0]!.id, dates[1]!.id].toSorted() as [string, string];
  await sql(`update event set starts_at = starts_at - interval '1 hour' where id = $1`, [high]);
  const held = await inside(() =>
    test.app.get(TenantDb).transaction(async (tx) => {
      await tx.query('select 1 from event where id = $1 for no key update', [low]);
      const changed = inside(() => test.app.get(SeriesService).changeFrom(high, { change: { name: 'Later' } }));
      await eventually(async () => expect(await test.database.waiting()).toBe(1));
      await tx.query('select 1 from event where id = $1 for no key update nowait', [high]);
      return { changed };
    }),
  );
  expect(await held.changed).toHaveLength(2);
});
