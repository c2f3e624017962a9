import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BookingsService, type NewReservation } from '#selling';
import { OnSaleService, ReservationChangesService, type WholeReservation } from '#tickets';
import { EventCopiesService, EventsService, PricesService, ProductsService, type NewPrice, type ProductCategory } from '#catalogue';
import { ApiKeysService, type TenantIdentity } from '#tenancy';
import { book, crowd, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));
const won = <Result>(answers: readonly PromiseSettledResult<Result>[]): Result[] =>
  answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
const bookLines = (
  eventId: string,
  lines: Readonly<Record<string, number>>,
  more: Partial<NewReservation> = {},
): Promise<WholeReservation> => {
  const tickets = Object.entries(lines).map(([priceId, quantity]) => ({ priceId, quantity }));
  return book(test, tenant, { id: eventId, priceId: '' }, { tickets, confirmed: true, ...more });
};
/** A price of a new product that is sold for several events. */
async function sharedPrice(events: readonly { id: string }[], price: Partial<NewPrice>, category: ProductCategory): Promise<string> {
  const [first, ...others] = events;
  const priceId = await newPrice(test, tenant, first!.id, price, category);
  for (const { id } of others) await sql('insert into event_product select $1, product_id from price where id = $2', [id, priceId]);
  return priceId;
}

describe('the stock of an admission price', () => {
  it('limits each event separately, with any number of simultaneous buyers', async () => {
    const events = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const priceId = await sharedPrice(events, { stock: 7 }, 'B');
    const answers = await Promise.allSettled(crowd(60, (index) => book(test, tenant, { id: events[index % 2]!.id, priceId })));
    const sold = won(answers).map(({ eventId }) => eventId);
    expect(events.map(({ id }) => sold.filter((eventId) => eventId === id).length)).toEqual([7, 7]);
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    for (const reason of refused) expect(reason).toMatchObject({ reason: 'sold_out', facts: { remaining: [{ remaining: 0 }] } });
  });

  it('is not exceeded by buyers who all saw the last ticket', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { stock: 1 });
    const lock = `select 1 from "${tenant.schemaName}".event where id = $1 for update`;
    const answers = await test.database.race(lock, [event.id], () =>
      Promise.allSettled(Array.from({ length: 5 }, () => book(test, tenant, { id: event.id, priceId }))),
    );
    expect(won(answers)).toHaveLength(1);
  });

  it('is complete in a copy of the event', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { stock: 2 });
    await book(test, tenant, { id: event.id, priceId }, { quantity: 2 });
    expect(await outcome(book(test, tenant, { id: event.id, priceId }))).toMatchObject({ reason: 'sold_out' });
    const copy = await inside(() => test.app.get(EventCopiesService).copy(event.id, { step: 'week' }));
    await inside(() => test.app.get(EventsService).update(copy!.id, { published: true }));
    const remaining = async (id: string): Promise<unknown> =>
      (await inside(() => test.app.get(OnSaleService).sale(id)))!.prices.find((price) => price.id === priceId)!.remaining;
    expect([await remaining(event.id), await remaining(copy!.id)]).toEqual([0, 2]);
    expect(await book(test, tenant, { id: copy!.id, priceId }, { quantity: 2 })).toMatchObject({ eventId: copy!.id });
  });

  it('is returned by cancellations of one ticket or all, and by expired holds', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { stock: 3 });
    const changes = test.app.get(ReservationChangesService);
    const sold = await book(test, tenant, { id: event.id, priceId }, { quantity: 3, confirmed: true });
    await inside(() => changes.cancelTicket(sold.tickets[0]!.id, { reason: 'staff' }));
    await book(test, tenant, { id: event.id, priceId });
    await inside(() => changes.cancel(sold.id, { reason: 'staff' }));
    await letHoldsLapse(test, tenant);
    expect(await book(test, tenant, { id: event.id, priceId }, { quantity: 3 })).toMatchObject({ status: 'R' });
  });

  it('is shown on the public page', async () => {
    const [event, other] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const priceId = await sharedPrice([event, other], { stock: 1, name: 'Balcony' }, 'B');
    await book(test, tenant, { id: event.id, priceId }, { confirmed: true });
    const page = async ({ id, slug }: { id: string; slug: string }): Promise<string> =>
      (
        await test
          .on(tenant)
          .get(`/event/${slug || id}/`)
          .expect(200)
      ).text;
    expect(await page(event)).toContain('Sold out');
    expect(await page(other)).not.toContain('Sold out');
  });
});

describe('goods', () => {
  it('take stock but no place: they are sold when the event is full', async () => {
    const event = await newEvent(test, tenant, { capacity: 1, maxPerUser: 1 });
    const shirt = await newPrice(test, tenant, event.id, { stock: 5 }, 'T');
    const sold = await bookLines(event.id, { [event.priceId]: 1, [shirt]: 2 });
    expect(sold.tickets.map(({ admission }) => admission)).toEqual([true, false, false]);
    expect(await bookedOf(event.id)).toBe(1);
    expect(await outcome(bookLines(event.id, { [event.priceId]: 1 }))).toMatchObject({ reason: 'sold_out' });
    await bookLines(event.id, { [shirt]: 3 });
    expect(await outcome(bookLines(event.id, { [shirt]: 1 }))).toMatchObject({
      reason: 'sold_out',
      facts: { remaining: [{ priceId: shirt, remaining: 0 }] },
    });
    const sale = await inside(() => test.app.get(OnSaleService).sale(event.id));
    expect(sale!.prices.map(({ id, remaining, admits }) => ({ id, remaining, admits }))).toEqual([
      { id: event.priceId, remaining: 0, admits: true },
      { id: shirt, remaining: 0, admits: false },
    ]);
    await inside(() => test.app.get(ReservationChangesService).cancelTicket(sold.tickets[1]!.id, { reason: 'staff' }));
    await bookLines(event.id, { [shirt]: 1 });
  });

  it('are never sold twice over several simultaneous events, in any order', async () => {
    const events = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const [shirt, poster] = [await sharedPrice(events, { stock: 7 }, 'T'), await sharedPrice(events, { stock: 9 }, 'M')];
    const answers = await Promise.allSettled(
      crowd(40, (index) => {
        const { id, priceId } = events[index % 2]!;
        const lines = { [priceId]: 1, [shirt]: 1, [poster]: 1 };
        return bookLines(id, index % 4 < 2 ? lines : Object.fromEntries(Object.entries(lines).toReversed()));
      }),
    );
    expect(won(answers)).toHaveLength(7);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ reason: 'sold_out' });
    expect(await Promise.all(events.map(({ id }) => bookedOf(id)))).toEqual([
      won(answers).filter(({ eventId }) => eventId === events[0]!.id).length,
      won(answers).filter(({ eventId }) => eventId === events[1]!.id).length,
    ]);
  });

  it('of an expired hold are available in every event', async () => {
    const events = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const shirt = await sharedPrice(events, { stock: 2 }, 'T');
    await bookLines(events[0]!.id, { [shirt]: 2 }, { confirmed: false });
    expect(await outcome(bookLines(events[1]!.id, { [shirt]: 1 }))).toMatchObject({ reason: 'sold_out' });
    await letHoldsLapse(test, tenant);
    await bookLines(events[1]!.id, { [shirt]: 2 });
  });

  it('do not count as tickets of the day or towards the maximum per person of an event', async () => {
    const event = await newEvent(test, tenant, { maxPerUser: 1, startsAt: new Date() });
    const shirt = await newPrice(test, tenant, event.id, {}, 'T');
    const sold = await bookLines(event.id, { [event.priceId]: 1, [shirt]: 1 }, { email: 'one@example.org' });
    await bookLines(event.id, { [shirt]: 1 }, { email: 'one@example.org' });
    const wanted = { name: 'Shop', scopes: ['ticket:read'] as const };
    const { key } = await inside(() => test.app.get(ApiKeysService).createIntegrationKey(wanted));
    const { body } = await test.on(tenant).get('/api/ticket/').set('Authorization', `Api-Key ${key}`).expect(200);
    const today = (body as { uuid: string }[]).map(({ uuid }) => uuid);
    expect(today).toContain(sold.tickets[0]!.id);
    expect(today).not.toContain(sold.tickets[1]!.id);
  });
});

describe('memberships', () => {
  it('are not lines of a reservation and are not linked to an event', async () => {
    const event = await newEvent(test, tenant);
    const product = await inside(() => test.app.get(ProductsService).create({ name: 'Member', category: 'A' }));
    const { id } = await inside(() => test.app.get(PricesService).create({ productId: product.id, name: 'Yearly', amount: '20' }));
    const link = (): Promise<unknown> => outcome(inside(() => test.app.get(EventsService).sell(event.id, [product.id])));
    expect(await link()).toMatchObject({ field: 'productIds', ids: [product.id] });
    const related = { name: 'Other', category: 'A', eventIds: [event.id] } as const;
    expect(await outcome(inside(() => test.app.get(ProductsService).create(related)))).toMatchObject({ field: 'eventIds' });
    expect(
      await outcome(
        inside(() =>
          test.app
            .get(BookingsService)
            .book({ eventId: event.id, email: 'ada@example.org', tickets: [{ priceId: id, quantity: 1 }], origin: 'api' }),
        ),
      ),
    ).toMatchObject({ field: 'tickets.0.priceId' });
  });

  it('cannot be created from products of an event, and sold products keep their kind', async () => {
    const event = await newEvent(test, tenant);
    const [price] = await sql<{ id: string }>('select product_id as id from price where id = $1', [event.priceId]);
    const become = (category: ProductCategory): Promise<unknown> =>
      outcome(inside(() => test.app.get(ProductsService).update(price!.id, { category })));
    expect(await become('A')).toMatchObject({ field: 'category' });
    expect(await become('F')).toMatchObject({ category: 'F' });
    expect(await become('T')).toMatchObject({ category: 'T' });
    expect(await become('B')).toMatchObject({ category: 'B' });
    await book(test, tenant, event);
    expect(await become('T')).toMatchObject({ field: 'category' });
  });
});
