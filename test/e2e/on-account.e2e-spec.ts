import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { CounterSalesService } from '#selling';
import { ReservationChangesService } from '#tickets';
import { AccountOrdersService, CustomersService } from '#transfers';
import type { Scope, TenantIdentity } from '#tenancy';
import { accountOrders } from '../support/account-orders.js';
import { expectNoDrift } from '../support/booking.js';
import { oneEvent, soldOf } from '../support/box-office.js';
import { newPlan } from '../support/membership-plans.js';
import { staffOf } from '../support/panel-staff.js';
import { outcome } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let bank: Awaited<ReturnType<typeof accountOrders>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
  bank = await accountOrders(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const accounts = (): AccountOrdersService => test.app.get(AccountOrdersService);
const changes = (): ReservationChangesService => test.app.get(ReservationChangesService);

const cancelOne = async (id: string): Promise<unknown> => {
  const [ticket] = await bank.sql<{ id: string }>(`select id from ticket where reservation_id = $1 and status <> 'R' limit 1`, [id]);
  return bank.inside(() => changes().cancelTickets(id, [ticket!.id], { reason: 'staff' }));
};

describe('an order on account', () => {
  it('is valid at once, sold on its day, and paid in parts by what arrives on the bank account', async () => {
    const order = await bank.sold([await bank.paidEvent(), await bank.paidEvent()]);
    expect(order.days).toBe(20);
    expect(order.made.map(({ status, payments }) => [status, payments])).toEqual([
      ['V', []],
      ['V', []],
    ]);
    expect(await bank.sums(order.orderId)).toEqual({ costs: '50.00', paid: '0', back: '0' });
    expect(await bank.pay(order.reference, '30.00')).toMatchObject({ findings: { under: 1 } });
    expect(await bank.sums(order.orderId)).toMatchObject({ paid: '30.00' });
    // Each part of the order gets what it lacks.
    expect((await bank.sql('select amount from payment where order_id = $1 order by amount', [order.orderId])).length).toBe(2);
    expect(await bank.pay(order.reference, '21.00', 'much')).toMatchObject({ findings: { over: 1 } });
    expect(await bank.sums(order.orderId)).toMatchObject({ paid: '50.00' });
    expect(await bank.entryOf('much')).toMatchObject({ state: 'refund_due', excess: '1.00' });
    expect(await bank.pay(order.reference, '50.00')).toMatchObject({ findings: { paid: 1 } });
  });

  it('is paid by hand in parts, never beyond what is open, however many do it at once', async () => {
    const { orderId } = await bank.sold([await bank.paidEvent()]);
    const record = (amount: string, method: 'cash' | 'transfer' = 'cash') =>
      bank.inside(() => outcome(accounts().record(orderId, { amount, method })));
    expect(await record('10.00')).toBeUndefined();
    for (const amount of ['0.00', '15.01', '-5.00']) expect(await record(amount)).toMatchObject({ field: 'amount' });
    for (let round = 0; round < 4; round += 1) {
      const more = await bank.sold([await bank.paidEvent()]);
      const whole = () => bank.inside(() => outcome(accounts().record(more.orderId, { amount: '25.00', method: 'transfer' })));
      const all = await Promise.all(Array.from({ length: 8 }, whole));
      expect(await bank.sums(more.orderId)).toMatchObject({ paid: '25.00' });
      expect(all.filter((one) => one === undefined)).toHaveLength(1);
    }
  });

  it('is paid once by two statements that have its last part', async () => {
    const event = await bank.paidEvent();
    for (let round = 0; round < 4; round += 1) {
      const { orderId, reference } = await bank.sold([event]);
      await bank.pay(reference, '5.00');
      const reports = await Promise.all([1, 2, 3].map((part) => bank.pay(reference, '20.00', `last ${part}`)));
      expect(reports.map(({ findings }) => Object.keys(findings)[0]).toSorted()).toEqual(['exact', 'paid', 'paid']);
      expect(await bank.sums(orderId)).toMatchObject({ paid: '25.00', back: '0' });
    }
  });

  it('has what is open reduced first by what is cancelled, and gives back only what was paid beyond the rest', async () => {
    const order = await bank.sold([await bank.paidEvent(), await bank.paidEvent()]);
    await bank.pay(order.reference, '30.00');
    await cancelOne(order.ids[0]!);
    expect(await bank.sums(order.orderId)).toEqual({ costs: '37.50', paid: '30.00', back: '0' });
    await bank.inside(() => changes().cancel(order.ids[0]!, { reason: 'staff' }));
    expect(await bank.sums(order.orderId)).toEqual({ costs: '25.00', paid: '30.00', back: '5.00' });
    expect(await bank.pay(order.reference, '1.00')).toMatchObject({ findings: { paid: 1 } });
    await bank.inside(() => changes().cancel(order.ids[1]!, { reason: 'staff' }));
    expect(await bank.sums(order.orderId)).toEqual({ costs: '0.00', paid: '30.00', back: '30.00' });
  });

  it('agrees when it is cancelled in several places while money arrives', async () => {
    const [one, two] = [await bank.paidEvent(), await bank.paidEvent()];
    for (let round = 0; round < 5; round += 1) {
      const order = await bank.sold([one, two]);
      await bank.pay(order.reference, '40.00');
      await Promise.all([
        bank.inside(() => changes().cancel(order.ids[0]!, { reason: 'staff' })),
        bank.inside(() => changes().cancel(order.ids[1]!, { reason: 'staff' })),
        bank.inside(() => outcome(accounts().record(order.orderId, { amount: '10.00', method: 'card' }))),
      ]);
      const { costs, paid, back } = await bank.sums(order.orderId);
      expect([costs, back]).toEqual(['0.00', paid]);
    }
  });
});

describe('a sale with a membership on account', () => {
  it('is one order, whose parts are paid and cancelled as a whole', async () => {
    const [event, { priceId }] = [await bank.paidEvent(), await newPlan(test, tenant, '30.00')];
    const buyer = { email: 'member@example.org', paymentMethod: 'cash' } as const;
    const tickets = {
      ...buyer,
      eventId: event.id,
      tickets: [{ priceId: event.priceId, quantity: 2 }],
      confirmed: true,
      origin: 'panel',
    } as const;
    const sale = { reservations: [tickets], memberships: [{ ...buyer, priceId }], customerId: bank.customerId };
    const sold = await bank.inside(() => test.app.get(CounterSalesService).sell(sale));
    const [order] = await bank.sql<{ id: string }>('select order_id as id from order_line where reservation_id = $1', [
      sold.reservations[0]!.id,
    ]);
    expect(await bank.sums(order!.id)).toEqual({ costs: '55.00', paid: '0', back: '0' });
    await bank.inside(() => accounts().record(order!.id, { amount: '50.00', method: 'transfer' }));
    await Promise.all([
      bank.inside(() => test.app.get(MembershipsService).cancel(sold.memberships[0]!.id)),
      bank.inside(() => outcome(accounts().record(order!.id, { amount: '5.00', method: 'cash' }))),
    ]);
    const { costs, paid, back } = await bank.sums(order!.id);
    expect([costs, Number(paid) - Number(back)]).toEqual(['25.00', 25]);
    await bank.inside(() => changes().cancel(sold.reservations[0]!.id, { reason: 'staff' }));
    const end = await bank.sums(order!.id);
    expect([end.costs, end.back]).toEqual(['0.00', end.paid]);
  });
});

describe('an order that awaits its payment', () => {
  it('is put on account with what arrived of it', async () => {
    const { id, transfer } = await bank.ordered(await bank.paidEvent());
    await bank.pay(transfer.reference, '10.00');
    const bill = () => bank.inside(() => accounts().bill(id, bank.customerId));
    const outcomes = await Promise.all([bill(), bill(), bill()]);
    expect(outcomes.toSorted()).toEqual(['billed', 'gone', 'gone']);
    expect(await bank.statusOf(id)).toMatch(/^[PV]/);
    expect(await bank.sums(id)).toEqual({ costs: '25.00', paid: '10.00', back: '0' });
    expect(await bank.pay(transfer.reference, '15.00')).toMatchObject({ findings: { exact: 1 } });
    expect(await bank.sums(id)).toMatchObject({ paid: '25.00' });
  });

  it('is not, when a statement pays it first', async () => {
    const event = await bank.paidEvent();
    for (let round = 0; round < 4; round += 1) {
      const { id, transfer } = await bank.ordered(event);
      await Promise.all([bank.inside(() => accounts().bill(id, bank.customerId)), bank.pay(transfer.reference, '25.00')]);
      expect(await bank.sums(id)).toEqual({ costs: '25.00', paid: '25.00', back: '0' });
    }
  });
});

describe('a customer', () => {
  it('that is switched off, or unknown, buys nothing', async () => {
    const event = await bank.paidEvent();
    const service = test.app.get(CustomersService);
    const { id } = await bank.inside(() => service.create({ name: 'Closed' }));
    await bank.inside(() => service.update(id, { disabled: true }));
    for (const customer of [id, 'nobody', '11111111-1111-4111-8111-111111111111'])
      expect(await outcome(bank.sold([event], customer))).toMatchObject({ cause: { field: 'customerId' } });
    expect(await bank.sql('select 1 from ticket where event_id = $1', [event.id])).toEqual([]);
    expect((await bank.inside(() => service.offered())).map(({ name }) => name)).toEqual(['Lycée Ada']);
    for (const [field, input] of Object.entries({
      email: { email: 'x' },
      paymentDays: { paymentDays: 400 },
      address: { address: '\u0007' },
    }))
      expect(await bank.inside(() => outcome(service.create({ name: 'Ada', ...input })))).toMatchObject({ field });
  });
});

describe('/api/v2/customers/', () => {
  const path = '/api/v2/customers/';
  const both: readonly Scope[] = ['customer:read', 'customer:write'];
  const call = async (method: 'get' | 'post' | 'patch', at: string, body?: object, scopes = both, headers: Record<string, string> = {}) => {
    const authorization = await newKey(test, tenant, ...scopes);
    return test
      .on(tenant)
      .call(method, at)
      .set({ Authorization: authorization, ...headers })
      .send(body);
  };

  it('makes, lists and changes customers, and says what they have to pay', async () => {
    const address = '2 rue du Port\n44000 Nantes';
    const made = await call('post', path, { name: 'Collège Bix', email: 'bix@example.org', address, paymentDays: 10 });
    const known = { name: 'Collège Bix', email: 'bix@example.org', address, paymentDays: 10, disabled: false };
    const id = (made.body as { identifier: string }).identifier;
    expect([made.status, made.body]).toEqual([201, { identifier: id, ...known, open: '0.00', overdue: '0.00', orders: [] }]);
    expect(made.headers['location']).toBe(`${path}${id}/`);
    const { orderId, reference } = await bank.sold([await bank.paidEvent()], id);
    await bank.sql(`update bank_transfer set due_on = '2026-01-01' where order_id = $1`, [orderId]);
    const orders = [{ identifier: orderId, reference, dueOn: '2026-01-01', open: '25.00' }];
    expect((await call('get', `${path}${id}/`)).body).toEqual({ identifier: id, ...known, open: '25.00', overdue: '25.00', orders });
    await bank.pay(reference, '10.00');
    const whole = await call('get', `${path}${id}/`);
    expect(whole.body).toMatchObject({ open: '15.00', orders: [{ open: '15.00' }] });
    const listed = (await call('get', `${path}?page=1&page_size=50`)).body as { results: object[] };
    expect(listed.results).toContainEqual({ identifier: id, ...known, open: '15.00', overdue: '15.00' });
    expect((await call('get', `${path}?page=2&page_size=1`)).body).toMatchObject({ results: [{ name: 'Collège Bix' }] });
    const change = { ...whole.body, email: null, address: null, paymentDays: null };
    expect((await call('patch', `${path}${id}/`, change)).body).toMatchObject({ paymentDays: 30, open: '15.00' });
    expect((await call('patch', `${path}${id}/`, { open: '0.00' })).status).toBe(400);
    const version = { 'If-Match': String((await call('get', `${path}${id}/`)).headers['etag']) };
    const answers = await Promise.all([1, 2, 3, 4].map((paymentDays) => call('patch', `${path}${id}/`, { paymentDays }, both, version)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
    await call('patch', `${path}${id}/`, { disabled: true });
  });

  it('says what does not fit, and needs its scope', async () => {
    for (const [pointer, body] of Object.entries({
      '/name': { name: '' },
      '/email': { name: 'x', email: 'nobody' },
      '/address': { name: 'x', address: '\u0007' },
      '/taxNumber': { name: 'x', taxNumber: 't'.repeat(31) },
      '/paymentDays': { name: 'x', paymentDays: 366 },
      '/disabled': { name: 'x', disabled: 1 },
      '/orders': { name: 'x', orders: [] },
    }))
      expect((await call('post', path, body)).body).toMatchObject({ status: 400, errors: [{ pointer }] });
    const at = `${path}${bank.customerId}/`;
    for (const [method, to, body, scopes] of [
      ['get', path, undefined, ['customer:write', 'reservation:read', 'membership:read']],
      ['get', at, undefined, ['reservation:read']],
      ['post', path, { name: 'x' }, ['customer:read', 'reservation:write']],
      ['patch', at, { disabled: true }, ['customer:read']],
    ] as const)
      expect((await call(method, to, body, scopes)).body).toMatchObject({ status: 403 });
    for (const unknown of ['x', '0d0a9a3c-0000-4000-8000-000000000000'])
      expect((await call('get', `${path}${unknown}/`)).body).toMatchObject({ status: 404, code: 'customer.unknown' });
  });
});

describe('the panel', () => {
  it('keeps customers, sells to them, and says what is open and overdue', async () => {
    const staff = await staffOf(test, tenant);
    const fields = { name: 'Betriebsrat', email: 'br@example.org', address: 'Hafen 1', taxNumber: 'DE 1', paymentDays: 10 };
    const wrong = await staff.create('customers', { ...fields, email: 'nobody' });
    expect(wrong.record).toMatchObject({ errors: { email: { message: 'This is no valid e-mail address.' } } });
    const { record } = await staff.create('customers', fields);
    const { id } = record!;
    const event = await bank.paidEvent();
    const view = (await staff.page('reservations', 'sell', { event: event.id })).view as { customers: { id: string; name: string }[] };
    expect(view.customers).toContainEqual({ id, name: 'Betriebsrat' });
    const sale = (customer: string, quantity = 2) =>
      staff.send(
        'reservations',
        'sell',
        oneEvent({ eventId: event.id, customerId: customer, paymentMethod: 'account', tickets: [{ priceId: event.priceId, quantity }] }),
      );
    expect((await sale('unknown')).errors).toHaveProperty('customerId');
    const sold = soldOf(await sale(id));
    expect(sold).toMatchObject({ method: 'account', total: '25.00', payments: [] });
    const reservation = await staff.look('reservations', sold.parts[0]!.id);
    expect(reservation.record!.params).toMatchObject({ customerId: id, status: 'V' });
    await bank.sql('update bank_transfer set due_on = current_date - 1 where order_id = $1', [sold.parts[0]!.id]);
    const shown = async () => (await staff.look('customers', id)).record!.params;
    expect(await shown()).toMatchObject({ open: '25.00', overdue: '25.00', 'orders.items.0.details': expect.stringContaining('25.00') });
    const paidPart = (amount: string) => staff.act('bank-transfers', sold.parts[0]!.id, 'record', { amount, method: 'card' });
    expect((await paidPart('26')).record!.errors).toHaveProperty('amount');
    expect((await paidPart('10,00')).notice).toMatchObject({ type: 'success' });
    expect(await shown()).toMatchObject({ open: '15.00', overdue: '15.00' });
    const listed = await staff.list('bank-transfers', { 'filters.customerId': id });
    expect(listed.records!.map(({ params }) => [params['name'], params['missing'], params['received']])).toEqual([
      ['Betriebsrat', '15.00', '10.00'],
    ]);
    const parts = { count: '3', from: '2030-01-31' };
    expect((await staff.act('bank-transfers', sold.parts[0]!.id, 'divide', { ...parts, count: '25' })).record!.errors).toHaveProperty(
      'count',
    );
    expect((await staff.act('bank-transfers', sold.parts[0]!.id, 'divide', parts)).notice).toMatchObject({ type: 'success' });
    expect(await shown()).toMatchObject({ open: '15.00', overdue: '0.00' });
    const form = await staff.look('reservations', sold.parts[0]!.id, 'cancel');
    expect(JSON.stringify(form.view)).toContain('10.00');
  });

  it('puts an order that awaits its payment on account', async () => {
    const staff = await staffOf(test, tenant);
    const { id } = await bank.ordered(await bank.paidEvent());
    expect((await staff.act('reservations', id, 'onAccount', {})).record!.errors).toHaveProperty('customerId');
    expect((await staff.act('reservations', id, 'onAccount', { customerId: bank.customerId })).notice).toMatchObject({ type: 'success' });
    expect((await staff.act('reservations', id, 'onAccount', { customerId: bank.customerId })).notice).toMatchObject({ type: 'error' });
    expect(await bank.sums(id)).toEqual({ costs: '25.00', paid: '0', back: '0' });
  });
});
