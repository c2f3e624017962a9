import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BookingsService } from '#selling';
import { PaymentOrdersService } from '#payments';
import { EarlierMembershipsService, MembershipsService } from '#memberships';
import { EarlierOrdersService, LedgerAuditService, ReservationChangesService } from '#tickets';
import { type TenantIdentity } from '#tenancy';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { hold } from '../support/drafts.js';
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

describe('the orders of earlier sales', () => {
  it('are the same as those of sales now, however often they are written', async () => {
    const event = await pricedEvent('3.33');
    const other = await newPrice(test, tenant, event.id, { amount: '10.00' });
    const lines = [
      { priceId: event.priceId, quantity: 4 },
      { priceId: other, quantity: 2 },
    ];
    const sold = await book(test, tenant, event, { tickets: lines, confirmed: true });
    await inside(() => changes().cancelTickets(sold.id, [sold.tickets[0]!.id, sold.tickets[1]!.id], { reason: 'staff' }));
    const waiting = await book(test, tenant, event, { tickets: lines });
    const gone = await book(test, tenant, event, { tickets: lines, confirmed: true });
    await inside(() => changes().cancel(gone.id, { reason: 'staff' }));
    const ended = await book(test, tenant, event);
    await inside(() => changes().cancel(ended.id, { reason: 'expired' }));
    const draft = await hold(test, tenant, event, { quantity: 3 });
    const { priceId } = await newPlan(test, tenant, '30.00');
    const join = (): Promise<{ id: string }> =>
      inside(() => test.app.get(MembershipsService).create({ priceId, email: `${randomUUID()}@example.org`, paymentMethod: 'cash' }));
    const [member, former] = [await join(), await join()];
    await inside(() => test.app.get(MembershipsService).cancel(former.id));
    const ids = [sold, waiting, gone, ended, { id: draft }, member, former].map(({ id }) => id);
    const all = async (): Promise<unknown[]> => {
      const orders = await sql<object>(
        'select id, state, channel, by_user_id, by_key_id, created_at::text, currency from orders where id = any($1) order by id',
        [ids],
      );
      const written = await sql<object>(
        `select order_id, position, kind, price_id, product_id, event_id, reservation_id, membership_id, name, quantity, unit_amount,
           amount, vat_rate, effective_at is not null as sold, of_line is not null as back
         from order_line where order_id = any($1) order by order_id, position, price_id, of_line nulls first, quantity`,
        [ids],
      );
      const pieces = await sql<object>(
        `select ticket.id, line.price_id, line.amount / line.quantity as amount from ticket join order_line line on line.id = line_id
         where ticket.reservation_id = any($1) order by ticket.id`,
        [ids],
      );
      const paid = await sql<object>('select id, kind, order_id from payment where order_id = any($1) order by id', [ids]);
      return [orders, written, pieces, paid];
    };
    const now = await all();
    expect(now.map((rows) => (rows as unknown[]).length)).toEqual([7, 15, 22, 7]);
    await expect(sql('update payment set order_id = null')).rejects.toThrow('a payment stays with its order');
    await sql('alter table order_line disable trigger order_line_kept');
    await sql('alter table payment disable trigger payment_keeps_order');
    await sql('update payment set order_id = null');
    await sql('alter table payment enable trigger payment_keeps_order');
    await sql('update ticket set line_id = null');
    await sql('delete from order_line');
    await sql('delete from orders');
    await sql('alter table order_line enable trigger order_line_kept');
    const write = async (): Promise<void> => {
      await inside(() => test.app.get(EarlierOrdersService).run());
      await inside(() => test.app.get(EarlierMembershipsService).run());
      await inside(() => test.app.get(PaymentOrdersService).run());
    };
    await write();
    expect(await all()).toEqual(now);
    const [{ lines: before } = { lines: -1 }] = await sql<{ lines: number }>('select count(*)::int as lines from order_line');
    await write();
    expect(await sql('select count(*)::int as lines from order_line')).toEqual([{ lines: before }]);
    await inside(() => test.app.get(BookingsService).book({ eventId: event.id, email: 'x@example.org', tickets: lines, origin: 'api' }));
  });

  it('follow what a program without orders did to them during a rollout', async () => {
    const event = await pricedEvent('8.00');
    const [confirmed, cancelled, sold] = [
      await book(test, tenant, event),
      await book(test, tenant, event, { quantity: 3 }),
      await book(test, tenant, event, { quantity: 2, confirmed: true }),
    ];
    const [completed, deleted] = [await hold(test, tenant, event, { quantity: 2 }), await hold(test, tenant, event)];
    const free = (count: number): Promise<unknown> =>
      sql(
        `with seats as (update event set booked = booked - $2 where id = $1) update event_price set sold = sold - $2 where event_id = $1`,
        [event.id, count],
      );
    await sql(`update reservation set status = 'V', confirmed_at = now(), expires_at = null where id = $1`, [confirmed.id]);
    await sql(`update payment set status = 'paid', paid_at = now() where reservation_id = $1`, [confirmed.id]);
    await sql(`update ticket set status = 'K' where reservation_id = $1`, [confirmed.id]);
    await sql(`update reservation set status = 'C', cancel_reason = 'staff', cancelled_at = now(), expires_at = null where id = $1`, [
      cancelled.id,
    ]);
    await sql(`update ticket set status = 'R', cancelled_at = now() where reservation_id = $1`, [cancelled.id]);
    await free(3);
    await sql(`update ticket set status = 'R', cancelled_at = now() where id = $1`, [sold.tickets[0]!.id]);
    await sql('update reservation set amount = 8 where id = $1', [sold.id]);
    await sql(
      `insert into payment (kind, refund_of, reservation_id, provider, method, status, amount, reason)
       select 'refund', id, reservation_id, provider, method, 'refund_due', 8, 'cancelled' from payment where reservation_id = $1`,
      [sold.id],
    );
    await free(1);
    await sql(`update reservation set is_draft = false, email = 'x@example.org', completed_at = now() where id = $1`, [completed]);
    await sql('delete from ticket where reservation_id = $1', [deleted]);
    await sql('delete from reservation where id = $1', [deleted]);
    await free(1);
    await sql(`update orders set created_at = now() - interval '2 days' where id = $1`, [deleted]);
    // The order of a sale without a cart has its id.
    const differing = new Set((await inside(() => test.app.get(LedgerAuditService).drifts())).map(({ id }) => id));
    expect([...differing].toSorted()).toEqual([confirmed.id, cancelled.id, sold.id].toSorted());
    const { priceId } = await newPlan(test, tenant, '0.00');
    const members = await Promise.all(
      ['one@example.org', 'two@example.org'].map((email) =>
        inside(() => test.app.get(MembershipsService).create({ priceId, email, isTyped: true })),
      ),
    );
    for (const [index, status] of ['active', 'cancelled'].entries())
      await sql('update membership set status = $2, expires_at = null where id = $1', [members[index]!.id, status]);
    await sql('update price set sold = 1 where id = $1', [priceId]);
    for (const _ of [1, 2])
      await inside(async () => {
        await test.app.get(EarlierOrdersService).run();
        await test.app.get(EarlierMembershipsService).run();
        await test.app.get(PaymentOrdersService).run();
      });
    expect(await Promise.all(members.map(({ id }) => stateOf(id)))).toEqual(['placed', 'void']);
    expect((await linesOf(members[0]!.id)).map(({ sold: isSold }) => isSold)).toEqual([true]);
    expect(await Promise.all([confirmed.id, cancelled.id, sold.id, completed, deleted].map((id) => stateOf(id)))).toEqual([
      'placed',
      'void',
      'placed',
      'placed',
      undefined,
    ]);
    expect((await linesOf(sold.id)).map(({ quantity, sold: isSold }) => [quantity, isSold])).toEqual([
      [2, true],
      [-1, true],
    ]);
    expect((await linesOf(confirmed.id)).map(({ sold: isSold }) => isSold)).toEqual([true]);
  });
});
