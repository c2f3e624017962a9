import { MembershipsService } from '#memberships';
import type { WholeReservation } from '#tickets';
import { JobsService } from '#jobs';
import { lookAtCheckoutJob, PaymentsService } from '#payments';
import { TenantDb } from '#tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { addToCart, cartOf, newCart, payCart, sessionOfCart } from '../support/carts.js';
import { newPlan } from '../support/membership-plans.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let inside: OnlinePayments['inside'];
let again: OnlinePayments['again'];
let deliver: OnlinePayments['deliver'];
let forms: OrderForms;

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, inside, again, deliver } = payments);
  forms = new OrderForms(test, tenant);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

/** The job that asks the provider is due now. */
const askNow = (id: string): Promise<void> =>
  inside(() => test.app.get(TenantDb).transaction((tx) => test.app.get(JobsService).add(tx, lookAtCheckoutJob, id)));

/** When the provider is asked next, in minutes from now; undefined: never. */
async function nextLook(id: string): Promise<number | undefined> {
  const [row] = await test.database.query<{ minutes: number | null }>(
    `select extract(epoch from due_at - now())::float8 / 60 as minutes from shared.job where kind = $2 and subject_id = $1`,
    [id, lookAtCheckoutJob],
  );
  return row ? (row.minutes ?? 0) : undefined;
}

const confirmed = (id: string): Promise<WholeReservation> =>
  until(
    () => again(id),
    ({ status }) => status === 'P' || status === 'V',
  );

/** The session of the last checkout, and the path to which its buyer returns. */
function lastCheckout(): { session: string; back: string } {
  const session = [...stripe.sessions.keys()].at(-1) as string;
  const { parameters } = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!;
  const { pathname, search } = new URL(parameters['success_url']!);
  return { session, back: pathname + search };
}

describe('a payment whose event is lost', () => {
  it('shows the tickets on the page to which the buyer returns; the event that arrives later, twice, changes nothing', async () => {
    const event = await newEvent(test, tenant);
    const path = await forms.begin(event.slug, event.priceId, '2');
    expect((await forms.complete(path)).status).toBe(303);
    const { session, back } = lastCheckout();
    const lost = stripe.pay(session);
    expect((await forms.get(back)).text).toContain(`data-again="${back.replace('paid=1', 'paid=2')}"`);
    const { id, payments: rows } = await confirmed(path.split('/')[2] as string);
    const shown = await forms.get(back.replace('paid=1', 'paid=2'));
    expect(shown.text).toContain('<svg');
    expect(shown.text).not.toContain('data-again');
    for (const sent of [lost, lost]) expect(await deliver(sent)).toMatchObject({ status: 200 });
    expect(rows).toMatchObject([{ status: 'paid', amount: '25.00' }]);
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 2 });
    expect(await nextLook(rows[0]!.id)).toBeUndefined();
    const mails = await until(
      () => payments.post.mails.filter(({ parsed }) => parsed.subject?.includes(event.name)),
      ({ length }) => length > 0,
    );
    expect(mails).toHaveLength(1);
    expect((await forms.get(`/order/${id}/${path.split('/')[3]}`)).status).toBe(303);
  });

  it('keeps the places of a buyer who did not return: the provider is asked before the hold ends', async () => {
    const held = await book(test, tenant, await newEvent(test, tenant));
    const { id } = held.payments[0]!;
    const minutes = (held.expiresAt!.getTime() - Date.now()) / 60_000;
    expect(await nextLook(id)).toBeGreaterThan(minutes - 2);
    expect(await nextLook(id)).toBeLessThan(minutes);
    stripe.pay(sessionOf(held));
    await askNow(id);
    expect(await confirmed(held.id)).toMatchObject({ expiresAt: null, payments: [{ status: 'paid' }] });
  });

  it('has one effect when the event and several requests about it arrive at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const event = await newEvent(test, tenant);
      const held = await book(test, tenant, event, { quantity: 2 });
      const paid = stripe.pay(sessionOf(held));
      await Promise.all([deliver(paid), askNow(held.payments[0]!.id), deliver(paid)]);
      expect((await confirmed(held.id)).payments).toHaveLength(1);
      expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 2 });
    }
  });

  it('of a cart and of a membership shows both where the buyer returns', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await addToCart(test, tenant, cart, await newEvent(test, tenant), { quantity: 2 });
    const held = await payCart(test, tenant, cart);
    stripe.pay(sessionOfCart(held));
    await askNow(held.parts.flatMap((part) => part.payments).find(({ reference }) => reference !== null)!.id);
    const { parts } = await until(
      () => cartOf(test, tenant, cart),
      (now) => now.parts.every(({ status }) => status === 'P' || status === 'V'),
    );
    expect(parts.map((part) => part.payments.map(({ status }) => status))).toEqual([['paid'], ['paid']]);

    const { priceId } = await newPlan(test, tenant, '20.00');
    const { text } = await forms.get(`/memberships/${priceId}`);
    const token = /name="form" value="([^"]+)"/.exec(text)![1] as string;
    const person = { email: 'grace@example.org', first_name: 'Grace', last_name: 'Hopper' };
    expect((await forms.post(`/memberships/${priceId}`, Object.entries({ form: token, ...person }))).status).toBe(303);
    const { session, back } = lastCheckout();
    stripe.pay(session);
    expect((await forms.get(back)).text).toContain('http-equiv="refresh"');
    const membership = back.split('/')[2] as string;
    await until(
      () => inside(() => test.app.get(MembershipsService).find(membership)),
      (found) => found?.status === 'active',
    );
    expect((await forms.get(back.replace('paid=1', 'paid=2'))).text).toContain('<svg');
  });

  it('is refunded when the reservation was cancelled before anybody heard of the payment', async () => {
    const held = await book(test, tenant, await newEvent(test, tenant));
    stripe.pay(sessionOf(held));
    await payments.cancel(held.id);
    const { payments: rows } = await until(
      () => again(held.id),
      (now) => now.payments.some(({ status }) => status === 'refunded'),
    );
    expect(rows.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['payment paid', 'refund refunded']);
    expect([...stripe.refunds.values()].filter(({ payment_intent: of }) => of === rows[0]!.providerPayment)).toHaveLength(1);
  });
});

describe('a checkout that is asked about', () => {
  const asked = (session: string): number =>
    stripe.requests.filter(({ method, path }) => method === 'GET' && path.includes(session)).length;

  it('stays as it is while nobody paid, also when the provider does not answer, and is asked about again', async () => {
    const held = await book(test, tenant, await newEvent(test, tenant));
    const { id } = held.payments[0]!;
    await askNow(id);
    await until(
      () => nextLook(id),
      (minutes) => minutes !== undefined && minutes > 20,
    );
    expect(asked(sessionOf(held))).toBe(1);
    stripe.fault = 'error';
    await askNow(id);
    await until(
      () => nextLook(id),
      (minutes) => minutes !== undefined && minutes > 0,
    );
    expect(asked(sessionOf(held))).toBe(2);
    stripe.fault = undefined;
    expect(await again(held.id)).toMatchObject({ status: 'U', payments: [{ status: 'pending' }] });
    stripe.runOut(sessionOf(held));
    await askNow(id);
    await until(
      () => again(held.id),
      ({ status }) => status === 'C',
    );
    await until(
      () => nextLook(id),
      (minutes) => minutes === undefined,
    );
  });

  it('keeps the places during a bank transfer, and ends it', async () => {
    await test.acceptDelayed(tenant);
    const held = await book(test, tenant, await newEvent(test, tenant, { startsAt: new Date(Date.now() + 30 * 86_400_000) }));
    const { id } = held.payments[0]!;
    stripe.payLater(sessionOf(held));
    await askNow(id);
    const waiting = await until(
      () => again(held.id),
      (now) => now.payments[0]!.status === 'processing',
    );
    expect(waiting.expiresAt!.getTime()).toBeGreaterThan(Date.now() + 2.9 * 86_400_000);
    await until(
      () => nextLook(id),
      (minutes) => minutes !== undefined && minutes > 20,
    );
    stripe.settle(sessionOf(held), 'succeeded');
    await askNow(id);
    await confirmed(held.id);
  });

  it('of another program or tenant is not applied', async () => {
    const held = await book(test, tenant, await newEvent(test, tenant));
    const session = stripe.sessions.get(sessionOf(held))!;
    Object.assign(session.metadata, { guichet_tenant: crypto.randomUUID() });
    stripe.pay(session.id);
    const { id } = held.payments[0]!;
    await askNow(id);
    await until(
      () => asked(session.id),
      (count) => count === 1,
    );
    expect(await again(held.id)).toMatchObject({ status: 'U' });
    await payments.cancel(held.id);
    const left = await inside(() => test.app.get(TenantDb).transaction((tx) => test.app.get(PaymentsService).ofCheckout(tx, id)));
    expect(left).toMatchObject([{ status: 'failed' }]);
  });
});
