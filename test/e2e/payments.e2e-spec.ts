import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { ReservationChangesService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import { book, letHoldsLapse, newPrice, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newKey } from '../support/webhooks.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let post: OnlinePayments['post'];
let tenant: OnlinePayments['tenant'];
let inside: OnlinePayments['inside'];
let again: OnlinePayments['again'];
let cancel: OnlinePayments['cancel'];
let deliver: OnlinePayments['deliver'];
let refundsOf: OnlinePayments['refundsOf'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, post, tenant, inside, again, cancel, deliver, refundsOf } = payments);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

describe('paying online', () => {
  it('redirects the buyer to a checkout, and mails the tickets after the payment', async () => {
    const event = await newEvent(test, tenant);
    const held = await book(test, tenant, event, { quantity: 2, email: 'zoe@example.org', language: 'fr' });
    expect(held).toMatchObject({ status: 'U', tickets: [{ status: 'N' }, { status: 'N' }] });
    expect(held.payments).toMatchObject([{ provider: 'stripe', status: 'pending', amount: '25.00' }]);
    expect(held.payments[0]!.checkoutUrl).toContain('http');

    expect(await deliver(stripe.pay(sessionOf(held)))).toMatchObject({ status: 200 });
    const paid = await until(
      () => again(held.id),
      ({ status }) => status === 'V',
    );
    expect(paid).toMatchObject({ payments: [{ status: 'paid', paidAt: expect.any(Date) }], expiresAt: null });
    expect(paid.tickets.map(({ status }) => status)).toEqual(['K', 'K']);
    const mail = await until(
      () => post.mails.find(({ to }) => to.includes('zoe@example.org')),
      (found) => found !== undefined,
    );
    expect(mail!.parsed.subject).toContain(event.name);
    expect(mail!.parsed.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf', 'text/calendar']);
  });

  it('charges the amount that the buyer chose', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { amount: '5', freeAmount: true });
    const held = await book(test, tenant, event, { tickets: [{ priceId, quantity: 2, amount: '8.25' }] });
    expect(held).toMatchObject({ status: 'U', amount: '16.50', payments: [{ status: 'pending', amount: '16.50' }] });
    expect(stripe.sessions.get(sessionOf(held))).toMatchObject({ amount_total: 1650 });
    await deliver(stripe.pay(sessionOf(held)));
    await until(
      () => again(held.id),
      ({ status }) => status === 'V',
    );
    const none = await newPrice(test, tenant, event.id, { amount: '0', freeAmount: true });
    const given = await book(test, tenant, event, { tickets: [{ priceId: none, quantity: 1 }] });
    expect(given).toMatchObject({ status: 'F', amount: '0.00', payments: [] });
  });

  it('applies each provider event once, whatever the number, timing and order', async () => {
    const event = await newEvent(test, tenant, { capacity: 3 });
    const held = await book(test, tenant, event, { quantity: 3 });
    const paid = stripe.pay(sessionOf(held));
    const expired = stripe.event('checkout.session.expired', {
      ...stripe.sessions.get(sessionOf(held))!,
      payment_status: 'unpaid',
      status: 'expired',
    });
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => deliver(paid)),
      ...Array.from({ length: 3 }, () => deliver({ ...paid, id: paid.id })),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await deliver(expired)).status).toBe(200);
    const after = await until(
      () => again(held.id),
      ({ status }) => status === 'V',
    );
    expect(after.payments).toMatchObject([{ status: 'paid' }]);
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 3 });
    expect(refundsOf(held.payments[0]!.id)).toEqual([]);
  });

  it('gives late payments the places that are still free', async () => {
    const event = await newEvent(test, tenant, { capacity: 2 });
    const held = await book(test, tenant, event, { quantity: 2 });
    await letHoldsLapse(test, tenant);
    await inside(() => test.app.get(ReservationChangesService).expire(held.id));
    expect(await again(held.id)).toMatchObject({ status: 'U', releasedAt: expect.any(Date) });
    await deliver(stripe.pay(sessionOf(held)));
    expect(await again(held.id)).toMatchObject({ payments: [{ status: 'paid' }], releasedAt: null });
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 2 });
  });

  it('refunds late payments when the places are gone, and says so', async () => {
    const event = await newEvent(test, tenant, { capacity: 5 });
    const late = await Promise.all(Array.from({ length: 5 }, () => book(test, tenant, event, { email: `${randomUUID()}@example.org` })));
    await letHoldsLapse(test, tenant);
    await Promise.all(Array.from({ length: 3 }, () => book(test, tenant, event, { confirmed: true })));
    await Promise.all(late.map((reservation) => deliver(stripe.pay(sessionOf(reservation)))));
    const after = await until(
      () => Promise.all(late.map(({ id }) => again(id))),
      (all) => all.every(({ status, payments }) => status === 'V' || payments.at(-1)!.status === 'refunded'),
    );
    expect(after.filter(({ status }) => status === 'V')).toHaveLength(2);
    const refused = after.filter(({ status }) => status === 'C');
    expect(refused).toHaveLength(3);
    for (const { cancelReason, payments, email } of refused) {
      expect(cancelReason).toBe('too_late');
      expect(refundsOf(payments[0]!.id)).toHaveLength(1);
      await until(
        () => post.mails.filter(({ to }) => to.includes(email)),
        (mails) => mails.length === 1,
      );
    }
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 5, R: 3 });
  });

  it('refunds a cancelled reservation, and closes an unpaid checkout', async () => {
    const event = await newEvent(test, tenant);
    const [paid, waiting] = [await book(test, tenant, event), await book(test, tenant, event)];
    await deliver(stripe.pay(sessionOf(paid)));
    await cancel(paid.id);
    await cancel(waiting.id);
    await until(
      () => again(paid.id),
      ({ payments }) => payments.at(-1)!.status === 'refunded',
    );
    expect(refundsOf(paid.payments[0]!.id)).toHaveLength(1);
    await until(
      () => stripe.sessions.get(sessionOf(waiting))!.status,
      (status) => status === 'expired',
    );
    expect(await again(waiting.id)).toMatchObject({ status: 'C', payments: [{ status: 'failed' }] });
  });

  it('states the refund and its method in the mail, for every payment method, or that nothing was paid', async () => {
    const event = await newEvent(test, tenant);
    const mailTo = async (email: string): Promise<string> => {
      const mail = await until(
        // The mail with the tickets contains a PDF; this one contains at most a calendar file.
        () =>
          post.mails.findLast(
            ({ to, parsed }) => to.includes(email) && parsed.attachments.every(({ mimeType }) => mimeType !== 'application/pdf'),
          ),
        (found) => found !== undefined,
      );
      return mail!.parsed.text!.replaceAll(/\s+/g, ' ');
    };
    const online = await book(test, tenant, event, { quantity: 2, language: 'en' });
    await deliver(stripe.pay(sessionOf(online)));
    const sold = { confirmed: true, quantity: 2, language: 'en' } as const;
    const cash = await book(test, tenant, event, { ...sold, paymentMethod: 'cash' });
    const card = await book(test, tenant, event, { ...sold, paymentMethod: 'card', language: 'fr' });
    const offered = await book(test, tenant, event, { ...sold, paymentMethod: 'offered' });
    for (const { id } of [online, cash, card, offered]) await cancel(id);
    expect(await mailTo(online.email)).toContain('We are refunding €25 to the payment method you used');
    expect(await mailTo(cash.email)).toContain('You paid €25 in cash and will get it back at the venue');
    expect(await mailTo(card.email)).toMatch(/Vous avez payé 25\s€ par carte sur place/);
    expect(await mailTo(offered.email)).toContain('You paid nothing, so there is nothing to refund');
  });

  it('refunds an online payment of a reservation that was paid at the venue in the meantime', async () => {
    const event = await newEvent(test, tenant);
    const held = await book(test, tenant, event);
    const event1 = stripe.pay(sessionOf(held));
    await inside(() => test.app.get(ReservationChangesService).confirm(held.id, 'card'));
    await deliver(event1);
    const after = await until(
      () => again(held.id),
      ({ payments }) => payments.some(({ status }) => status === 'refunded'),
    );
    expect(after.status).toMatch(/^[PV]$/);
    expect(after.payments.map(({ provider, status }) => [provider, status])).toEqual([
      ['stripe', 'paid'],
      ['venue', 'paid'],
      ['stripe', 'refunded'],
    ]);
  });

  it('stores nothing when the provider is unreachable', async () => {
    const event = await newEvent(test, tenant, { capacity: 1 });
    stripe.fault = 'cut';
    await expect(book(test, tenant, event)).rejects.toMatchObject({ name: 'PaymentProviderUnavailable' });
    stripe.fault = undefined;
    expect(await book(test, tenant, event)).toMatchObject({ status: 'U' });
  });

  it('answers over the API that the provider is unreachable or refuses the payment, and stores nothing', async () => {
    const event = await newEvent(test, tenant, { capacity: 1 });
    const priceId = await newPrice(test, tenant, event.id);
    const authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write');
    const send = () =>
      test
        .on(tenant)
        .post('/api/v2/reservations/')
        .set('Authorization', authorization)
        .send({
          reservationFor: { identifier: event.id },
          underName: { email: 'zoe@example.org' },
          reservedTicket: [{ identifier: priceId, ticketQuantity: 1 }],
        });
    stripe.fault = 'error';
    const unavailable = await send().expect(503);
    expect([unavailable.body, unavailable.headers['retry-after']]).toMatchObject([{ code: 'payment.unavailable' }, '30']);
    stripe.fault = undefined;
    const key = stripe.secretKey;
    stripe.keys.clear();
    try {
      expect((await send().expect(409)).body).toMatchObject({ code: 'payment.refused' });
    } finally {
      stripe.keys.add(key);
    }
    expect(((await send().expect(201)).body as { checkoutUrl: string }).checkoutUrl).toContain('/pay/');
  });

  it('accepts events only from the account of this place', async () => {
    const event = await newEvent(test, tenant);
    const held = await book(test, tenant, event);
    const told = stripe.pay(sessionOf(held));
    const other = await test.newTenant();
    const url = `http://127.0.0.1:${test.port}/payments/stripe/`;
    const forged = stripe.signature(told, { secret: 'whsec_somebodyelsessecretsomebodyelse' });
    const old = stripe.signature(told, { timestamp: Math.floor(Date.now() / 1000) - 3600 });
    for (const answer of [
      await stripe.deliver(told, url, other.host),
      await stripe.deliver(told, url, tenant.host, forged),
      await stripe.deliver(told, url, tenant.host, old),
      await stripe.deliver(told, url, tenant.host, ''),
    ]) {
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'payment.event_refused' });
    }
    expect((await again(held.id)).status).toBe('U');
    await test.on(tenant).post('/payments/stripe/').send({ id: 'evt_1' }).expect(400);
  });

  it('sells memberships, too', async () => {
    const product = await inside(() => test.app.get(ProductsService).create({ name: 'Membership', category: 'A' }));
    const price = await inside(() =>
      test.app.get(PricesService).create({ productId: product.id, name: 'Yearly', amount: '20', subscriptionType: 'Y', stock: 1 }),
    );
    const take = (email: string) => inside(() => test.app.get(MembershipsService).create({ priceId: price.id, email }));
    const waiting = await take('ada@example.org');
    expect(waiting).toMatchObject({ status: 'pending', payments: [{ checkoutUrl: expect.any(String) }] });
    await expect(take('bob@example.org')).rejects.toMatchObject({ reason: 'sold_out' });
    await deliver(stripe.pay(waiting.payments[0]!.reference!));
    const active = (await inside(() => test.app.get(MembershipsService).find(waiting.id)))!;
    expect(active).toMatchObject({ status: 'active', expiresAt: null });
    const years = (active.validUntil!.getTime() - active.validFrom.getTime()) / 86_400_000;
    expect([365, 366]).toContain(Math.round(years));
    await until(
      () => post.mails.filter(({ to }) => to.includes('ada@example.org')),
      (mails) => mails.length === 1,
    );
  });
});
