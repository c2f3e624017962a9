import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BookingsService, DraftsService } from '#selling';
import { CodesService, ReservationChangesService, SeriesPoolsService, type CountedCode, type NewCode } from '#tickets';
import { EventsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { book, crowd, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { complete } from '../support/drafts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  // Sales of many events at once, which wait for one another only where they use the same code.
  test = await startTestApp({ environment: { DATABASE_POOL_SIZE: '24', DATABASE_WAIT_MS: '20000' } });
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  inside(() => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));
const codes = (): CodesService => test.app.get(CodesService);
const newCode = (input: Partial<NewCode> = {}): Promise<CountedCode> =>
  inside(() => codes().create({ code: `C${randomUUID().slice(0, 8)}`, effect: 'percent', value: '10', ...input }));
const found = async ({ id }: CountedCode): Promise<CountedCode> => (await inside(() => codes().find(id))) as CountedCode;
const change = (id: string, input: Partial<NewCode>): Promise<unknown> => inside(() => codes().update(id, input));
const eventAt = (price: string, capacity = 100) =>
  newEvent(test, tenant, { capacity }).then(async (event) => ({
    id: event.id,
    priceId: await newPrice(test, tenant, event.id, { amount: price }),
  }));
/** Many events, because the sales of one wait for one another anyway. */
const eventsAt = (price: string, capacity?: number) => Promise.all(Array.from({ length: 10 }, () => eventAt(price, capacity)));
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const refused = (reason: string): unknown => expect.objectContaining({ reason, field: 'code' });
const hold = (event: { id: string; priceId: string }, code: string, quantity = 1, own = '192.0.2.1'): Promise<string> =>
  inside(() =>
    test.app
      .get(DraftsService)
      .hold({ eventId: event.id, lines: [{ priceId: event.priceId, quantity }], options: [], code }, { own, site: null }),
  );

describe('a code', () => {
  it('reduces the line of the order, its VAT, the tickets and what is due', async () => {
    const event = await eventAt('10.00');
    const code = await newCode({ value: '33.33', priceIds: [event.priceId] });
    const reservation = await book(test, tenant, event, { code: code.code, quantity: 3, confirmed: true });
    expect(reservation.amount).toBe('19.98');
    expect(reservation.tickets.map(({ amount }) => amount)).toEqual(['6.66', '6.66', '6.66']);
    expect(
      await sql('select quantity, unit_amount::text as unit, amount::text from order_line where reservation_id = $1', [reservation.id]),
    ).toEqual([{ quantity: 3, unit: '6.66', amount: '19.98' }]);
    expect(await sql('select amount::text, status from payment where order_id = $1', [reservation.id])).toEqual([
      { amount: '19.98', status: 'paid' },
    ]);
    expect(await found(code)).toMatchObject({ uses: 3, spent: '10.02' });
  });

  it('makes tickets free, which are booked without a payment', async () => {
    const event = await eventAt('10.00');
    const code = await newCode({ effect: 'price', value: '0' });
    expect(await book(test, tenant, event, { code: code.code })).toMatchObject({ status: 'F', amount: '0.00', payments: [] });
  });

  it('says why it cannot be used', async () => {
    const event = await eventAt('10.00');
    const other = await eventAt('10.00');
    const use = (input: Partial<NewCode>) => newCode(input).then(({ code }) => refusal(book(test, tenant, event, { code })));
    const hour = 3_600_000;
    expect(await refusal(book(test, tenant, event, { code: 'NOSUCHCODE' }))).toEqual(refused('code_unknown'));
    expect(await use({ disabled: true })).toEqual(refused('code_unknown'));
    expect(await use({ validFrom: new Date(Date.now() + hour) })).toEqual(refused('code_early'));
    expect(await use({ validUntil: new Date(Date.now() - hour) })).toEqual(refused('code_expired'));
    expect(await use({ eventIds: [other.id] })).toEqual(refused('code_elsewhere'));
    expect(await use({ priceIds: [other.priceId] })).toEqual(refused('code_elsewhere'));
    expect(await use({ budget: '0.99' })).toEqual(refused('code_used_up'));
    const twice = await newCode({ maxPerPerson: 2 });
    const person = { code: twice.code, email: 'ada@example.org' };
    await book(test, tenant, event, { ...person, quantity: 1 });
    expect(await refusal(book(test, tenant, event, { ...person, quantity: 2 }))).toMatchObject({
      reason: 'code_limit',
      facts: { mayBook: 1 },
    });
    await book(test, tenant, event, { ...person, quantity: 1 });
    await book(test, tenant, event, { ...person, email: 'bob@example.org', quantity: 2 });
  });

  it('opens a hidden price that it names, which nobody can buy without it', async () => {
    const event = await eventAt('10.00');
    const priceId = await newPrice(test, tenant, event.id, { amount: '3.00', hidden: true });
    const hidden = { id: event.id, priceId };
    const opening = await newCode({ effect: 'none', value: null, priceIds: [priceId] });
    const all = await newCode();
    expect(await refusal(book(test, tenant, hidden))).toMatchObject({ field: 'tickets.0.priceId' });
    expect(await refusal(book(test, tenant, hidden, { code: all.code }))).toMatchObject({ field: 'tickets.0.priceId' });
    expect(await book(test, tenant, hidden, { code: opening.code })).toMatchObject({ amount: '3.00' });
    expect(await found(opening)).toMatchObject({ uses: 1, spent: '0.00' });
  });

  it('is planned anew when it has changed since it was read', async () => {
    const event = await eventAt('10.00');
    const code = await newCode({ value: '10' });
    expect(await book(test, tenant, event, { code: code.code })).toMatchObject({ amount: '9.00' });
    await change(code.id, { value: '50' });
    expect(await book(test, tenant, event, { code: code.code })).toMatchObject({ amount: '5.00' });
    await change(code.id, { disabled: true });
    expect(await refusal(book(test, tenant, event, { code: code.code }))).toEqual(refused('code_unknown'));
  });
});

describe('the uses of a code', () => {
  it('are given to one of fifty parallel bookings when one is left', async () => {
    const events = await eventsAt('10.00');
    const last = await newCode({ maxUses: 1 });
    const answers = await Promise.allSettled(crowd(50, (index) => book(test, tenant, events[index % 10]!, { code: last.code })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toEqual(refused('code_used_up'));
    expect(await found(last)).toMatchObject({ uses: 1 });
  });

  it('are given to one of fifty parallel bookings when one euro of the budget is left', async () => {
    const events = await eventsAt('10.00');
    const last = await newCode({ budget: '1.99' });
    const answers = await Promise.allSettled(crowd(50, (index) => book(test, tenant, events[index % 10]!, { code: last.code })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await found(last)).toMatchObject({ uses: 1, spent: '1.00' });
  });

  it('are given to fifty of a rush when fifty are left, also to those who only hold', async () => {
    const events = await eventsAt('10.00', 500);
    const rush = await newCode({ maxUses: 50 });
    const sell = (index: number): Promise<unknown> => {
      const event = events[index % 10]!;
      return index % 2 ? book(test, tenant, event, { code: rush.code }) : hold(event, rush.code, 1, `192.0.2.${index}`);
    };
    const answers = await Promise.allSettled(crowd(120, sell));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect((await found(rush)).uses).toBe(50);
  });

  it('come back when a hold ends, and with each ticket that is cancelled', async () => {
    const event = await eventAt('10.00');
    const code = await newCode({ maxUses: 2 });
    const first = await book(test, tenant, event, { code: code.code, quantity: 2 });
    expect(await refusal(book(test, tenant, event, { code: code.code }))).toEqual(refused('code_used_up'));
    await letHoldsLapse(test, tenant);
    expect(await found(code)).toMatchObject({ uses: 0, spent: '0.00' });
    const second = await book(test, tenant, event, { code: code.code, quantity: 2, confirmed: true });
    // What has ended cannot be confirmed with uses that others have.
    const changes = test.app.get(ReservationChangesService);
    expect(await refusal(inside(() => changes.confirm(first.id)))).toEqual(refused('code_used_up'));
    await inside(() => changes.cancelTicket(second.tickets[0]!.id, { reason: 'staff' }));
    expect(await found(code)).toMatchObject({ uses: 1 });
    await inside(() => changes.cancel(second.id, { reason: 'staff' }));
    expect(await found(code)).toMatchObject({ uses: 0 });
    expect(await inside(() => changes.confirm(first.id))).toMatchObject({ status: 'V', amount: '18.00' });
    expect(await found(code)).toMatchObject({ uses: 2, spent: '2.00' });
  });

  it('are kept by a hold that is changed, and decided anew', async () => {
    const event = await eventAt('10.00');
    const code = await newCode({ maxUses: 2 });
    const id = await hold(event, code.code);
    const choice = (quantity: number, more: object = { code: code.code }) => ({
      eventId: event.id,
      lines: [{ priceId: event.priceId, quantity }],
      options: [],
      ...more,
    });
    const changed = (quantity: number, more?: object) => inside(() => test.app.get(DraftsService).change(id, choice(quantity, more)));
    expect(await changed(2)).toBe(true);
    expect(await found(code)).toMatchObject({ uses: 2, spent: '2.00' });
    expect(await refusal(changed(3))).toEqual(refused('code_used_up'));
    expect(await found(code)).toMatchObject({ uses: 2 });
    await changed(2, {});
    expect(await found(code)).toMatchObject({ uses: 0 });
  });
});

describe('what is held with a code', () => {
  const changed = (id: string, event: { id: string; priceId: string }, code: string, quantity: number): Promise<boolean> =>
    inside(() =>
      test.app.get(DraftsService).change(id, { eventId: event.id, lines: [{ priceId: event.priceId, quantity }], options: [], code }),
    );

  it('is completed and confirmed after its uses or its budget were lowered, but not after the hold has ended', async () => {
    const event = await eventAt('10.00');
    const free = await newCode({ value: '100', maxUses: 3 });
    const draft = await hold(event, free.code, 2);
    const waiting = await newCode({ budget: '5' });
    const booked = await book(test, tenant, event, { code: waiting.code, quantity: 2 });
    await change(free.id, { maxUses: 1 });
    await change(waiting.id, { budget: '0.50' });
    expect(await complete(test, tenant, draft)).toMatchObject({ status: 'F' });
    const changes = test.app.get(ReservationChangesService);
    await letHoldsLapse(test, tenant);
    expect(await refusal(inside(() => changes.confirm(booked.id)))).toEqual(refused('code_used_up'));
    await change(waiting.id, { budget: '5' });
    const again = await book(test, tenant, event, { code: waiting.code, quantity: 2 });
    await change(waiting.id, { budget: '0.50', disabled: true });
    expect(await inside(() => changes.confirm(again.id))).toMatchObject({ status: 'V', amount: '18.00' });
  });

  it('keeps the code for as many tickets or fewer, and is asked for more', async () => {
    const event = await eventAt('10.00');
    const code = await newCode({ maxUses: 3, budget: '3' });
    const id = await hold(event, code.code, 3);
    await change(code.id, { maxUses: 1, budget: '1' });
    expect(await changed(id, event, code.code, 2)).toBe(true);
    expect(await refusal(changed(id, event, code.code, 3))).toEqual(refused('code_used_up'));
    await change(code.id, { maxUses: null, budget: null, validUntil: new Date(Date.now() - 1000) });
    expect(await changed(id, event, code.code, 1)).toBe(true);
    expect(await refusal(changed(id, event, code.code, 2))).toEqual(refused('code_expired'));
    expect(await found(code)).toMatchObject({ uses: 1, spent: '1.00' });
  });
});

describe('places that a code keeps', () => {
  it('are not sold to tickets of the same order that do not use it', async () => {
    const event = await eventAt('10.00', 5);
    const other = await newPrice(test, tenant, event.id, { amount: '4.00' });
    const code = await newCode({ eventIds: [event.id], priceIds: [event.priceId], reserved: 3 });
    const mixed = (coded: number, open: number) =>
      book(test, tenant, event, {
        code: code.code,
        tickets: [
          { priceId: event.priceId, quantity: coded },
          { priceId: other, quantity: open },
        ],
      });
    expect(await refusal(mixed(1, 3))).toMatchObject({ reason: 'sold_out' });
    await mixed(1, 2);
    expect(await refusal(mixed(1, 1))).toMatchObject({ reason: 'sold_out' });
    const id = await hold(event, code.code, 2);
    const choice = { eventId: event.id, options: [], code: code.code, lines: [{ priceId: event.priceId, quantity: 2 }] };
    expect(await inside(() => test.app.get(DraftsService).change(id, choice))).toBe(true);
    expect(await inside(() => test.app.get(EventsService).find(event.id))).toMatchObject({ booked: 5 });
  });

  it('are of one date: not where dates share theirs', async () => {
    const [event, other] = [await eventAt('10.00'), await eventAt('10.00')];
    const [series] = await sql<{ id: string }>(`insert into event_series (name, slug) values ('Times', $1) returning id`, [randomUUID()]);
    await sql('update event set series_id = $2 where id = any($1)', [[event.id, other.id], series!.id]);
    const share = (capacity: number | null) => inside(() => test.app.get(SeriesPoolsService).setCapacity(series!.id, capacity));
    const code = await newCode({ eventIds: [event.id], reserved: 3 });
    expect(await refusal(share(50))).toMatchObject({ field: 'capacity' });
    await change(code.id, { disabled: true });
    expect(await share(50)).toBe(true);
    expect(await refusal(change(code.id, { disabled: false }))).toMatchObject({ field: 'reserved' });
    expect(await refusal(newCode({ eventIds: [other.id], reserved: 1 }))).toMatchObject({ field: 'reserved' });
  });

  it('are sold to nobody else while it is valid, and to its buyers besides all others', async () => {
    const event = await eventAt('10.00', 5);
    const code = await newCode({ eventIds: [event.id], reserved: 3 });
    expect(await refusal(book(test, tenant, event, { quantity: 3 }))).toMatchObject({
      reason: 'sold_out',
      facts: { remaining: [{ remaining: 2 }] },
    });
    await book(test, tenant, event, { quantity: 2 });
    expect(await refusal(book(test, tenant, event))).toMatchObject({ reason: 'sold_out' });
    await book(test, tenant, event, { quantity: 2, code: code.code });
    expect(await refusal(book(test, tenant, event, { quantity: 2, code: code.code }))).toMatchObject({ reason: 'sold_out' });
    expect(await refusal(book(test, tenant, event))).toMatchObject({ reason: 'sold_out' });
    await change(code.id, { disabled: true });
    await book(test, tenant, event);
  });

  it('are given to neither twice in a rush', async () => {
    const event = await eventAt('10.00', 20);
    const code = await newCode({ eventIds: [event.id], reserved: 8 });
    const answers = await Promise.allSettled(
      crowd(60, (index) => book(test, tenant, event, index % 3 === 0 ? { code: code.code, confirmed: true } : { confirmed: true })),
    );
    const sold = answers.filter(({ status }) => status === 'fulfilled').length;
    expect(sold).toBe(20);
    expect((await found(code)).uses).toBeGreaterThanOrEqual(8);
    expect(await inside(() => test.app.get(EventsService).find(event.id))).toMatchObject({ booked: 20 });
  });
});

describe('a booking without a code', () => {
  it('asks for none', async () => {
    const event = await eventAt('10.00');
    await inside(() =>
      test.app
        .get(BookingsService)
        .book({ eventId: event.id, email: 'x@example.org', tickets: [{ priceId: event.priceId, quantity: 1 }], origin: 'api' }),
    );
    expect(await sql('select 1 from code_use join order_line on order_line.id = line_id where event_id = $1', [event.id])).toEqual([]);
  });
});
