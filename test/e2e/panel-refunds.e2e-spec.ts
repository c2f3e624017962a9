import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { forgottenRefundsTask } from '#payments';
import { ReservationChangesService, ReservationsService, type WholeReservation } from '#tickets';
import { PricesService } from '#catalogue';
import { JobRunner, TaskSchedulerService } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { oneEvent } from '../support/box-office.js';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import type { StripeFault } from '../support/stripe-faults.js';
import { until } from '../support/until.js';

let test: StripeApp;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startStripeApp();
  test.app.get(JobRunner).start();
  venue = await test.newVenue({ name: 'Venue' });
  staff = await staffOf(test, venue);
});
afterEach(async () => {
  test.stripe.fault = undefined;
  await expectNoDrift(test, venue);
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(venue, work);
const again = async (id: string): Promise<WholeReservation> => (await inside(() => test.app.get(ReservationsService).find(id)))!;
const refundOf = async (id: string) => (await again(id)).payments.findLast(({ kind }) => kind === 'refund')!;
const cancel = (id: string) => inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
const list = async (query: Record<string, string> = {}) => (await staff.list('refunds', query)).records!.map(({ params }) => params);
const sum = async (query = ''): Promise<string> =>
  ((await staff.call('get', `/sums/refunds${query}`).expect(200)).body as { sum: string }).sum;
const csv = async (path: string): Promise<string> =>
  (await staff.call('get', `/exports/${path}`).set('Accept-Language', 'en').expect(200)).text;
const tonight = async () => ((await staff.call('get', '/api/dashboard').expect(200)).body as { refunds: unknown }).refunds;

async function dueAtVenue(eventId: { id: string; priceId: string }, method: 'cash' | 'card', quantity = 1): Promise<string> {
  const { id } = await book(test, venue, eventId, { quantity, confirmed: true, paymentMethod: method });
  await cancel(id);
  return (await refundOf(id)).id;
}

/** A reservation that was paid online and cancelled. */
async function dueOnline(fault?: StripeFault): Promise<WholeReservation> {
  const held = await book(test, venue, await newEvent(test, venue));
  await test.deliver(test.stripe.pay(held.payments[0]!.reference!), venue);
  test.stripe.fault = fault;
  await cancel(held.id);
  return held;
}

describe('the list of refunds', () => {
  it('shows what is due by event, method and state, with its total and as a file, and is linked from the start page', async () => {
    expect(await tonight()).toBeNull();
    const [one, other] = [await newEvent(test, venue, { name: 'One' }), await newEvent(test, venue, { name: 'Other' })];
    const ids = [await dueAtVenue(one, 'cash', 2), await dueAtVenue(one, 'card'), await dueAtVenue(other, 'cash')];
    expect(await list()).toMatchObject([
      { state: 'by_hand', method: 'cash', amount: '12.50', event: 'Other', reason: 'cancelled' },
      { state: 'by_hand', method: 'card', amount: '12.50', event: 'One' },
      { state: 'by_hand', method: 'cash', amount: '25.00', event: 'One' },
    ]);
    expect(await sum()).toBe('50.00');
    const narrowed = `?filters.eventId=${one.id}&filters.method=cash&filters.state=by_hand`;
    expect(await sum(narrowed)).toBe('25.00');
    expect((await list({ 'filters.eventId': one.id, 'filters.method': 'cash' })).map(({ amount }) => amount)).toEqual(['25.00']);
    const file = await csv(`refunds.csv${narrowed}`);
    expect(file.split('\r\n')[0]).toContain('Due since,Holder,E-mail,Amount (€),Paid by,Status,Event');
    expect(file.trim().split('\r\n')).toHaveLength(2);
    expect(file).toContain('25.00,Cash,To refund by hand,One,Cancelled');
    await staff.call('get', '/exports/refunds.xlsx').expect(200);
    expect(await tonight()).toEqual({ count: 3, amount: '50.00', href: '/admin/resources/refunds?filters.due=true' });

    // Settled one by one with author, time and method; a second time has no effect.
    const settle = { method: 'transfer', note: 'No. 4711' };
    expect((await staff.act('refunds', ids[2]!, 'settle', settle)).notice).toMatchObject({ type: 'success', message: 'settled' });
    expect((await staff.look('refunds', ids[2]!)).record!.params).toMatchObject({
      state: 'refunded',
      refundedMethod: 'transfer',
      refundedNote: 'No. 4711',
      refundedAt: expect.any(String),
      refundedByName: expect.stringMatching(/./),
    });
    expect((await staff.act('refunds', ids[2]!, 'settle', settle)).notice?.type).toBe('error');

    // Several together: the page offers the filtered refunds.
    const page = await staff.page('refunds', 'settleSome', { 'filters.eventId': one.id });
    expect(page.view).toMatchObject({
      lead: [expect.stringContaining('2 refunds to make by hand, €37.50 in all')],
      fields: [
        { name: 'ofEvent', value: one.id },
        { name: 'ofMethod' },
        { name: 'shown' },
        { name: 'scope', value: 'all' },
        { name: 'ids', options: [{ value: ids[0] }, { value: ids[1] }] },
        { name: 'method' },
        { name: 'note' },
      ],
    });
    expect((await staff.send('refunds', 'settleSome', { ids: [], method: 'cash' })).errors).toHaveProperty('ids');
    expect((await staff.send('refunds', 'settleSome', { ids, method: 'barter' })).errors).toHaveProperty('method');
    const some = await staff.send('refunds', 'settleSome', { ids, method: 'cash' });
    expect(some.notice?.message).toBe('settledSome');
    expect(await list({ 'filters.due': 'true' })).toEqual([]);
    expect(await tonight()).toBeNull();
    expect((await staff.page('refunds', 'settleSome')).view).toMatchObject({ fields: [] });
  });

  it('records all refunds of a cancelled event at once, and only those that its page counted', async () => {
    const event = await newEvent(test, venue, { name: 'Cancelled' });
    const other = await dueAtVenue(await newEvent(test, venue), 'cash');
    for (let count = 0; count < 3; count += 1) await dueAtVenue(event, count === 0 ? 'card' : 'cash');
    const shown = (await staff.act('events', event.id, 'refunds')).redirectUrl ?? '';
    expect(shown).toContain(`settleSome?filters.eventId=${event.id}`);
    const page = async (): Promise<Record<string, unknown>> => {
      const { view } = await staff.page('refunds', 'settleSome', { 'filters.eventId': event.id });
      const fields = view!['fields'] as { name: string; value?: unknown; options?: { label: string }[] }[];
      expect(fields.find(({ name }) => name === 'scope')?.options?.[0]?.label).toMatch(/^All: \d, €/);
      return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    };
    const first = await page();
    await dueAtVenue(event, 'cash');
    const record = (values: object) => staff.send('refunds', 'settleSome', { ...values, scope: 'all', method: 'transfer' });
    expect((await record(first)).notice?.message).toContain('changed since this page was opened');
    expect(await list({ 'filters.eventId': event.id, 'filters.due': 'true' })).toHaveLength(4);
    expect((await record(await page())).notice?.message).toBe('settledAll');
    expect(await list({ 'filters.eventId': event.id, 'filters.due': 'true' })).toEqual([]);
    expect((await list({ 'filters.due': 'true' })).map((row) => row['id'])).toEqual([other]);
    expect((await staff.look('events', event.id)).record!.params).toMatchObject({ refundsDue: 0 });
    await staff.act('refunds', other, 'settle', { method: 'cash' });
  });

  it('shows only refunds of its own tenant', async () => {
    const id = await dueAtVenue(await newEvent(test, venue), 'cash');
    const stranger = await staffOf(test, await test.newTenant());
    expect((await stranger.list('refunds')).records).toEqual([]);
    expect((await stranger.send('refunds', 'settleSome', { ids: [id], method: 'cash' })).notice?.type).toBe('error');
    expect((await list({ 'filters.due': 'true' })).map((row) => row['id'])).toEqual([id]);
    await staff.act('refunds', id, 'settle', { method: 'cash' });
  });
});

describe('exports', () => {
  it('contain method, VAT of each line at the time of sale, seller, and refunds due', async () => {
    const event = await newEvent(test, venue, { name: 'Taxed' });
    const priceId = await newPrice(test, venue, event.id, { amount: '10.55', vat: '5.5' });
    const email = 'taxed@example.org';
    const fields = oneEvent({ eventId: event.id, email, tickets: [{ priceId, quantity: 2 }], paymentMethod: 'cash' });
    expect((await staff.send('reservations', 'sell', fields)).errors).toBeUndefined();
    await inside(() => test.app.get(PricesService).update(priceId, { vat: 'VG' }));
    const tickets = (await csv(`tickets.csv?filters.eventId=${event.id}`)).replace('\uFEFF', '').trim().split('\r\n');
    expect(tickets[0]).toContain('VAT (%),VAT (€),Net (€),Paid by,Sold by');
    expect(tickets.slice(1).map((line) => line.includes('10.55,5.50,0.55,10.00,Cash,Zoé Staff'))).toEqual([true, true]);
    const sums = await staff.call('get', `/sums/payments?filters.eventId=${event.id}`).set('Accept-Language', 'en').expect(200);
    expect(sums.body).toEqual({ sum: '21.10', parts: [{ label: 'Cash', sum: '21.10' }] });
    const { id } = (await staff.list('reservations', { 'filters.email': email })).records![0]!;
    const lines = async () => (await csv(`reservations.csv?filters.email=${email}`)).split('\r\n')[1];
    expect(await lines()).toMatch(/,21\.10,21\.10,Box office,.*,1\.10,Cash,Zoé Staff,0\.00,/);
    await cancel(id);
    expect(await lines()).toMatch(/,0\.00,21\.10,Box office,.*,0\.00,Cash,Zoé Staff,21\.10,/);
    const open = await staff.call('get', `/sums/payments?filters.eventId=${event.id}`).set('Accept-Language', 'en').expect(200);
    expect(open.body).toEqual({
      sum: '21.10',
      parts: [
        { label: 'Cash', sum: '21.10' },
        { label: 'Refunds still due, not counted:', sum: '21.10' },
      ],
    });
    const refund = await refundOf(id);
    await staff.act('refunds', refund.id, 'settle', { method: 'cash' });
    expect(await lines()).toMatch(/,0\.00,0\.00,Box office,.*,0\.00,Cash,Zoé Staff,0\.00,/);
    const ledger = await csv(`payments.csv?filters.eventId=${event.id}`);
    expect(ledger).toContain('Payment,21.10,Cash,Paid,Taxed');
    expect(ledger).toContain('Refund,-21.10,Cash,Refunded,Taxed');
    const { body } = await staff.call('get', `/sums/payments?filters.eventId=${event.id}`).expect(200);
    // What was paid and given back in the same way is nothing.
    expect(body).toEqual({ sum: '0.00', parts: [] });
  });
});

describe('an online refund', () => {
  it('stays in the list after any failure, is retried by staff, and is paid once', async () => {
    // Before, only refusals by Stripe were stored; other failures were in no list.
    const held = await book(test, venue, await newEvent(test, venue));
    await test.deliver(test.stripe.pay(held.payments[0]!.reference!), venue);
    // The keys cannot be decrypted, which is neither a refusal nor an outage of Stripe.
    await test.database.query(`update "${venue.schemaName}".payment_account set sealed_fields = '\\x00'`);
    await cancel(held.id);
    const troubled = await until(
      () => refundOf(held.id),
      ({ refundTrouble }) => refundTrouble !== null,
    );
    expect(troubled).toMatchObject({ status: 'refund_due', refundTrouble: expect.stringContaining('refund failed') });
    expect(await list({ 'filters.state': 'trouble' })).toMatchObject([{ id: troubled.id, amount: '12.50' }]);
    await test.takePayments(venue);
    expect(await tonight()).toMatchObject({ count: 1 });
    expect((await staff.act('refunds', troubled.id, 'retry')).notice).toMatchObject({ message: 'retried' });
    expect(
      await until(
        () => refundOf(held.id),
        ({ status }) => status === 'refunded',
      ),
    ).toMatchObject({
      refundedMethod: 'online',
      refundReference: expect.stringMatching(/^re_/),
      refundTrouble: null,
    });
    expect(test.stripe.requests.filter(({ path }) => path === '/v1/refunds')).toHaveLength(1);
  });

  it('is retried by the hourly job, and is found when its answer was lost', async () => {
    const { id } = await dueOnline('cut after');
    const troubled = await until(
      () => refundOf(id),
      ({ refundTrouble }) => refundTrouble !== null,
    );
    test.stripe.fault = undefined;
    // A day later Stripe has deleted the idempotency key, and no job is left.
    (test.stripe as unknown as { answered: Map<string, unknown> }).answered.clear();
    await test.database.query('delete from shared.job where subject_id = $1', [troubled.id]);
    const made = test.stripe.refunds.size;
    await test.database.query(`update "${venue.schemaName}".payment set asked_until = now() - interval '7 hours' where id = $1`, [
      troubled.id,
    ]);
    await test.app.get(TaskSchedulerService).run(forgottenRefundsTask);
    await until(
      () => refundOf(id),
      ({ status }) => status === 'refunded',
    );
    expect(test.stripe.refunds.size).toBe(made);
  });

  it('is due again when the bank returns it; refunds on Stripe’s pages become rows, too', async () => {
    const { id } = await dueOnline();
    const given = await until(
      () => refundOf(id),
      ({ status }) => status === 'refunded',
    );
    const back = test.stripe.sendBack(given.refundReference!);
    for (let time = 0; time < 2; time += 1) await test.deliver(back, venue);
    expect((await again(id)).payments.map(({ status }) => status)).toEqual(['paid', 'refund_failed', 'refund_due']);
    const due = await refundOf(id);
    expect((await staff.act('refunds', due.id, 'settle', { method: 'transfer' })).notice?.type).toBe('success');

    const held = await book(test, venue, await newEvent(test, venue), { quantity: 2 });
    await test.deliver(test.stripe.pay(held.payments[0]!.reference!), venue);
    const { providerPayment } = (await again(held.id)).payments[0]!;
    await test.deliver(test.stripe.refundOnPages(providerPayment!, 500), venue);
    expect((await again(held.id)).payments).toMatchObject([
      { status: 'paid', amount: '25.00' },
      { kind: 'refund', status: 'refunded', amount: '5.00', reason: 'provider' },
    ]);
    await cancel(held.id);
    await until(
      () => refundOf(held.id),
      ({ status, amount }) => status === 'refunded' && amount === '20.00',
    );
    expect(test.stripe.charges.get(providerPayment!)).toMatchObject({ amount_refunded: 2500, refunded: true });
  });
});
