import { CartCompletionService, CartsService, type CartContents } from '#selling';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '../support/builders.js';
import { addToCart, cartOf, completeCart, contactOf, newCart, sessionOfCart } from '../support/carts.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { OnlinePayments } from '../support/online-payments.js';
import { tenantWork } from '../support/tenant-work.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let deliver: OnlinePayments['deliver'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, deliver } = payments);
});
afterEach(async () => {
  stripe.slowMs = 0;
  await payments.settle();
});
afterAll(() => payments.stop());

const { inside } = tenantWork(() => ({ test, tenant }));

const pay = (cart: string, completed: CartContents): Promise<CartContents> =>
  inside(() => test.app.get(CartCompletionService).pay(cart, completed, `/cart/${cart}/mark`));

/** A cart with a membership and a ticket at its price. */
async function memberCart(): Promise<string> {
  const plan = await newPlan(test, tenant, '20.00');
  const event = await newEvent(test, tenant);
  const cart = await newCart(test, tenant, []);
  await addToCart(test, tenant, cart, { id: event.id, priceId: await newMemberPrice(test, tenant, event, plan, '5.00') });
  await inside(() => test.app.get(CartsService).addMembership(cart, plan.priceId));
  return cart;
}

const checkoutsOf = ({ parts, memberships }: CartContents): (string | null)[] => [
  ...new Set([...memberships, ...parts].flatMap((one) => one.payments.map(({ checkoutUrl }) => checkoutUrl))),
];
const ledgerOf = ({ parts, memberships }: CartContents): string[] =>
  [...memberships, ...parts].map((one) => one.payments.map(({ status, amount }) => `${status} ${amount}`).join(', '));

describe('a cart with a membership whose form is sent twice', () => {
  // Without the subjects in `PaymentsService.pendingCheckout`, the second one opens a checkout for the membership alone.
  it('has one checkout, when the second one read the cart before the first one opened it', async () => {
    const cart = await memberCart();
    const [first, second] = [await completeCart(test, tenant, cart), await cartOf(test, tenant, cart)];
    const before = stripe.sessions.size;
    const opened = await pay(cart, first);
    const again = await pay(cart, second);
    expect(stripe.sessions.size).toBe(before + 1);
    expect(checkoutsOf(again)).toEqual(checkoutsOf(opened));
    await deliver(stripe.pay(sessionOfCart(opened)));
    expect(ledgerOf(await cartOf(test, tenant, cart))).toEqual(['paid 20.00', 'paid 5.00']);
  });

  // Without the parts with an open checkout in `CartCompletionService.pay`, the second one opens a checkout for the membership alone.
  it('has one checkout, when the second one read the cart after the first one opened it', async () => {
    const cart = await memberCart();
    const opened = await pay(cart, await completeCart(test, tenant, cart));
    const before = stripe.sessions.size;
    const again = await pay(cart, await cartOf(test, tenant, cart));
    expect(stripe.sessions.size).toBe(before);
    expect(checkoutsOf(again)).toEqual(checkoutsOf(opened));
  });

  // Without `afterOthers` in `askStripe`, the later ones have no checkout.
  it('has one checkout, to which all of them lead, when they are sent at the same time', async () => {
    for (const slowMs of [0, 0, 0, 200]) {
      stripe.slowMs = slowMs;
      const cart = await memberCart();
      const contact = await contactOf(test, tenant, cart);
      const send = async (): Promise<CartContents> =>
        pay(cart, await inside(() => test.app.get(CartCompletionService).complete(cart, contact, randomUUID())));
      const before = stripe.sessions.size;
      const all = await Promise.all(Array.from({ length: 5 }, send));
      expect(stripe.sessions.size).toBe(before + 1);
      const checkouts = checkoutsOf(await cartOf(test, tenant, cart));
      expect(checkouts).toEqual([expect.stringContaining('http')]);
      for (const one of all) expect(checkoutsOf(one)).toEqual(checkouts);
    }
  });

  it('is not charged again while a bank processes its payment', async () => {
    const cart = await memberCart();
    const opened = await pay(cart, await completeCart(test, tenant, cart));
    await deliver(stripe.payLater(sessionOfCart(opened)));
    const before = stripe.sessions.size;
    const again = await pay(cart, await cartOf(test, tenant, cart));
    expect([stripe.sessions.size, ledgerOf(again)]).toEqual([before, ['processing 20.00', 'processing 5.00']]);
  });
});
