import { CartsService, CartVerificationService, VenueInsteadService } from '#selling';
import { EventsService } from '#catalogue';
import { CartLinks } from '#page-kit';
import { HolderLinks } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountVisits } from '../support/accounts.js';
import { newEvent } from '../support/builders.js';
import { CartForms, freeEvent } from '../support/cart-forms.js';
import { addToCart, cartOf, completeCart, newCart, payCart, sessionOfCart } from '../support/carts.js';
import { newPlan } from '../support/membership-plans.js';
import { OnlinePayments } from '../support/online-payments.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

const hour = 3_600_000;

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let deliver: OnlinePayments['deliver'];
let forms: CartForms;

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, deliver } = payments);
  forms = new CartForms(test, tenant);
  await sql('insert into configuration (id, pay_at_venue_hours) values (1, 2) on conflict (id) do update set pay_at_venue_hours = 2');
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const soon = (): Date => new Date(Date.now() + 48 * hour);
const give = (cart: string, amount: string): Promise<boolean> => inside(() => test.app.get(CartsService).setDonation(cart, amount));

/** Parts of a cart as `status amount`, `@` for those that are paid at the venue. */
const statesOf = async (cart: string): Promise<string[]> =>
  (await cartOf(test, tenant, cart)).parts.map(
    ({ status, amount, payAtVenue }) => `${status === 'P' || status === 'FA' ? 'V' : status} ${amount}${payAtVenue ? ' @' : ''}`,
  );
const ledgerOf = (cart: string): Promise<string[]> =>
  sql<{ line: string }>(
    `select kind || ' ' || status || ' ' || amount as line from payment where order_id = $1 order by kind, amount desc, status`,
    [cart],
  ).then((rows) => rows.map(({ line }) => line));

/** A buyer who left the payment page of a cart, with its path on our pages. */
async function left(cart: string, email: string): Promise<{ session: string; path: string; ids: readonly string[] }> {
  const opened = await payCart(test, tenant, cart, { email });
  const path = await pathOf(cart);
  return { session: sessionOfCart(opened), path, ids: opened.parts.map(({ id }) => id) };
}

/** The path of a cart that was filled without a browser. */
async function pathOf(cart: string): Promise<string> {
  return inside(() => Promise.resolve(test.app.get(CartLinks).pathTo(cart)));
}

const change = (ids: readonly string[], signedIn?: string): Promise<boolean> =>
  inside(() => test.app.get(VenueInsteadService).change(ids, signedIn));

describe('the buyer of a cart who leaves the payment page', () => {
  it('pays at the venue instead: what is free is booked, what costs something is reserved, and can be paid online in the end', async () => {
    const email = 'signed@example.org';
    const [paid, free] = [await newEvent(test, tenant, { startsAt: soon() }), await freeEvent(test, tenant)];
    const cart = await newCart(test, tenant, [paid, free]);
    const { path, ids } = await left(cart, email);
    expect((await forms.get(path)).text).toContain('Pay at the venue instead');
    const cookie = await new AccountVisits(test, tenant).signIn(email);
    expect((await forms.post(`${path}/venue`, [], cookie)).headers['location']).toBe(path);
    expect(await statesOf(cart)).toEqual(['R 12.50 @', 'V 0.00']);
    const mails = await sql<{ kind: string }>(`select kind from mail where reservation_id = any($1) and status <> 'obsolete'`, [ids]);
    expect(mails.map(({ kind }) => kind).toSorted()).toEqual(['pay-at-venue', 'tickets']);
    expect((await forms.get(path)).text).toContain('Pay at the venue');
    const { linkVersion } = (await cartOf(test, tenant, cart)).parts[0]!;
    const own = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: ids[0]! }, linkVersion)));
    expect((await forms.get(own)).text).toContain('Pay online instead');
    expect((await forms.post(`${own}/online`, [])).headers['location']).toContain('http');
    await deliver(stripe.pay([...stripe.sessions.keys()].at(-1)!));
    expect(await statesOf(cart)).toEqual(['V 12.50 @', 'V 0.00']);
    expect(await ledgerOf(cart)).toEqual(['payment failed 12.50', 'payment paid 12.50', 'payment failed 0.00']);
  });

  it('confirms the address once for everything when nobody knows whose it is', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant, { startsAt: soon() }), await freeEvent(test, tenant)]);
    const { ids, path } = await left(cart, 'typed@example.org');
    expect(await change(ids)).toBe(true);
    expect(await statesOf(cart)).toEqual(['R 12.50 @', 'F 0.00']);
    expect((await forms.get(path)).text).toContain('Check your inbox');
    const verify = (version: number) => inside(() => test.app.get(CartVerificationService).verify(ids[1]!, version));
    expect(await verify(0)).toBeUndefined();
    expect(await statesOf(cart)).toEqual(['R 12.50 @', 'F 0.00']);
    await verify(1);
    expect(await statesOf(cart)).toEqual(['R 12.50 @', 'V 0.00']);
    const rows = await sql<{ until: Date | null }>('select pay_until as until from reservation where id = any($1)', [ids]);
    expect(rows.map(({ until: end }) => end)).toEqual([null, null]);
  });

  it('is told what is paid online only', async () => {
    const plan = await newPlan(test, tenant, '30.00');
    const cart = await newCart(test, tenant, [await newEvent(test, tenant, { startsAt: soon() })]);
    const next = await newEvent(test, tenant, { startsAt: new Date(Date.now() + hour) });
    await addToCart(test, tenant, cart, next);
    await inside(() => test.app.get(CartsService).addMembership(cart, plan.priceId));
    await give(cart, '5');
    const { path, ids, session } = await left(cart, 'member@example.org');
    const page = (await forms.get(path)).text;
    const { name } = await inside(async () => (await test.app.get(EventsService).find(next.id))!);
    for (const text of [
      'cannot be paid at the venue',
      `“${name}” begins too soon`,
      'a membership is paid online',
      'A donation is paid online',
    ])
      expect(page).toContain(text);
    expect(page).not.toContain(`${path}/venue`);
    expect(page).toContain(`href="${stripe.sessions.get(session)!.url}"`);
    expect((await forms.post(`${path}/venue`, [])).headers['location']).toBe(path);
    expect(await change(ids)).toBe(false);
    expect(await statesOf(cart)).toEqual(['U 12.50', 'U 12.50']);
  });

  it('gives the donation up for it, and gets that one back when the payment arrives all the same', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant, { startsAt: soon() }), await freeEvent(test, tenant)]);
    await give(cart, '5');
    const { path, session } = await left(cart, 'kind@example.org');
    const page = (await forms.get(path)).text;
    expect(page).toContain('Pay at the venue, without the donation');
    const [, id] = /name="without" value="([^"]+)"/.exec(page) as unknown as [string, string];
    await forms.post(`${path}/venue`, []);
    expect(await statesOf(cart)).toEqual(['U 12.50', 'U 0.00']);
    const paid = stripe.pay(session);
    expect((await forms.post(`${path}/venue`, [['without', id]])).status).toBe(303);
    expect(await statesOf(cart)).toEqual(['R 12.50 @', 'F 0.00']);
    expect((await cartOf(test, tenant, cart)).own).toEqual([]);
    expect((await deliver(paid)).status).toBe(200);
    expect(await statesOf(cart)).toEqual(['V 12.50 @', 'V 0.00']);
    expect((await forms.get(path)).text).not.toContain('This page has ended');
    await until(
      () => ledgerOf(cart),
      (lines) => lines.includes('refund refunded 5.00'),
    );
    expect(await ledgerOf(cart)).toEqual(['payment paid 12.50', 'payment paid 5.00', 'payment paid 0.00', 'refund refunded 5.00']);
  });

  it('books free tickets without the donation', async () => {
    const cart = await newCart(test, tenant, [await freeEvent(test, tenant)]);
    await give(cart, '5');
    const { path } = await left(cart, 'free@example.org');
    const page = (await forms.get(path)).text;
    expect(page).toContain('Book without the donation');
    const [, id] = /name="without" value="([^"]+)"/.exec(page) as unknown as [string, string];
    await forms.post(`${path}/venue`, [['without', id]]);
    expect(await statesOf(cart)).toEqual(['F 0.00']);
    expect((await forms.get(path)).text).toContain('Check your inbox');
  });

  it('pays once when the payment arrives while the way changes, in any order', async () => {
    for (let round = 0; round < 6; round += 1) {
      const email = `race${round}@example.org`;
      const cart = await newCart(test, tenant, [await newEvent(test, tenant, { startsAt: soon() }), await freeEvent(test, tenant)]);
      const { session, ids } = await left(cart, email);
      const paid = stripe.pay(session);
      const all = [
        async () => (await deliver(paid)).status,
        () => change(ids),
        () => change(ids.toReversed(), email),
        async () => (await deliver(stripe.runOut(session))).status,
      ];
      const answers = await Promise.all((round % 2 === 0 ? all : all.toReversed()).map((one) => one()));
      expect(answers.filter((one) => one === 200)).toHaveLength(2);
      expect((await statesOf(cart)).map((state) => state.split(' ')[0])).toEqual(['V', 'V']);
      expect(await ledgerOf(cart)).toEqual(['payment paid 12.50', 'payment paid 0.00']);
      expect(await change(ids)).toBe(false);
    }
  });

  it('completes anew for nobody: a second form leads to the same order', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant, { startsAt: soon() })]);
    const { ids } = await left(cart, 'twice@example.org');
    expect(await change(ids)).toBe(true);
    expect((await completeCart(test, tenant, cart)).parts.map((part) => part.id)).toEqual(ids);
  });
});
