import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CounterSalesService, DraftExpiryService, lockDraftRow } from '#selling';
import { MembershipsService } from '#memberships';
import { ReservationChangesService } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { book, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { addToCart, completeCart } from '../support/carts.js';
import { changeHold, complete, hold } from '../support/drafts.js';
import { orderRows } from '../support/order-rows.js';
import { newPlan } from '../support/membership-plans.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate' } });
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const changes = (): ReservationChangesService => test.app.get(ReservationChangesService);

const { linesOf, stateOf, pricedEvent } = orderRows(() => ({ test, tenant }));

describe('an order', () => {
  it('has a line for each price of a booking, which is sold when it is confirmed and taken back by lines of its own', async () => {
    const event = await pricedEvent('3.33');
    const tickets = [
      { priceId: event.priceId, quantity: 7 },
      { priceId: await newPrice(test, tenant, event.id, { amount: '10.00', vat: 'VG' }, 'T'), quantity: 1 },
    ];
    const { id, tickets: booked } = await book(test, tenant, event, { tickets });
    const [seven, shirt] = [
      { kind: 'ticket', quantity: 7, amount: '23.31', vat: '1.22' },
      { kind: 'goods', quantity: 1, amount: '10.00', vat: '1.67' },
    ];
    expect([await stateOf(id), await linesOf(id)]).toEqual(['placed', [seven, shirt].map((line) => ({ ...line, sold: false }))]);
    await inside(() => changes().confirm(id));
    expect(await linesOf(id)).toEqual([seven, shirt].map((line) => ({ ...line, sold: true })));
    for (const some of [booked.slice(0, 3), booked.slice(3, 4)])
      await inside(() =>
        changes().cancelTickets(
          id,
          some.map((ticket) => ticket.id),
          { reason: 'staff' },
        ),
      );
    expect((await linesOf(id)).slice(2)).toEqual([
      { kind: 'ticket', quantity: -3, amount: '-9.99', vat: '-0.52', sold: true },
      { kind: 'ticket', quantity: -1, amount: '-3.33', vat: '-0.18', sold: true },
    ]);
    await inside(() => changes().cancel(id, { reason: 'staff' }));
    const [sum] = await sql(
      'select sum(quantity)::int as count, sum(amount)::text as amount, sum(vat_amount)::text as vat from order_line where order_id = $1',
      [id],
    );
    expect([await stateOf(id), sum]).toEqual(['placed', { count: 0, amount: '0.00', vat: '0.00' }]);
  });

  it('is void when it ends before anything of it was sold', async () => {
    const { id } = await book(test, tenant, await pricedEvent('8.00'));
    await letHoldsLapse(test, tenant);
    await inside(() => changes().tidy(id));
    expect(await stateOf(id)).toBe('void');
    expect((await linesOf(id)).map(({ quantity, sold }) => [quantity, sold])).toEqual([
      [1, false],
      [-1, false],
    ]);
  });

  it('is open while tickets are held: its lines follow the choice, and it goes with the hold', async () => {
    const event = await pricedEvent('8.00');
    const id = await hold(test, tenant, event, { quantity: 2 });
    expect([await stateOf(id), (await linesOf(id)).map(({ quantity }) => quantity)]).toEqual(['open', [2]]);
    await changeHold(test, tenant, id, event, { quantity: 5 });
    expect([await stateOf(id), (await linesOf(id)).map(({ quantity }) => quantity)]).toEqual(['open', [5]]);
    await inside(() =>
      test.app.get(TenantDb).transaction(async (tx) => test.app.get(DraftExpiryService).remove(tx, (await lockDraftRow(tx, id))!)),
    );
    expect([await stateOf(id), await linesOf(id)]).toEqual([undefined, []]);
  });

  it('of one hold is placed with its contact form, and sold with the confirmation of the address', async () => {
    const event = await pricedEvent('0.00');
    const id = await hold(test, tenant, event, { quantity: 2 });
    await complete(test, tenant, id);
    expect([await stateOf(id), (await linesOf(id)).map(({ sold }) => sold)]).toEqual(['placed', [false]]);
    await inside(() => changes().verify(id));
    expect((await linesOf(id)).map(({ sold }) => sold)).toEqual([true]);
    const signedIn = await hold(test, tenant, event);
    await complete(test, tenant, signedIn, { email: 'ada@example.org', signedIn: 'ada@example.org' });
    expect([await stateOf(signedIn), (await linesOf(signedIn)).map(({ sold }) => sold)]).toEqual(['placed', [true]]);
  });

  it('of a cart has the lines of all its parts, whose VAT is that of their sum', async () => {
    const cart = randomUUID();
    const events = [await pricedEvent('3.33'), await pricedEvent('3.33'), await pricedEvent('3.33')];
    for (const event of events) await addToCart(test, tenant, cart, event);
    expect((await linesOf(cart)).map(({ vat }) => vat)).toEqual(['0.17', '0.17', '0.17']);
    await sql('update configuration set pay_at_venue_hours = 0');
    await completeCart(test, tenant, cart, { payment: 'venue' });
    expect(await stateOf(cart)).toBe('placed');
    // 9.99 at 5.5 % has 0.52.
    expect((await linesOf(cart)).map(({ vat }) => vat).toSorted()).toEqual(['0.17', '0.17', '0.18']);
  });

  it('of a sale at the counter has all that is sold to one person', async () => {
    const { priceId } = await newPlan(test, tenant, '30.00');
    const [one, two] = [await pricedEvent('3.33'), await pricedEvent('3.33')];
    const sale = { email: 'counter@example.org', confirmed: true, origin: 'panel', paymentMethod: 'cash' } as const;
    const sold = await inside(() =>
      test.app.get(CounterSalesService).sell({
        reservations: [one, two].map((event) => ({ ...sale, eventId: event.id, tickets: [{ priceId: event.priceId, quantity: 2 }] })),
        memberships: [{ priceId, email: sale.email, paymentMethod: 'cash' }],
      }),
    );
    const [order] = await sql<{ id: string }>('select order_id as id from order_line where reservation_id = $1', [
      sold.reservations[0]!.id,
    ]);
    expect(await stateOf(order!.id)).toBe('placed');
    // 13.32 at 5.5 % has 0.69, and 6.66 alone 0.35.
    expect((await linesOf(order!.id)).map(({ kind, quantity, vat, sold: isSold }) => [kind, quantity, vat, isSold]).toSorted()).toEqual([
      ['membership', 1, expect.any(String), true],
      ['ticket', 2, '0.34', true],
      ['ticket', 2, '0.35', true],
    ]);
  });

  it('of a membership has one line, which is taken back when it is cancelled', async () => {
    const { priceId } = await newPlan(test, tenant, '30.00');
    const { id } = await inside(() =>
      test.app.get(MembershipsService).create({ priceId, email: 'ada@example.org', paymentMethod: 'cash' }),
    );
    const line = { kind: 'membership', quantity: 1, amount: '30.00', vat: '5.00', sold: true };
    expect([await stateOf(id), await linesOf(id)]).toEqual(['placed', [expect.objectContaining({ ...line, vat: expect.any(String) })]]);
    await inside(() => test.app.get(MembershipsService).cancel(id));
    expect((await linesOf(id)).map(({ quantity, amount, sold }) => [quantity, amount, sold])).toEqual([
      [1, '30.00', true],
      [-1, '-30.00', true],
    ]);
  });

  it('is not rewritten once it is placed', async () => {
    const { id } = await book(test, tenant, await pricedEvent('8.00'));
    for (const change of ['amount = 0, unit_amount = 0', 'quantity = 5, amount = 40', 'effective_at = now(), name = $$x$$'])
      await expect(sql(`update order_line set ${change} where order_id = $1`, [id])).rejects.toThrow('never rewritten');
    await expect(sql('delete from order_line where order_id = $1', [id])).rejects.toThrow('never rewritten');
    await inside(() => changes().confirm(id));
    await expect(sql('update order_line set effective_at = null where order_id = $1', [id])).rejects.toThrow('never rewritten');
  });
});
