import { DraftCompletionService } from '#selling';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AccountVisits } from '../support/accounts.js';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { completeCart, newCart, partsOfCart, payCart, sessionOfCart } from '../support/carts.js';
import { complete, hold } from '../support/drafts.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { outcome } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let visits: AccountVisits;

beforeAll(async () => {
  payments = await OnlinePayments.start({ RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' });
  ({ test, stripe, tenant } = payments);
  visits = new AccountVisits(test, tenant);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

type TestEvent = Awaited<ReturnType<typeof newEvent>>;

const someone = (): string => `${randomUUID()}@example.org`;
const twoEach = (): Promise<TestEvent> => newEvent(test, tenant, { maxPerUser: 2 });

/** Types an address into the form of an order that is paid online, and opens its payment page. @returns the id of the order */
async function opened(event: TestEvent, email: string, quantity: number, signedIn?: string): Promise<string> {
  const id = await hold(test, tenant, event, { quantity });
  const order = await complete(test, tenant, id, { email, ...(signedIn !== undefined && { signedIn }) });
  await payments.inside(() => test.app.get(DraftCompletionService).pay(order!));
  return id;
}

/** Pays an order on the payment page. */
const pay = async (id: string): Promise<void> => {
  await payments.deliver(stripe.pay(sessionOf(await payments.again(id))));
};

const stateOf = async (id: string): Promise<string> => {
  const { status, cancelReason } = await payments.again(id);
  return cancelReason ?? (['P', 'V'].includes(status) ? 'paid' : status);
};

/** What staff see of the money of an order, once refunds have been sent. */
const moneyOf = async (id: string): Promise<string[]> => {
  const { payments: all } = await until(
    () => payments.again(id),
    (now) => now.payments.every(({ status }) => status !== 'refund_due'),
  );
  return all.map(({ kind, status, amount }) => `${kind} ${status} ${amount}`);
};

describe('an order of a typed address that is paid online', () => {
  it('is accepted whatever the person has: the form tells nothing about the address', async () => {
    const event = await twoEach();
    const [guest, other] = [someone(), someone()];
    await pay(await opened(event, guest, 2));
    const answers: unknown[] = [];
    for (const email of [guest, other]) {
      const path = await visits.forms.begin(event.slug, event.priceId, '2');
      const { status, headers } = await visits.forms.complete(path, { email });
      answers.push([status, String(headers['location']).replace(/\/[^/]*$/, '')]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject([303, expect.stringMatching(/\/pay$/)]);
  });

  it('says the maximum of what was chosen, and what the person has only to the person', async () => {
    const event = await newEvent(test, tenant, { maxPerUser: 3 });
    const guest = someone();
    await pay(await opened(event, guest, 2));
    const beyond = { reason: 'limit_per_user' };
    expect(await outcome(opened(event, guest, 4))).toMatchObject({ ...beyond, facts: { held: 0, maximum: 3 } });
    expect(await outcome(opened(event, guest, 2, guest))).toMatchObject({ ...beyond, facts: { held: 2, maximum: 3, mayBook: 1 } });
  });

  it('does not use up the maximum of the person before it is paid, however many a stranger begins', async () => {
    const event = await twoEach();
    const guest = someone();
    const strange = await Promise.all([2, 2, 2].map((quantity) => opened(event, guest, quantity)));
    const own = await opened(event, guest, 2, guest);
    await pay(own);
    expect(await stateOf(own)).toBe('paid');
    await pay(strange[0]!);
    expect(await stateOf(strange[0]!)).toBe('limit');
    expect(await moneyOf(strange[0]!)).toEqual(['payment paid 25.00', 'refund refunded 25.00']);
  });

  it('is refunded when the person has the maximum, however many payments arrive at the same time, and says why', async () => {
    const event = await twoEach();
    const guest = someone();
    const ids = await Promise.all([2, 2, 2, 2].map((quantity) => opened(event, guest, quantity)));
    await Promise.all(ids.map((id) => pay(id)));
    const states = await Promise.all(ids.map((id) => stateOf(id)));
    expect(states.toSorted()).toEqual(['limit', 'limit', 'limit', 'paid']);
    for (const [index, id] of ids.entries())
      expect(await moneyOf(id)).toEqual(
        states[index] === 'paid' ? ['payment paid 25.00'] : ['payment paid 25.00', 'refund refunded 25.00'],
      );
    const refunds = await until(
      () => payments.post.mails.filter(({ to, parsed }) => to.includes(guest) && parsed.text?.includes('more than one person may have')),
      (mails) => mails.length === 3,
    );
    expect(refunds).toHaveLength(3);
  });

  it('counts with the maximum of a price, too, and once it is paid', async () => {
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, { name: 'One each', amount: '5.00', maxPerUser: 1 });
    const guest = someone();
    const one = { ...event, priceId };
    const [first, second] = [await opened(one, guest, 1), await opened(one, guest, 1)];
    await pay(first);
    await pay(second);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['paid', 'limit']);
    expect(await outcome(opened(one, guest, 1, guest))).toMatchObject({ reason: 'limit_per_user', facts: { held: 1 } });
  });
});

describe('a cart of a typed address', () => {
  it('is accepted whatever the person has, and refunded as a whole when its payment exceeds a maximum', async () => {
    const [event, other] = [await newEvent(test, tenant, { maxPerUser: 1 }), await newEvent(test, tenant)];
    const guest = someone();
    await pay(await opened(event, guest, 1));
    const cart = await newCart(test, tenant, [event, other]);
    const session = sessionOfCart(await payCart(test, tenant, cart, { email: guest }));
    await payments.deliver(stripe.pay(session));
    for (const { id } of await partsOfCart(test, tenant, cart)) {
      expect(await stateOf(id)).toBe('limit');
      expect(await moneyOf(id)).toEqual(['payment paid 12.50', 'refund refunded 12.50']);
    }
    const own = await newCart(test, tenant, [event, other]);
    expect(await outcome(completeCart(test, tenant, own, { email: guest, signedIn: guest }))).toMatchObject({
      cause: { reason: 'limit_per_user', facts: { held: 1 } },
    });
  });
});
