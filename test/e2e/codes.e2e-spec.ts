import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BookingsService, DraftsService } from '#selling';
import { CodesService, ReservationChangesService, type CountedCode, type NewCode } from '#tickets';
import { EventsService, PricesService, ProductCopiesService, ProductsService } from '#catalogue';
import { JobsService } from '#jobs';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { book, crowd, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
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

describe('places that a code keeps', () => {
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

describe('places that a code may keep', () => {
  it('are not more than are free, and wake the waiting list when its validity ends', async () => {
    const event = await eventAt('10.00', 5);
    await book(test, tenant, event, { confirmed: true });
    const input = { eventIds: [event.id], validUntil: new Date(Date.now() + 3_600_000) };
    expect(await refusal(newCode({ ...input, reserved: 5 }))).toMatchObject({ field: 'reserved' });
    const code = await newCode({ ...input, reserved: 3 });
    expect(await refusal(change(code.id, { reserved: 5 }))).toMatchObject({ field: 'reserved' });
    await change(code.id, { reserved: 4 });
    expect(await refusal(newCode({ ...input, reserved: 1 }))).toMatchObject({ field: 'reserved' });
    // A capacity that was lowered later forbids no other change.
    await inside(() => test.app.get(EventsService).update(event.id, { capacity: 3 }));
    const later = new Date(Date.now() + 7_200_000);
    await change(code.id, { validUntil: later });
    const due = (): Promise<{ kind: string; dueAt: Date }[]> =>
      test.database.query(
        `select kind, due_at as "dueAt" from shared.job where tenant_id = $1 and (kind, subject_id) in (('code-end', $2::uuid), ('waiting-list', $3::uuid))`,
        [tenant.id, code.id, event.id],
      );
    expect(await due()).toEqual([{ kind: 'code-end', dueAt: input.validUntil }]);
    await sql(
      `insert into waiting_entry (event_id, price_id, email, email_key, language, quantity, status, confirmed_at)
       values ($1, $2, 'ada@example.org', 'ada@example.org', 'en', 1, 'waiting', now())`,
      [event.id, event.priceId],
    );
    await test.database.query(`delete from shared.job where tenant_id = $1`, [tenant.id]);
    const end = (): Promise<void> => inside(() => test.app.get(JobsService).workOf('code-end')(code.id, { number: 1, isLast: false }));
    await end();
    expect(await due()).toEqual([{ kind: 'code-end', dueAt: later }]);
    await sql(`update code set valid_until = now() - interval '1 second' where id = $1`, [code.id]);
    await test.database.query(`delete from shared.job where tenant_id = $1`, [tenant.id]);
    await end();
    expect(await due()).toMatchObject([{ kind: 'waiting-list' }]);
  });
});

describe('a copy of a product', () => {
  it('is sold with the codes that name the original', async () => {
    const [event, other] = [await eventAt('10.00'), await newEvent(test, tenant)];
    const [price] = await sql<{ productId: string }>('select product_id as "productId" from price where id = $1', [event.priceId]);
    const { productId } = price!;
    await inside(() => test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, other.id, [productId])));
    const byPrice = await newCode({ priceIds: [event.priceId] });
    const byProduct = await newCode({ productIds: [productId] });
    const copy = (await inside(() => test.app.get(ProductCopiesService).split(event.priceId, other.id))) as string;
    for (const { code } of [byPrice, byProduct])
      expect(await book(test, tenant, { id: other.id, priceId: copy }, { code })).toMatchObject({ amount: '9.00' });
    expect(await found(byPrice)).toMatchObject({ priceIds: [event.priceId, copy], productIds: [], version: 2 });
    expect(await found(byProduct)).toMatchObject({ priceIds: [], version: 2 });
  });
});

describe('a hidden price', () => {
  it('is none of a membership or of a pass, which no code opens', async () => {
    const event = await newEvent(test, tenant);
    expect(await refusal(newPrice(test, tenant, event.id, { hidden: true, wholeSeries: true }))).toMatchObject({ field: 'hidden' });
    const prices = test.app.get(PricesService);
    const { id: productId } = await inside(() => test.app.get(ProductsService).create({ name: 'Friends', category: 'A' }));
    const year = { productId, name: 'Year', amount: '10.00' };
    expect(await refusal(inside(() => prices.create({ ...year, hidden: true })))).toMatchObject({ field: 'hidden' });
    const { id } = await inside(() => prices.create(year));
    expect(await refusal(inside(() => prices.update(id, { hidden: true })))).toMatchObject({ field: 'hidden' });
  });
});

describe('the codes of a venue', () => {
  it('are known in each spelling, once', async () => {
    const code = await newCode({ code: ' Été 2027 '.replace(' 2', '-2') });
    expect(code.code).toBe('ÉTÉ-2027');
    expect(await refusal(newCode({ code: 'été-2027' }))).toMatchObject({ field: 'code' });
  });

  it.each<[string, Partial<NewCode>]>([
    ['code', { code: 'a' }],
    ['code', { code: '<b>1234' }],
    ['value', { value: '100.01' }],
    ['value', { value: null }],
    ['value', { effect: 'amount', value: '0' }],
    ['effect', { effect: 'twice' as 'none' }],
    ['maxUses', { maxUses: 0 }],
    ['maxPerPerson', { maxPerPerson: 1.5 }],
    ['budget', { budget: '0' }],
    ['reserved', { reserved: 2 }],
    ['validUntil', { validFrom: new Date(2), validUntil: new Date(1) }],
    ['priceIds', { priceIds: [randomUUID()] }],
    ['eventIds', { eventIds: Array.from({ length: 51 }, () => randomUUID()) }],
    ['tag', { tag: 'x'.repeat(61) }],
  ])('refuse %s: %j', async (field, input) => {
    expect(await refusal(newCode(input))).toMatchObject({ field });
  });

  it('are made at once, readable and different', async () => {
    const made = await inside(() => codes().generate(300, 'press-', { effect: 'percent', value: '20', tag: 'press', maxUses: 1 }));
    expect(new Set(made.map(({ code }) => code)).size).toBe(300);
    for (const { code } of made) expect(code).toMatch(/^PRESS-[ACDEFGHJKMNPQRTUVWXY34679]{10}$/);
    expect(await inside(() => codes().list({ tag: 'press', page: { skip: 0, take: 10 } }))).toMatchObject({ total: 300 });
    expect(await refusal(inside(() => codes().generate(501, '', {})))).toMatchObject({ field: 'count' });
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
