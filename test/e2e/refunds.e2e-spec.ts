import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RefundsService } from '#payments';
import { MembershipsService } from '#memberships';
import { ReservationChangesService, ReservationsService, TicketsService, type WholeReservation } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import { JobRunner } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { book, expectNoDrift, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { sessionOf } from '../support/online-payments.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import type { StripeEvent, StripeServer } from '../support/stripe-server.js';

let test: StripeApp;
let stripe: StripeServer;
let tenant: TenantIdentity;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-mails-'));
  test = await startStripeApp({ environment: { MAIL_FOLDER: folder } });
  ({ stripe } = test);
  test.app.get(JobRunner).start();
  tenant = await test.newVenue();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const again = async (id: string): Promise<WholeReservation> => (await inside(() => test.app.get(ReservationsService).find(id)))!;
const deliver = (event: StripeEvent) => test.deliver(event, tenant);
const changes = (): ReservationChangesService => test.app.get(ReservationChangesService);
const moneyOf = async (id: string): Promise<string[]> =>
  (await again(id)).payments.map(({ status, amount }) => `${status} ${amount}`).toSorted();

async function until<Value>(look: () => Promise<Value>, wanted: Value): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    if (JSON.stringify(await look()) === JSON.stringify(wanted)) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  expect(await look()).toEqual(wanted);
}

/** A reservation that was paid online. */
async function sold(quantity: number): Promise<WholeReservation> {
  const event = await newEvent(test, tenant);
  const held = await book(test, tenant, event, { quantity });
  await deliver(stripe.pay(sessionOf(held)));
  return again(held.id);
}

/** Another event of the provider about the same payment. */
const toldAnew = (session: string): StripeEvent => stripe.event('checkout.session.completed', stripe.sessions.get(session)!);

describe('a payment', () => {
  it('is recorded once, whatever the order, number and type of the provider events', async () => {
    const paid = await sold(2);
    await deliver(toldAnew(sessionOf(paid)));
    await deliver(stripe.event('checkout.session.async_payment_succeeded', stripe.sessions.get(sessionOf(paid))!));
    expect(await moneyOf(paid.id)).toEqual(['paid 25.00']);

    const held = await book(test, tenant, await newEvent(test, tenant));
    const first = stripe.pay(sessionOf(held));
    const events = [first, ...Array.from({ length: 9 }, () => toldAnew(sessionOf(held)))];
    const answers = await Promise.all(events.map((event) => deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await moneyOf(held.id)).toEqual(['paid 12.50']);
    expect(stripe.requests.filter(({ path }) => path === '/v1/refunds')).toEqual([]);
  });

  it('is refunded in parts when tickets are cancelled one by one, and never twice', async () => {
    const { id, tickets, eventId } = await sold(3);
    await inside(() => changes().cancelTicket(tickets[0]!.id, { reason: 'staff' }));
    await until(() => moneyOf(id), ['paid 37.50', 'refunded 12.50']);
    expect(await again(id)).toMatchObject({ amount: '25.00' });
    expect(await ticketsBy(test, tenant, eventId)).toEqual({ K: 2, R: 1 });
    await inside(() => changes().cancelTicket(tickets[0]!.id, { reason: 'staff' }));
    await inside(() => changes().cancel(id, { reason: 'event' }));
    await until(() => moneyOf(id), ['paid 37.50', 'refunded 12.50', 'refunded 25.00']);
    const charge = [...stripe.charges.values()].at(-1)!;
    expect([charge.amount, charge.amount_refunded, charge.refunded]).toEqual([3750, 3750, true]);
  });

  it('at the venue is refunded manually, for one ticket alone', async () => {
    const event = await newEvent(test, tenant);
    const { id, tickets } = await book(test, tenant, event, { quantity: 2, confirmed: true, paymentMethod: 'cash' });
    await inside(() => changes().cancelTicket(tickets[1]!.id, { reason: 'staff' }));
    expect(await moneyOf(id)).toEqual(['paid 25.00', 'refund_due 12.50']);
    const offered = await book(test, tenant, event, { quantity: 2, confirmed: true, paymentMethod: 'offered' });
    await inside(() => changes().cancelTicket(offered.tickets[0]!.id, { reason: 'staff' }));
    expect((await moneyOf(offered.id)).filter((money) => money.startsWith('refund'))).toEqual([]);
  });

  it('that cannot be refunded automatically is left to staff, with the reason', async () => {
    const paid = await sold(1);
    stripe.charges.clear();
    await inside(() => changes().cancel(paid.id, { reason: 'staff' }));
    const trouble = async (): Promise<boolean> => (await again(paid.id)).payments.at(-1)!.refundTrouble !== null;
    await until(trouble, true);
    const { payments } = await again(paid.id);
    expect(payments).toMatchObject([
      { kind: 'payment', status: 'paid' },
      { kind: 'refund', status: 'refund_due', refundTrouble: expect.stringContaining('No such payment_intent') },
    ]);
    const settle = () =>
      inside(() => test.app.get(RefundsService).settleByHand([payments[1]!.id], { method: 'transfer', userId: randomUUID() }));
    expect(await settle()).toEqual([payments[1]!.id]);
    expect(await settle()).toEqual([]);
    expect(await moneyOf(paid.id)).toEqual(['paid 12.50', 'refunded 12.50']);
  });
});

describe('an open payment', () => {
  it('keeps its amount: no ticket is cancelled while its checkout is being opened', async () => {
    // Without the check for a pending payment, the checkout charges €25.00 for one ticket.
    let open = (): void => undefined;
    stripe.gate = new Promise((resolve) => (open = resolve));
    const event = await newEvent(test, tenant);
    const opening = book(test, tenant, event, { quantity: 2 });
    const find = () =>
      test.database.query<{ id: string; reservation_id: string; amount: string }>(
        `select ticket.id, reservation_id from "${tenant.schemaName}".ticket where event_id = $1`,
        [event.id],
      );
    const pending = async (): Promise<number> =>
      (
        await test.database.query(
          `select 1 from "${tenant.schemaName}".payment p join "${tenant.schemaName}".reservation r on r.id = p.reservation_id
           where r.event_id = $1`,
          [event.id],
        )
      ).length;
    await until(pending, 1);
    const [ticket] = await find();
    const cancelOne = () => inside(() => changes().cancelTicket(ticket!.id, { reason: 'staff' }));
    const refused = await cancelOne().then(
      () => 'cancelled',
      (error: { reason: string }) => error.reason,
    );
    open();
    const held = await opening;
    expect(refused).toBe('transition');
    expect(stripe.sessions.get(sessionOf(held))!.amount_total).toBe(Number(held.amount) * 100);
  });

  it('asks for less when a ticket is cancelled, but not while somebody is at the checkout', async () => {
    const held = await book(test, tenant, await newEvent(test, tenant), { quantity: 2 });
    const cancelOne = () => inside(() => changes().cancelTicket(held.tickets[0]!.id, { reason: 'staff' }));
    await expect(cancelOne()).rejects.toMatchObject({ reason: 'transition' });
    expect(await again(held.id)).toMatchObject({ status: 'U', amount: '25.00' });

    await test.switchAccount(tenant, false);
    const waiting = await book(test, tenant, await newEvent(test, tenant), { quantity: 2 });
    await test.switchAccount(tenant, true);
    expect(waiting.status).toBe('R');
    await inside(() => changes().cancelTicket(waiting.tickets[0]!.id, { reason: 'staff' }));
    await inside(() => changes().confirm(waiting.id, 'card'));
    expect(await moneyOf(waiting.id)).toEqual(['paid 12.50']);
    expect(await again(waiting.id)).toMatchObject({ status: 'V', amount: '12.50' });
  });

  it('does not confirm the address: everybody at the checkout has the link', async () => {
    const email = 'somebody.else@example.org';
    const held = await book(test, tenant, await newEvent(test, tenant), { email });
    expect((await inside(() => changes().verify(held.id)))!.status).toBe('U');
    expect(await test.database.query(`select 1 from "${tenant.schemaName}".verified_email`)).toEqual([]);
  });

  it('ends its membership when it expires, and returns the stock once', async () => {
    const { price } = await inside(async () => {
      const product = await test.app.get(ProductsService).create({ name: 'Friends', category: 'A' });
      const input = { productId: product.id, name: 'Year', amount: '20', subscriptionType: 'Y', stock: 1 } as const;
      return { price: await test.app.get(PricesService).create(input) };
    });
    const take = (email: string) => inside(() => test.app.get(MembershipsService).create({ priceId: price.id, email }));
    const first = await take('ada@example.org');
    const { schemaName: schema } = tenant;
    const pass = async (): Promise<void> => {
      await test.database.query(`update "${schema}".membership set expires_at = now() - interval '1 second' where id = $1`, [first.id]);
      await test.database.query('update shared.job set due_at = now() where subject_id = $1 and due_at is not null', [first.id]);
    };
    const found = async () => (await inside(() => test.app.get(MembershipsService).find(first.id)))!;
    await pass();
    await until(async () => (await found()).releasedAt !== null, true);
    const second = await take('bob@example.org');
    expect(second.status).toBe('pending');
    await pass();
    await until(async () => (await found()).status, 'cancelled');
    await expect(take('eve@example.org')).rejects.toMatchObject({ reason: 'sold_out' });
  });
});

describe('without a mail server', () => {
  it('sets a paid reservation to PN: its mail is a file that reached nobody', async () => {
    const { id } = await sold(1);
    await until(async () => (await again(id)).status, 'PN');
    expect(await inside(() => test.app.get(TicketsService).list({ status: 'K' }))).not.toHaveLength(0);
  });
});
