import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RefusedBooking, RefusedTransition, ReservationChangesService, ReservationsService } from '#tickets';
import { ProductsService, PricesService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { book, crowd, expectNoDrift, letHoldsLapse, newPrice, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const changes = (): ReservationChangesService => test.app.get(ReservationChangesService);
const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const cancel = (id: string) => inside(() => changes().cancel(id, { reason: 'staff' }));
const again = (id: string) => inside(() => test.app.get(ReservationsService).find(id));

async function refusalOf(work: Promise<unknown>): Promise<RefusedBooking> {
  const refusal = await work.then(() => undefined).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RefusedBooking);
  return refusal as RefusedBooking;
}

describe('booking', () => {
  it('sells confirmed reservations at once and stores the payment', async () => {
    const event = await newEvent(test, tenant);
    const sold = await book(test, tenant, event, {
      quantity: 2,
      confirmed: true,
      paymentMethod: 'card',
      firstName: 'Ada',
      lastName: 'Martin',
      tickets: [{ priceId: event.priceId, quantity: 2, holders: [{ firstName: 'Zoë', lastName: 'Łukasz' }] }],
    });
    expect(sold).toMatchObject({ status: 'V', amount: '25.00', expiresAt: null, confirmedAt: expect.any(Date) });
    expect(sold.tickets.map(({ status, firstName, position }) => [status, firstName, position])).toEqual([
      ['K', 'Zoë', 0],
      ['K', 'Ada', 1],
    ]);
    expect(sold.payments).toMatchObject([{ provider: 'venue', method: 'card', status: 'paid', amount: '25.00' }]);
  });

  it('holds unpaid reservations for 15 minutes', async () => {
    const event = await newEvent(test, tenant);
    const held = await book(test, tenant, event);
    expect(held).toMatchObject({ status: 'R', payments: [] });
    expect(held.tickets).toMatchObject([{ status: 'C' }]);
    const minutes = (held.expiresAt!.getTime() - held.createdAt.getTime()) / 60_000;
    expect(minutes).toBe(15);
  });

  it('asks buyers of free tickets to confirm their address, once', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { amount: '0' });
    const free = { id: event.id, priceId };
    const first = await book(test, tenant, free, { email: 'Ada@example.org' });
    expect(first).toMatchObject({ status: 'F', tickets: [{ status: 'N' }] });
    expect(await inside(() => changes().verify(first.id))).toMatchObject({ status: 'FA', tickets: [{ status: 'K' }] });
    expect(await book(test, tenant, free, { email: 'ada+2@EXAMPLE.org' })).toMatchObject({ status: 'FA' });
  });

  it('gives 10 places to 10 of 100 buyers and tells the others what is left', async () => {
    const event = await newEvent(test, tenant, { capacity: 10 });
    const answers = await Promise.allSettled(crowd(100, () => book(test, tenant, event)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const answer of answers) {
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ reason: 'sold_out', facts: { remaining: [{ remaining: 0 }] } });
    }
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ C: 10 });
  });

  it('limits the quantity per person, whatever the spelling of the address', async () => {
    const event = await newEvent(test, tenant, { maxPerUser: 4 });
    const limited = await newPrice(test, tenant, event.id, { maxPerUser: 2 });
    const spellings = ['ada@example.org', 'ADA@example.org', 'ada+spam@example.org', ' ada@EXAMPLE.org '];
    const answers = await Promise.allSettled(
      crowd(40, (index) =>
        book(test, tenant, index % 2 ? event : { id: event.id, priceId: limited }, {
          email: spellings[index % 4]!,
          confirmed: true,
        }),
      ),
    );
    const booked = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(booked).toHaveLength(4);
    expect(booked.filter(({ tickets }) => tickets[0]!.priceId === limited).length).toBeLessThanOrEqual(2);
    const refusal = await refusalOf(book(test, tenant, event, { email: 'ada@example.org' }));
    expect(refusal).toMatchObject({ reason: 'limit_per_user', facts: { mayBook: 0 } });
  });

  it('does not count expired holds, even when no job has run', async () => {
    const event = await newEvent(test, tenant, { capacity: 3, maxPerUser: 3 });
    const late = await book(test, tenant, event, { quantity: 3, email: 'late@example.org' });
    expect(await refusalOf(book(test, tenant, event))).toMatchObject({ reason: 'sold_out' });
    await letHoldsLapse(test, tenant);
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => book(test, tenant, event, { confirmed: true })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await refusalOf(inside(() => changes().confirm(late.id)))).toMatchObject({ reason: 'sold_out' });
    const [won] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    await cancel(won!.id);
    expect(await refusalOf(inside(() => changes().confirm(late.id)))).toMatchObject({ facts: { remaining: [{ remaining: 1 }] } });
  });

  it('accepts late confirmations while places are left', async () => {
    const event = await newEvent(test, tenant, { capacity: 2 });
    const late = await book(test, tenant, event, { quantity: 2 });
    await letHoldsLapse(test, tenant);
    await inside(() => changes().expire(late.id));
    expect(await again(late.id)).toMatchObject({ status: 'R', releasedAt: expect.any(Date) });
    expect(await inside(() => changes().confirm(late.id))).toMatchObject({ status: 'V', releasedAt: null });
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 2 });
  });

  it('refuses a late confirmation that would exceed the maximum per person', async () => {
    const event = await newEvent(test, tenant, { maxPerUser: 1 });
    const email = 'twice@example.org';
    const old = await book(test, tenant, event, { email });
    await letHoldsLapse(test, tenant);
    await book(test, tenant, event, { email, confirmed: true });
    expect(await refusalOf(inside(() => changes().confirm(old.id)))).toMatchObject({ reason: 'limit_per_user' });
  });

  it('frees cancelled places exactly once, however often a reservation is cancelled', async () => {
    const event = await newEvent(test, tenant, { capacity: 4 });
    const sold = await book(test, tenant, event, { quantity: 3, confirmed: true });
    await Promise.all(Array.from({ length: 20 }, () => cancel(sold.id)));
    expect(await again(sold.id)).toMatchObject({
      status: 'C',
      cancelReason: 'staff',
      payments: [{ status: 'paid' }, { kind: 'refund', status: 'refund_due' }],
    });
    await expect(inside(() => changes().confirm(sold.id))).rejects.toBeInstanceOf(RefusedTransition);
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => book(test, tenant, event)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  it('refuses to cancel once a ticket is scanned, but cancels other tickets of the reservation', async () => {
    const event = await newEvent(test, tenant);
    const sold = await book(test, tenant, event, { quantity: 3, confirmed: true });
    const [first, second, third] = sold.tickets;
    await inside(() =>
      test.app.get(TenantDb).transaction((tx) => tx.query(`update ticket set status = 'S', scanned_at = now() where id = $1`, [first!.id])),
    );
    await expect(cancel(sold.id)).rejects.toMatchObject({ reason: 'scanned' });
    const cancelTicket = (id: string) => inside(() => changes().cancelTicket(id, { reason: 'staff' }));
    await expect(cancelTicket(first!.id)).rejects.toMatchObject({ reason: 'scanned' });
    await Promise.all([second!, second!, third!].map(({ id }) => cancelTicket(id)));
    expect(await again(sold.id)).toMatchObject({ status: 'V' });
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ S: 1, R: 2 });
  });

  it('requires the membership of the price', async () => {
    const event = await newEvent(test, tenant);
    const membership = await inside(() => test.app.get(ProductsService).create({ name: 'Membership', category: 'A' }));
    await inside(() =>
      test.app.get(PricesService).create({ productId: membership.id, name: 'Yearly', amount: '0', subscriptionType: 'Y' }),
    );
    const priceId = await newPrice(test, tenant, event.id, { requiredMembershipId: membership.id });
    const members = { id: event.id, priceId };
    expect(await refusalOf(book(test, tenant, members))).toMatchObject({ reason: 'membership_required' });
  });

  it('cancels unpaid holds a day later', async () => {
    const event = await newEvent(test, tenant);
    const held = await book(test, tenant, event);
    await letHoldsLapse(test, tenant, '25 hours');
    await inside(() => changes().expire(held.id));
    await inside(() => changes().tidy(held.id));
    expect(await again(held.id)).toMatchObject({ status: 'C', cancelReason: 'expired', tickets: [{ status: 'R' }] });
  });
});
