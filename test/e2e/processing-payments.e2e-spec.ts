import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { DraftCompletionService } from '#selling';
import { HolderLinks, ReservationChangesService } from '#tickets';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { TenantDb } from '#tenancy';
import { book, letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { complete, hold } from '../support/drafts.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let inside: OnlinePayments['inside'];
let again: OnlinePayments['again'];
let deliver: OnlinePayments['deliver'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, inside, again, deliver } = payments);
  await test.acceptDelayed(tenant);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const days = (time: Date | null): number => ((time?.getTime() ?? 0) - Date.now()) / 86_400_000;

describe('paying by bank transfer', () => {
  it('keeps the places during a bank transfer, and mails the tickets when it has arrived', async () => {
    // Before, the hold expired after 15 minutes, its places were sold again, and the payment was refunded.
    const event = await newEvent(test, tenant, { capacity: 1, startsAt: new Date(Date.now() + 30 * 86_400_000) });
    const held = await book(test, tenant, event);
    const [first, again1] = [
      stripe.payLater(sessionOf(held)),
      stripe.event('checkout.session.completed', stripe.sessions.get(sessionOf(held))!),
    ];
    for (const told of [first, first, again1]) expect((await deliver(told)).status).toBe(200);
    const waiting = await again(held.id);
    expect(waiting).toMatchObject({ status: 'U', payments: [{ status: 'processing', paidAt: null }] });
    expect(days(waiting.expiresAt)).toBeGreaterThan(2.9);
    expect(days(waiting.expiresAt)).toBeLessThanOrEqual(3);
    await inside(() => test.app.get(ReservationChangesService).expire(held.id));
    await inside(() => test.app.get(ReservationChangesService).tidy(held.id));
    await expect(book(test, tenant, event)).rejects.toMatchObject({ reason: 'sold_out' });
    const page = await test
      .on(tenant)
      .get(await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: held.id })))
      .expect(200);
    expect(page.text).toContain('Your bank is processing your payment');
    await deliver(stripe.settle(sessionOf(held), 'succeeded'));
    expect(await again(held.id)).toMatchObject({ payments: [{ status: 'paid', paidAt: expect.any(Date) }] });
    await until(
      () => again(held.id),
      ({ status }) => status === 'V',
    );
    // An event that arrives out of order has no effect.
    await deliver(stripe.event('checkout.session.completed', { ...stripe.sessions.get(sessionOf(held))!, payment_status: 'unpaid' }));
    expect((await again(held.id)).payments.map(({ status }) => status)).toEqual(['paid']);
  });

  it('refunds a bank transfer when the places are gone or were paid at the venue', async () => {
    const event = await newEvent(test, tenant, { capacity: 2 });
    const [late, twice] = [await book(test, tenant, event), await book(test, tenant, event)];
    await deliver(stripe.payLater(sessionOf(twice)));
    await inside(() => test.app.get(ReservationChangesService).confirm(twice.id, 'card'));
    await letHoldsLapse(test, tenant);
    await inside(() => test.app.get(ReservationChangesService).expire(late.id));
    await book(test, tenant, event, { confirmed: true });
    await deliver(stripe.payLater(sessionOf(late)));
    expect(await again(late.id)).toMatchObject({ status: 'U', releasedAt: expect.any(Date), payments: [{ status: 'processing' }] });
    for (const held of [late, twice]) {
      await deliver(stripe.settle(sessionOf(held), 'succeeded'));
      await until(
        () => again(held.id),
        ({ payments }) => payments.at(-1)!.status === 'refunded',
      );
    }
    expect([(await again(late.id)).status, (await again(twice.id)).status]).toEqual(['C', expect.stringMatching(/^[PV]/)]);
  });

  it('keeps a membership during a bank transfer', async () => {
    const product = await inside(() => test.app.get(ProductsService).create({ name: 'Bank', category: 'A' }));
    const input = { productId: product.id, name: 'Yearly', amount: '20', subscriptionType: 'Y', stock: 1 } as const;
    const price = await inside(() => test.app.get(PricesService).create(input));
    const take = (email: string) => inside(() => test.app.get(MembershipsService).create({ priceId: price.id, email }));
    const waiting = await take('bank@example.org');
    await deliver(stripe.payLater(waiting.payments[0]!.reference!));
    const found = async () => (await inside(() => test.app.get(MembershipsService).find(waiting.id)))!;
    expect(days((await found()).expiresAt)).toBeGreaterThan(2.9);
    expect(days((await found()).expiresAt)).toBeLessThanOrEqual(3);
    await deliver(stripe.settle(waiting.payments[0]!.reference!, 'failed'));
    expect(await found()).toMatchObject({ status: 'cancelled', payments: [{ status: 'failed' }] });
  });

  it('holds nothing beyond the end of the sale, and never less than before', async () => {
    const startsAt = new Date(Date.now() + 30 * 86_400_000);
    const event = await newEvent(test, tenant, { startsAt });
    const heldOf = async (salesUntil: Date | null): Promise<number> => {
      await inside(() => test.app.get(PricesService).update(event.priceId, { salesUntil: null }));
      const held = await book(test, tenant, event);
      await inside(() => test.app.get(PricesService).update(event.priceId, { salesUntil }));
      await deliver(stripe.payLater(sessionOf(held)));
      return days((await again(held.id)).expiresAt);
    };
    expect(await heldOf(null)).toBeGreaterThan(2.9);
    expect(await heldOf(new Date(Date.now() + 86_400_000))).toBeCloseTo(1, 2);
    expect(await heldOf(new Date(Date.now() + 60_000))).toBeCloseTo(15 / 1440, 3);
    await inside(() => test.app.get(EventsService).update(event.id, { startsAt: new Date(Date.now() - 3_600_000) }));
    // An event without an end is over after six hours.
    expect(await heldOf(null)).toBeCloseTo(5 / 24, 2);
  });

  it('counts for the network of its buyer until it has arrived', async () => {
    const event = await newEvent(test, tenant, { startsAt: new Date(Date.now() + 30 * 86_400_000) });
    const draft = await hold(test, tenant, event, { network: 'bank' });
    const order = await inside(async () => test.app.get(DraftCompletionService).pay((await complete(test, tenant, draft))!));
    await deliver(stripe.payLater(sessionOf(order)));
    const keys = (): Promise<unknown[]> =>
      inside(() =>
        test.app
          .get(TenantDb)
          .transaction((tx) => tx.query('select network is not null as counts from reservation where id = $1', [draft])),
      );
    expect(await keys()).toEqual([{ counts: true }]);
    await deliver(stripe.settle(sessionOf(order), 'succeeded'));
    expect(await keys()).toEqual([{ counts: false }]);
  });

  it('is offered and keeps places only where the venue accepts it', async () => {
    const event = await newEvent(test, tenant);
    const accepted = await book(test, tenant, event);
    expect(stripe.sessions.get(sessionOf(accepted))).not.toHaveProperty('excluded_payment_method_types');
    await test.acceptDelayed(tenant, false);
    const held = await book(test, tenant, event);
    expect(JSON.stringify(stripe.sessions.get(sessionOf(held)))).toContain('sepa_debit');
    await deliver(stripe.payLater(sessionOf(held)));
    const waiting = await again(held.id);
    expect(waiting).toMatchObject({ status: 'U', payments: [{ status: 'processing' }] });
    expect(days(waiting.expiresAt)).toBeLessThan(0.02);
    await test.acceptDelayed(tenant);
  });

  it('cancels when a bank refuses later', async () => {
    const event = await newEvent(test, tenant);
    const held = await book(test, tenant, event);
    await deliver(stripe.payLater(sessionOf(held)));
    expect((await again(held.id)).status).toBe('U');
    await deliver(stripe.settle(sessionOf(held), 'failed'));
    expect(await again(held.id)).toMatchObject({ status: 'C', cancelReason: 'payment_failed' });
  });
});
