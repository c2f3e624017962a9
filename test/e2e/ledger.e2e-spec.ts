import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RefundsService } from '#payments';
import { AuditService, LedgerAuditService, ReservationChangesService, ReservationsService, type WholeReservation } from '#tickets';
import { Migrator, tenantMigrations, type TenantIdentity } from '#tenancy';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>, place = tenant): Promise<Result> => test.inside(place, work);
const again = async (id: string): Promise<WholeReservation> => (await inside(() => test.app.get(ReservationsService).find(id)))!;
const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = [], place = tenant): Promise<Row[]> =>
  test.database.query<Row>(text.replaceAll('%', `"${place.schemaName}"`), values);
const sold = async (quantity = 2): Promise<WholeReservation> =>
  book(test, tenant, await newEvent(test, tenant), { quantity, confirmed: true, paymentMethod: 'cash' });
const cancelTicket = (id: string) => inside(() => test.app.get(ReservationChangesService).cancelTicket(id, { reason: 'staff' }));

describe('the payment table', () => {
  it.each([
    ['its amount', 'amount = amount + 1'],
    ['its method', `method = 'card'`],
    ['its kind', `kind = 'refund', refund_of = id, reason = 'cancelled', status = 'refund_due'`],
    ['who took it', 'by_user_id = gen_random_uuid()'],
    ['when it was made', `created_at = now() - interval '1 day'`],
    ['when it was paid', `paid_at = now() - interval '1 day'`],
    ['what it was for', 'reservation_id = (select id from %.reservation limit 1)'],
    ['its note', `note = 'Something else'`],
    ['its state, where none leads', `status = 'pending'`],
  ])('refuses to change %s', async (_what, change) => {
    const { payments } = await sold();
    await book(test, tenant, await newEvent(test, tenant));
    await expect(sql(`update %.payment set ${change} where id = $1`, [payments[0]!.id])).rejects.toMatchObject({ code: '23001' });
  });

  it('refuses to delete rows, alone, with their parents, or all at once', async () => {
    const { id, payments } = await sold();
    await expect(sql('delete from %.payment where id = $1', [payments[0]!.id])).rejects.toMatchObject({
      code: '23001',
    });
    await expect(sql('delete from %.reservation where id = $1', [id])).rejects.toMatchObject({ code: '23503' });
    await expect(sql('truncate %.payment cascade')).rejects.toMatchObject({ code: '23001' });
  });

  it('has a row for each refund, and the payment stays unchanged', async () => {
    const { id, payments, tickets } = await sold(3);
    await cancelTicket(tickets[0]!.id);
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff', note: 'Sorry' }));
    const after = await again(id);
    expect(after.payments[0]).toEqual(payments[0]);
    expect(after.payments.slice(1)).toMatchObject([
      { kind: 'refund', refundOf: payments[0]!.id, status: 'refund_due', amount: '12.50', reason: 'cancelled', note: null },
      { kind: 'refund', refundOf: payments[0]!.id, status: 'refund_due', amount: '25.00', method: 'cash', note: 'Sorry' },
    ]);
    await expectNoDrift(test, tenant);
  });

  it('never refunds more than was paid, however many cancel at once', async () => {
    const { id, tickets } = await sold(4);
    await Promise.all([
      ...tickets.map((ticket) => cancelTicket(ticket.id)),
      ...Array.from({ length: 4 }, () => inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }))),
    ]);
    const { payments } = await again(id);
    const given = payments.filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + Number(amount), 0);
    expect(given).toBe(50);
    await expectNoDrift(test, tenant);
  });

  it('settles a refund once, for the first request', async () => {
    // The update has the condition `status = 'refund_due'`, so only one of them settles it.
    const { id } = await sold();
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    const refund = (await again(id)).payments[1]!;
    const users = Array.from({ length: 12 }, () => randomUUID());
    const settled = await Promise.all(
      users.map((userId) => inside(() => test.app.get(RefundsService).settleByHand([refund.id], { method: 'cash', userId }))),
    );
    const winner = settled.findIndex((ids) => ids.length > 0);
    expect(settled.flat()).toEqual([refund.id]);
    expect((await again(id)).payments[1]).toMatchObject({
      status: 'refunded',
      refundedBy: users[winner],
      refundedMethod: 'cash',
      refundedAt: expect.any(Date),
    });
  });

  it('records which key sold', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id);
    const authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write');
    const { body } = await test
      .on(tenant)
      .post('/api/v2/reservations/')
      .set('Authorization', authorization)
      .send({
        reservationFor: { identifier: event.id },
        underName: { email: 'zoe@example.org' },
        reservedTicket: [{ identifier: priceId, ticketQuantity: 1 }],
        confirmed: true,
        paymentMethod: 'card',
      })
      .expect(201);
    const { payments, byKeyId, byUserId } = await again((body as { identifier: string }).identifier);
    expect(authorization).toContain(`_${byKeyId}_`);
    expect(byUserId).toBeNull();
    expect(payments).toMatchObject([{ byKeyId, byUserId: null }]);
  });
});

describe('the audit of the ledger', () => {
  it('finds missing refunds, double refunds, and sales that were never paid', async () => {
    const place = await test.newTenant();
    const found = async (): Promise<string[]> =>
      (await inside(() => test.app.get(LedgerAuditService).drifts(), place)).map(
        ({ kind, expected, ledger }) => `${kind} ${expected} ${ledger}`,
      );
    const event = await newEvent(test, place);
    const [kept, twice, short] = await Promise.all([1, 2, 1].map((quantity) => book(test, place, event, { quantity, confirmed: true })));
    await book(test, place, event, { confirmed: true, paymentMethod: 'offered' });
    expect(await found()).toEqual([]);
    await sql(`update %.ticket set status = 'R' where reservation_id = $1`, [kept!.id], place);
    await sql(`update %.reservation set status = 'C', cancel_reason = 'staff' where id = $1`, [kept!.id], place);
    await sql(`update %.reservation set amount = 20 where id = $1`, [short!.id], place);
    for (const amount of [25, 25])
      await sql(
        `insert into %.payment (kind, refund_of, reservation_id, provider, method, status, amount, reason)
         select 'refund', id, reservation_id, provider, method, 'refund_due', $2, 'cancelled' from %.payment where reservation_id = $1
         and kind = 'payment'`,
        [twice!.id, amount],
        place,
      );
    expect((await found()).toSorted()).toEqual([
      'lines 0.00 12.50',
      'payment 25.00 50.00',
      'reservation 0.00 12.50',
      'reservation 20.00 12.50',
      'reservation 25.00 -25.00',
    ]);
  });
});

describe('an upgraded database', () => {
  it('migrates payments: split parts become refunds, the full amount is restored, and the totals agree', async () => {
    const place = await test.newTenant();
    const event = await newEvent(test, place);
    const book2 = (quantity: number) => book(test, place, event, { quantity, confirmed: true, paymentMethod: 'cash' });
    const [parted, whole, online, plain] = await Promise.all([book2(3), book2(2), book2(2), book2(1)]);
    const run = (text: string, ...values: unknown[]) => sql(text, values, place);
    await run('update %.ticket set line_id = null');
    // The table as the previous version left it.
    await run('drop trigger payment_kept on %.payment');
    await run('alter table %.payment drop constraint payment_status_check, drop constraint payment_kind_check');
    await run('alter table %.payment drop constraint payment_refunded_check');
    for (const column of [
      'kind',
      'refund_of',
      'reason',
      'by_user_id',
      'by_key_id',
      'refunded_by',
      'refunded_method',
      'refunded_note',
      'attempts',
      'asked_until',
    ])
      await run(`alter table %.payment drop column ${column} cascade`);
    const old = (id: string, change: string) => run(`update %.payment set ${change} where reservation_id = $1`, id);
    const part = (id: string, amount: number, status: string, more = '') =>
      run(
        `insert into %.payment (reservation_id, provider, method, status, amount, currency, provider_payment, note, paid_at,
         refunded_at, refund_reference, refund_trouble)
         select reservation_id, provider, method, $2, $3, currency, provider_payment, 'Sorry', paid_at,
           case when $2 = 'refunded' then now() end,
           case when $4 = 're' then 're_1' end, case when $4 = 'trouble' then 'No such payment_intent' end
         from %.payment where reservation_id = $1 limit 1`,
        id,
        status,
        amount,
        more,
      );
    await old(parted.id, 'amount = 12.50');
    await part(parted.id, 12.5, 'refunded');
    await part(parted.id, 12.5, 'refund_due');
    await run(
      `update %.ticket set status = 'R' where id = any($1)`,
      parted.tickets.slice(0, 2).map(({ id }) => id),
    );
    await run('update %.reservation set amount = 12.50 where id = $1', parted.id);
    await old(whole.id, `status = 'refund_due', note = 'Flooded'`);
    await old(
      online.id,
      `provider = 'stripe', method = 'online', reference = 'cs_1', provider_payment = 'pi_1', amount = 12.50, status = 'refunded',
       refunded_at = now(), refund_reference = 're_0'`,
    );
    await part(online.id, 12.5, 'refund_due', 'trouble');
    for (const { id } of [whole, online]) {
      await run(`update %.ticket set status = 'R' where reservation_id = $1`, id);
      await run(`update %.reservation set status = 'C', cancel_reason = 'staff', cancelled_at = now() where id = $1`, id);
    }
    const version = tenantMigrations.find(({ name }) => name === 'payment ledger')!.version;
    await run(`update shared.tenant set schema_version = $1 where slug = $2`, version - 1, place.slug);
    await test.app.get(Migrator).run();

    const rows = async (id: string) =>
      (
        await sql<Record<string, string>>(
          `select concat_ws(' ', kind, status, amount, reason, refunded_method, refund_reference, refund_trouble, note) as line
           from %.payment where reservation_id = $1`,
          [id],
          place,
        )
      )
        .map(({ line }) => line)
        .toSorted();
    expect(await rows(parted.id)).toEqual([
      'payment paid 37.50',
      'refund refund_due 12.50 cancelled Sorry',
      'refund refunded 12.50 cancelled cash Sorry',
    ]);
    expect(await rows(whole.id)).toEqual(['payment paid 25.00', 'refund refund_due 25.00 cancelled Flooded']);
    expect(await rows(online.id)).toEqual([
      'payment paid 25.00',
      'refund refund_due 12.50 cancelled No such payment_intent Sorry',
      'refund refunded 12.50 cancelled online re_0',
    ]);
    expect(await rows(plain.id)).toEqual(['payment paid 12.50']);
    expect(await inside(() => test.app.get(LedgerAuditService).drifts(), place)).toEqual([]);
    await run('update %.event set booked = (select count(*) from %.ticket where event_id = event.id and status <> $1)', 'R');
    expect(await inside(() => test.app.get(AuditService).drifts(), place)).toEqual([]);
    await expect(run('update %.payment set amount = 1')).rejects.toMatchObject({ code: '23001' });
  });
});
