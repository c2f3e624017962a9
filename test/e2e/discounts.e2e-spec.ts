import { MembershipsService } from '#memberships';
import { CartsService, CounterSalesService, DraftExpiryService, lockDraftRow } from '#selling';
import { CodesService, DiscountsService, type CountedDiscount, type NewDiscount } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AccountVisits } from '../support/accounts.js';
import { book, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { addToCart, cartOf, completeCart, newCart } from '../support/carts.js';
import { CartForms, cookieOf } from '../support/cart-forms.js';
import { endHold } from '../support/drafts.js';
import { newPlan } from '../support/membership-plans.js';
import { wordsOf } from '../support/public-pages.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startStripeApp({ tenants: 'some', environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
});
beforeEach(async () => {
  tenant = await test.newVenue({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const discounts = (): DiscountsService => test.app.get(DiscountsService);
const newDiscount = (input: Partial<NewDiscount>): Promise<CountedDiscount> =>
  inside(() => discounts().create({ name: 'Less', kind: 'quantity', value: '20', ...input }));
const fourForThree = (): Promise<CountedDiscount> => newDiscount({ name: '4 for 3', kind: 'n_for_m', value: '100', least: 4, reduced: 1 });
const threeShows = (): Promise<CountedDiscount> => newDiscount({ name: 'Three shows', kind: 'events', least: 3 });
const eventAt = async (amount: string) => {
  const event = await newEvent(test, tenant);
  return { ...event, priceId: await newPrice(test, tenant, event.id, { amount }) };
};
const eventsAt = (amount: string, count: number) => Promise.all(Array.from({ length: count }, () => eventAt(amount)));
/** The hold of a draft has ended, and it leaves its cart. */
const leave = (id: string): Promise<void> =>
  inside(() =>
    test.app.get(TenantDb).transaction(async (tx) => {
      const draft = await lockDraftRow(tx, id);
      await test.app.get(DraftExpiryService).remove(tx, draft!);
    }),
  );
const amountsOf = async (cart: string): Promise<string[]> => (await cartOf(test, tenant, cart)).parts.map(({ amount }) => amount);

describe('a discount without a code', () => {
  it('reduces pieces: lines of the order, tickets and what is due say so, and a cancelled one is refunded as it was paid', async () => {
    const event = await eventAt('10.00');
    const discount = await fourForThree();
    expect((await book(test, tenant, event, { quantity: 3 })).amount).toBe('30.00');
    const sold = await book(test, tenant, event, { quantity: 9, confirmed: true });
    expect(sold.amount).toBe('70.00');
    expect(sold.tickets.filter(({ amount }) => amount === '0.00')).toHaveLength(2);
    const lines = await sql<{ quantity: number; amount: string; name: string | null }>(
      `select quantity, amount::text, used.name from order_line left join discount_use used on used.line_id = order_line.id
       where order_line.reservation_id = $1 order by quantity`,
      [sold.id],
    );
    expect(lines).toEqual([
      { quantity: 2, amount: '0.00', name: '4 for 3' },
      { quantity: 7, amount: '70.00', name: null },
    ]);
    expect(await inside(() => discounts().find(discount.id))).toMatchObject({ uses: 2, spent: '20.00' });
    // A change is seen by the next sale, whoever has read the offer before.
    await inside(() => discounts().update(discount.id, { disabled: true }));
    expect((await book(test, tenant, event, { quantity: 4 })).amount).toBe('40.00');
  });

  it('or a code, whichever saves more at a ticket; the code is used all the same', async () => {
    const event = await eventAt('10.00');
    await newDiscount({ least: 2 });
    const codes = test.app.get(CodesService);
    const [little, much] = await Promise.all(
      ['10', '30'].map((value) => inside(() => codes.create({ code: `C${randomUUID().slice(0, 8)}`, effect: 'percent', value }))),
    );
    expect((await book(test, tenant, event, { quantity: 2, code: little!.code })).amount).toBe('16.00');
    expect(await inside(() => codes.find(little!.id))).toMatchObject({ uses: 2, spent: '0.00' });
    expect((await book(test, tenant, event, { quantity: 2, code: much!.code })).amount).toBe('14.00');
  });

  it('is for members, not twice, and not for others', async () => {
    const plan = await newPlan(test, tenant, '20.00');
    const event = await eventAt('10.00');
    await newDiscount({ name: 'Members', kind: 'members', membershipId: plan.productId });
    const ada = { email: 'ada@example.org' };
    expect((await book(test, tenant, event, ada)).amount).toBe('10.00');
    await inside(() => test.app.get(MembershipsService).create({ priceId: plan.priceId, ...ada, paymentMethod: 'cash' }));
    expect((await book(test, tenant, event, ada)).amount).toBe('8.00');
    const own = await newPrice(test, tenant, event.id, { amount: '5.00', requiredMembershipId: plan.productId });
    expect((await book(test, tenant, { id: event.id, priceId: own }, ada)).amount).toBe('5.00');
    // On the pages: who is signed in, or buys the membership with the tickets.
    const cookie = await new AccountVisits(test, tenant).signIn(ada.email);
    const path = await forms.begin(event.slug, event.priceId, '2', { cookie });
    expect(wordsOf((await forms.get(path)).text)).toContain('Members: you save €4.');
    // Without the session, the form says what the order does then.
    expect(wordsOf((await forms.get(path)).text)).toContain('You pay online after you have opened the link in the mail.');
    const stranger = await forms.begin(event.slug, event.priceId, '2');
    expect(wordsOf((await forms.get(stranger)).text)).toContain('Members: for members who are signed in');
    const cart = await newCart(test, tenant, [event]);
    await inside(() => test.app.get(CartsService).addMembership(cart, plan.priceId));
    expect(await amountsOf(cart)).toEqual(['8.00']);
    const [{ id } = { id: '' }] = (await cartOf(test, tenant, cart)).chosen;
    await inside(() => test.app.get(CartsService).remove(cart, id));
    expect(await amountsOf(cart)).toEqual(['10.00']);
  });

  it('sells a set for its price, and keeps it when a copy of the product is sold', async () => {
    const event = await eventAt('12.00');
    const child = await newPrice(test, tenant, event.id, { amount: '6.00' });
    const parts = [
      { priceIds: [event.priceId], quantity: 2 },
      { priceIds: [child], quantity: 2 },
    ];
    await newDiscount({ name: 'Family', kind: 'set', value: '30', parts });
    const tickets = [
      { priceId: event.priceId, quantity: 3 },
      { priceId: child, quantity: 2 },
    ];
    expect((await book(test, tenant, event, { tickets })).amount).toBe('42.00');
  });
});

describe('several shows', () => {
  it('are counted in one cart: tickets are priced anew when one is added or leaves it', async () => {
    await threeShows();
    const [one, two, three] = await eventsAt('10.00', 3);
    const cart = await newCart(test, tenant, [one!, two!]);
    expect(await amountsOf(cart)).toEqual(['10.00', '10.00']);
    expect((await cartOf(test, tenant, cart)).missingDiscounts).toEqual([{ name: 'Three shows', what: 'events', count: 1, amount: null }]);
    await addToCart(test, tenant, cart, three!, { quantity: 2 });
    expect(await amountsOf(cart)).toEqual(['8.00', '8.00', '16.00']);
    const [first] = (await cartOf(test, tenant, cart)).parts;
    await inside(() => test.app.get(CartsService).remove(cart, first!.id));
    expect(await amountsOf(cart)).toEqual(['10.00', '20.00']);
    await addToCart(test, tenant, cart, one!);
    const done = await completeCart(test, tenant, cart);
    expect(done.parts.map(({ amount }) => amount)).toEqual(['8.00', '16.00', '8.00']);
  });

  // What leads to too few events; the form shows the new sum once, and the cart can be completed.
  it.each([
    ['holds ended and left the cart', (_: string, [first]: string[]) => leave(first!)],
    [
      'a part is removed beside a hold that has ended',
      async (cart: string, [first, , third]: string[]) => {
        await endHold(test, tenant, first!);
        await inside(() => test.app.get(CartsService).remove(cart, third!));
      },
    ],
    [
      'staff disable the discount, and the sale of what is held ends',
      async (_: string, [first]: string[], discount: string) => {
        await leave(first!);
        await inside(() => discounts().update(discount, { disabled: true }));
        await sql(`update price set sales_until = now() - interval '1 second'`);
      },
    ],
  ])('are not given when %s before the cart is completed', async (_, change) => {
    const { id } = await threeShows();
    const cart = await newCart(test, tenant, await eventsAt('10.00', 3));
    await change(
      cart,
      (await cartOf(test, tenant, cart)).parts.map((part) => part.id),
      id,
    );
    await expect(completeCart(test, tenant, cart)).rejects.toMatchObject({ reason: 'changed' });
    expect(await amountsOf(cart)).toEqual(['10.00', '10.00']);
    expect((await completeCart(test, tenant, cart)).parts).toHaveLength(2);
  });

  it('are not given for a hold that has ended and cannot be had any more: it is named, and may be removed', async () => {
    await threeShows();
    const [one, ...others] = await eventsAt('10.00', 3);
    const cart = await newCart(test, tenant, [one!, ...others]);
    const [first, , third] = (await cartOf(test, tenant, cart)).parts;
    await endHold(test, tenant, first!.id);
    await inside(() => test.app.get(CartsService).remove(cart, third!.id));
    await sql('update price set hidden = true where id = $1', [one!.priceId]);
    const refused = { partId: first!.id, cause: { reason: 'sale_ended' } };
    await expect(completeCart(test, tenant, cart)).rejects.toMatchObject(refused);
    await inside(() => test.app.get(CartsService).remove(cart, first!.id));
    expect((await completeCart(test, tenant, cart)).parts).toMatchObject([{ amount: '10.00' }]);
  });

  it('are given for three whole shows only, however removals and the last step meet', async () => {
    await threeShows();
    for (let round = 0; round < 3; round += 1) {
      const cart = await newCart(test, tenant, await eventsAt('10.00', 3));
      const [first, second] = (await cartOf(test, tenant, cart)).parts;
      await Promise.allSettled(
        crowd(3, (index): Promise<unknown> =>
          index === 1
            ? completeCart(test, tenant, cart)
            : inside(() => test.app.get(CartsService).remove(cart, (index === 0 ? first! : second!).id)),
        ),
      );
      const { parts } = await cartOf(test, tenant, cart);
      for (const { amount } of parts) expect(amount).toBe(parts.length === 3 ? '8.00' : '10.00');
    }
  });

  it('are counted at the box office', async () => {
    await threeShows();
    const events = await eventsAt('10.00', 3);
    const sale = { email: '', confirmed: true, origin: 'panel', paymentMethod: 'cash' } as const;
    const sell = (count: number) =>
      inside(() =>
        test.app.get(CounterSalesService).sell({
          reservations: events.slice(0, count).map(({ id, priceId }) => ({ ...sale, eventId: id, tickets: [{ priceId, quantity: 1 }] })),
          memberships: [],
        }),
      );
    expect((await sell(2)).reservations.map(({ amount }) => amount)).toEqual(['10.00', '10.00']);
    expect((await sell(3)).reservations.map(({ amount }) => amount)).toEqual(['8.00', '8.00', '8.00']);
  });
});

describe('what a buyer sees of discounts', () => {
  it('is what they save, and what is missing for the next one', async () => {
    await fourForThree();
    await newDiscount({ name: 'From €100', kind: 'value', leastAmount: '100' });
    const event = await eventAt('10.00');
    const three = wordsOf((await forms.get(await forms.begin(event.slug, event.priceId, '3'))).text);
    expect(three).toContain('4 for 3: 1 ticket is missing.');
    expect(three).toContain('From €100: tickets for €70 more are missing.');
    const path = await forms.begin(event.slug, event.priceId, '4');
    const four = wordsOf((await forms.get(path)).text);
    expect(four).toContain('4 for 3: you save €10.');
    expect(four).toContain('Total €30');
    const added = await forms.add(event, '3');
    const cart = String(added.headers['location']);
    expect(wordsOf((await forms.get(cart)).text)).toContain('4 for 3: 1 ticket is missing.');
    await forms.add(event, '4', cookieOf(added.headers));
    expect(wordsOf((await forms.get(cart)).text)).toContain('4 for 3: you save €10.');
  });
});
