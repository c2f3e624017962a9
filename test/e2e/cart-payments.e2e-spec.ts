import { CartCompletionService } from '#selling';
import { ReservationChangesService, type WholeReservation } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, letHoldsLapse, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { addToCart, completeCart, newCart, partsOfCart, payCart, sessionOfCart } from '../support/carts.js';
import { OnlinePayments } from '../support/online-payments.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let inside: OnlinePayments['inside'];
let deliver: OnlinePayments['deliver'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, inside, deliver } = payments);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

type TestEvent = Awaited<ReturnType<typeof newEvent>>;

const parts = (cart: string): Promise<readonly WholeReservation[]> => partsOfCart(test, tenant, cart);
const statesOf = async (cart: string): Promise<string[]> => (await parts(cart)).map(({ status }) => (status === 'P' ? 'V' : status));
const paymentsOf = async (cart: string): Promise<string[]> =>
  (await parts(cart)).map((part) => part.payments.map(({ kind, status, amount }) => `${kind} ${status} ${amount}`).join(', '));
const release = async (of: readonly WholeReservation[]): Promise<void> => {
  await letHoldsLapse(test, tenant);
  for (const { id } of of) await inside(() => test.app.get(ReservationChangesService).expire(id));
};
const settled = (cart: string): Promise<string[]> =>
  until(
    () => paymentsOf(cart),
    (now) => now.every((one) => !one.includes('refund_due')),
  );

async function events(count: number, capacity = 10): Promise<TestEvent[]> {
  const made: TestEvent[] = [];
  for (let index = 0; index < count; index += 1) made.push(await newEvent(test, tenant, { capacity }));
  return made;
}

/** A cart with tickets for two events whose checkout is open. */
async function opened(chosen?: readonly TestEvent[]): Promise<{ cart: string; session: string; held: readonly WholeReservation[] }> {
  const cart = await newCart(test, tenant, chosen ?? (await events(2)));
  const held = await payCart(test, tenant, cart);
  return { cart, session: sessionOfCart(held), held: held.parts };
}

describe('one payment for several events', () => {
  it('sells everything, also what is free, once, however often and concurrently the event is delivered', async () => {
    const [first, second] = (await events(2)) as [TestEvent, TestEvent];
    const free = { ...first, priceId: await newPrice(test, tenant, first.id, { name: 'Free', amount: '0.00' }) };
    const cart = await newCart(test, tenant, [second]);
    await addToCart(test, tenant, cart, free, { quantity: 2 });
    const third = await newEvent(test, tenant);
    await addToCart(test, tenant, cart, third, { quantity: 3 });
    const before = stripe.sessions.size;
    const completed = await completeCart(test, tenant, cart);
    expect(completed.parts.map(({ status, amount }) => `${status} ${amount}`)).toEqual(['R 12.50', 'R 0.00', 'R 37.50']);
    const pay = () => inside(() => test.app.get(CartCompletionService).pay(cart, completed, `/cart/${cart}/mark`));
    const held = await Promise.all([pay(), pay(), pay()]);
    expect(stripe.sessions.size).toBe(before + 1);
    const session = stripe.sessions.get(sessionOfCart(held[0]))!;
    expect(session.amount_total).toBe(5000);
    expect(await paymentsOf(cart)).toEqual(['payment pending 12.50', 'payment pending 0.00', 'payment pending 37.50']);
    for (const part of await parts(cart)) expect(part.payments.at(-1)!.checkoutUrl).toBe(session['url']);
    const paid = stripe.pay(session.id);
    const again = stripe.event('checkout.session.completed', session);
    await Promise.all([paid, paid, again, paid, again].map((event) => deliver(event)));
    expect(await statesOf(cart)).toEqual(['V', 'V', 'V']);
    expect(await paymentsOf(cart)).toEqual(['payment paid 12.50', 'payment paid 0.00', 'payment paid 37.50']);
    expect((await parts(cart)).flatMap(({ tickets }) => tickets.map(({ status }) => status))).toEqual(Array(6).fill('K'));
    expect((await deliver(stripe.runOut(session.id))).status).toBe(200);
    expect(await statesOf(cart)).toEqual(['V', 'V', 'V']);
  });

  it('refunds the amount of each part of the common payment', async () => {
    const { cart, session, held } = await opened();
    await deliver(stripe.pay(session));
    const intent = stripe.sessions.get(session)!.payment_intent!;
    await payments.cancel(held[0]!.id);
    await until(
      () => stripe.charges.get(intent)!.amount_refunded,
      (amount) => amount === 1250,
    );
    await deliver(stripe.refunded(intent));
    expect(await settled(cart)).toEqual(['payment paid 12.50, refund refunded 12.50', 'payment paid 12.50']);
    expect(await statesOf(cart)).toEqual(['C', 'V']);
    await payments.cancel(held[1]!.id);
    expect(await settled(cart)).toEqual(Array(2).fill('payment paid 12.50, refund refunded 12.50'));
    expect(stripe.charges.get(intent)).toMatchObject({ amount_refunded: 2500, refunded: true });
    await deliver(stripe.refunded(intent));
    expect(await paymentsOf(cart)).toEqual(Array(2).fill('payment paid 12.50, refund refunded 12.50'));
  });

  it('records refunds that staff make on the pages of the provider, at most the amount of each part', async () => {
    const { cart, session } = await opened();
    await deliver(stripe.pay(session));
    const intent = stripe.sessions.get(session)!.payment_intent!;
    await deliver(stripe.refundOnPages(intent, 2000));
    const sums = (await parts(cart)).map((part) => part.payments.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount));
    expect(sums.toSorted()).toEqual([['12.50'], ['7.50']]);
    await deliver(stripe.refundOnPages(intent, 500));
    const all = (await parts(cart)).flatMap((part) => part.payments.filter(({ kind }) => kind === 'refund'));
    expect(all.map(({ amount }) => amount).toSorted()).toEqual(['12.50', '5.00', '7.50']);
  });

  it('ends everything when the checkout expires, and refunds everything when it was paid nevertheless', async () => {
    const { cart, session } = await opened();
    const paid = stripe.pay(session);
    await deliver(
      stripe.event('checkout.session.expired', { ...stripe.sessions.get(session)!, payment_status: 'unpaid', status: 'expired' }),
    );
    expect(await statesOf(cart)).toEqual(['C', 'C']);
    expect(await paymentsOf(cart)).toEqual(['payment failed 12.50', 'payment failed 12.50']);
    await deliver(paid);
    expect(await settled(cart)).toEqual(Array(2).fill('payment paid 12.50, refund refunded 12.50'));
    expect(await statesOf(cart)).toEqual(['C', 'C']);
  });

  it('refunds everything of a late payment when one event is sold out', async () => {
    const [wide, narrow] = (await events(2, 1)) as [TestEvent, TestEvent];
    const { cart, session, held } = await opened([wide, narrow]);
    await release(held);
    await book(test, tenant, narrow, { confirmed: true });
    await deliver(stripe.pay(session));
    expect(await settled(cart)).toEqual(Array(2).fill('payment paid 12.50, refund refunded 12.50'));
    expect(await statesOf(cart)).toEqual(['C', 'C']);
    // The place of the other event is free.
    await book(test, tenant, wide, { confirmed: true });
  });

  // Without the check of all parts in `ProviderEventHandlerService.paid`, the other part is sold.
  it('refunds everything when one part was cancelled before the payment arrived', async () => {
    const { cart, session, held } = await opened();
    const paid = stripe.pay(session);
    await payments.cancel(held[0]!.id);
    await deliver(paid);
    expect(await settled(cart)).toEqual(Array(2).fill('payment paid 12.50, refund refunded 12.50'));
    expect(await statesOf(cart)).toEqual(['C', 'C']);
  });

  it('is closed for all parts when one of them is cancelled', async () => {
    const { cart, session, held } = await opened();
    await payments.cancel(held[1]!.id);
    await until(
      () => stripe.sessions.get(session)!.status,
      (status) => status === 'expired',
    );
    await deliver(stripe.event('checkout.session.expired', stripe.sessions.get(session)!));
    expect(await statesOf(cart)).toEqual(['C', 'C']);
  });

  it('keeps what staff sold at the venue meanwhile, and refunds only that part', async () => {
    const { cart, session, held } = await opened();
    const paid = stripe.pay(session);
    await inside(() => test.app.get(ReservationChangesService).confirm(held[0]!.id, 'cash'));
    await deliver(paid);
    expect(await statesOf(cart)).toEqual(['V', 'V']);
    const [first, second] = await settled(cart);
    expect(first?.split(', ').toSorted()).toEqual(['payment paid 12.50', 'payment paid 12.50', 'refund refunded 12.50']);
    expect(second).toBe('payment paid 12.50');
  });

  it('keeps all places during a bank transfer', async () => {
    await test.acceptDelayed(tenant);
    const { cart, session } = await opened();
    await deliver(stripe.payLater(session));
    expect(await paymentsOf(cart)).toEqual(Array(2).fill('payment processing 12.50'));
    for (const { expiresAt } of await parts(cart)) expect((expiresAt!.getTime() - Date.now()) / 3_600_000).toBeGreaterThan(6);
    await deliver(stripe.settle(session, 'succeeded'));
    expect(await statesOf(cart)).toEqual(['V', 'V']);
  });

  it('begins a new checkout after the provider failed, for the same tickets', async () => {
    const cart = await newCart(test, tenant, await events(2));
    const completed = await completeCart(test, tenant, cart);
    const pay = () => inside(() => test.app.get(CartCompletionService).pay(cart, completed, `/cart/${cart}/mark`));
    stripe.fault = 'kept error';
    await expect(pay()).rejects.toThrow();
    expect(await paymentsOf(cart)).toEqual(Array(2).fill('payment failed 12.50'));
    stripe.fault = undefined;
    await deliver(stripe.pay(sessionOfCart(await pay())));
    expect(await statesOf(cart)).toEqual(['V', 'V']);
  });
});

describe('late payments of many carts at the same time', () => {
  it('sell each cart as a whole or not at all', async () => {
    const [one, other] = (await events(2, 4)) as [TestEvent, TestEvent];
    const all: { cart: string; session: string }[] = [];
    for (const order of [
      [one, other],
      [other, one],
    ])
      for (let round = 0, held: WholeReservation[] = []; round < 4; round += 1) {
        const made = await opened(order);
        all.push(made);
        held = [...held, ...made.held];
        if (round === 3) await release(held);
      }
    const paid = all.map(({ session }) => stripe.pay(session));
    await Promise.all(paid.flatMap((event) => [deliver(event), deliver(event)]));
    const states = await Promise.all(all.map(({ cart }) => statesOf(cart)));
    expect(states.map((of) => of.join('')).toSorted()).toEqual([...Array(4).fill('CC'), ...Array(4).fill('VV')]);
    for (const { cart } of all) await settled(cart);
    const refunded = all.map(({ session }) => stripe.charges.get(stripe.sessions.get(session)!.payment_intent!)!.amount_refunded);
    expect(refunded.toSorted((left, right) => left - right)).toEqual([...Array(4).fill(0), ...Array(4).fill(2500)]);
  });
});
