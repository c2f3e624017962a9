import { MembershipsService } from '#memberships';
import type { NewPrice } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountVisits } from '../support/accounts.js';
import { book, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, cookieOf, type CartEvent } from '../support/cart-forms.js';
import { newMemberPrice, newPlan, type Plan } from '../support/membership-plans.js';
import { ticketsIn } from '../support/order-forms.js';
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

interface MemberEvent extends CartEvent {
  readonly memberPriceId: string;
}

/** An event for 12.50, and less for members. */
async function memberEvent(plan: Plan, amount = '5.00', more: Partial<NewPrice> = {}): Promise<MemberEvent> {
  const { id, slug, priceId } = await newEvent(test, tenant);
  return { id, slug, priceId, memberPriceId: await newMemberPrice(test, tenant, { priceId }, plan, amount, more) };
}

/** A cart with tickets for these events. @returns its path and cookie */
async function fill(quantity: string, ...events: readonly CartEvent[]): Promise<{ path: string; cookie: string }> {
  let [path, cookie] = ['', ''];
  for (const event of events) {
    const { headers } = await forms.add(event, quantity, cookie);
    [path, cookie] = [String(headers['location']), cookieOf(headers)];
  }
  return { path, cookie };
}

const textAt = async (path: string): Promise<string> => wordsOf((await forms.get(path)).text);

/** The fields of the button that saves money. */
const savingIn = (html: string): [string, string][] =>
  [...html.matchAll(/name="(membership|sum)" value="([^"]+)"/g)].map(([, name, value]) => [name!, value!]);

const save = async (path: string) => forms.post(`${path}/save`, savingIn((await forms.get(path)).text));
const pricesIn = (): Promise<{ priceId: string; count: number }[]> =>
  sql('select price_id as "priceId", count(*)::int as count from ticket group by 1 order by 2');

describe('a cart that is cheaper with a membership', () => {
  it('says what it saves, and is changed by one button', async () => {
    const plan = await newPlan(test, tenant, '20.00');
    const [one, other] = [await memberEvent(plan), await memberEvent(plan)];
    const { path } = await fill('2', one, other);
    const name = (await sql<{ name: string }>('select name from product where id = $1', [plan.productId]))[0]!.name;
    expect(await textAt(path)).toContain(`With ${name} (€20) this cart costs €40 instead of €50: you save €10.`);
    const fields = savingIn((await forms.get(path)).text);
    const answers = await Promise.all(crowd(4, () => forms.post(`${path}/save`, fields)));
    for (const { status, headers } of answers) expect([status, headers['location']]).toEqual([303, path]);
    const saved = await textAt(path);
    expect(saved).toContain('Total €40');
    expect(saved).not.toContain('you save');
    expect((await pricesIn()).map(({ priceId }) => priceId).toSorted()).toEqual([one.memberPriceId, other.memberPriceId].toSorted());
    await forms.post(`${path}/contact`, await forms.contact(path));
    expect(test.lastSession().amount_total).toBe(4000);
  });

  it('keeps its tickets when the membership leaves it, and says that they are for members', async () => {
    const plan = await newPlan(test, tenant, '20.00');
    const { path, cookie } = await fill('2', await memberEvent(plan), await memberEvent(plan));
    await save(path);
    const [, part = ''] = /id="part-([^"]+)"[^>]*><h2 dir="auto">Friends/.exec((await forms.get(path)).text) ?? [];
    await forms.post(`${path}/remove`, [['part', part]]);
    const page = await forms.get(path);
    expect(page.text.match(/These tickets are for members/g)).toHaveLength(2);
    expect(wordsOf(page.text)).toContain('Total €20');
    expect(ticketsIn((await forms.get(`${path}/contact`)).text)).toHaveLength(4);
    const joined = await forms.post(`/cart/membership/${plan.priceId}`, [], cookie);
    expect([joined.status, joined.headers['location']]).toEqual([303, path]);
    const paying = await forms.post(`${path}/contact`, await forms.contact(path));
    expect(paying.headers['location']).toContain('/pay/');
  });

  it('exchanges at most as many tickets as a person may have, and as are left', async () => {
    const plan = await newPlan(test, tenant, '2.00');
    const event = await memberEvent(plan, '5.00', { maxPerUser: 1 });
    const few = await memberEvent(plan, '5.00', { stock: 2 });
    const { path } = await fill('3', event, few);
    expect(await textAt(path)).toContain('costs €54.50 instead of €75: you save €20.50');
    await save(path);
    expect(Object.fromEntries((await pricesIn()).map(({ priceId, count }) => [priceId, count]))).toEqual({
      [event.memberPriceId]: 1,
      [event.priceId]: 2,
      [few.memberPriceId]: 2,
      [few.priceId]: 1,
    });
    expect((await forms.post(`${path}/contact`, await forms.contact(path))).status).toBe(303);
  });

  it('finds prices for members of a product of their own, when it is clear which tickets they replace', async () => {
    const plan = await newPlan(test, tenant, '2.00');
    const event = await newEvent(test, tenant);
    const own = await newPrice(test, tenant, event.id, { amount: '5.00', requiredMembershipId: plan.productId });
    const { path } = await fill('2', event);
    expect(await textAt(path)).toContain('(€2) this cart costs €12 instead of €25: you save €13.');
    // Goods, and admission that is for members only, change nothing.
    await newPrice(test, tenant, event.id, { amount: '1.00' }, 'M');
    await newPrice(test, tenant, event.id, { amount: '7.00', requiredMembershipId: plan.productId });
    expect(await textAt(path)).toContain('you save €13.');
    const other = await newPrice(test, tenant, event.id, { amount: '30.00' });
    expect(await textAt(path)).not.toContain('you save');
    await sql('update price set published = false where id = $1', [other]);
    await save(path);
    expect(await pricesIn()).toEqual([{ priceId: own, count: 2 }]);
    expect((await forms.post(`${path}/contact`, await forms.contact(path))).headers['location']).toContain('/pay/');
  });

  it('says what a membership saves that is sold at the venue only', async () => {
    const plan = await newPlan(test, tenant, '2.00');
    const event = await memberEvent(plan);
    await test.removeAccount(tenant);
    await sql('update configuration set pay_at_venue_hours = 0');
    const { path } = await fill('2', event);
    const page = await forms.get(path);
    expect(wordsOf(page.text)).toContain('this cart would cost €12 instead of €25: you would save €13. You can join at the venue.');
    expect(page.text).not.toContain(`action="${path}/save"`);
    expect(page.text).toContain('href="/account?next=%2Fcart"');
    expect(
      (
        await forms.post(`${path}/save`, [
          ['membership', plan.priceId],
          ['sum', '12.00'],
        ])
      ).headers['location'],
    ).toBe(path);
    expect(await sql(`select 1 from order_line where kind = 'membership' and membership_id is null`)).toEqual([]);
    const email = 'eve@example.org';
    await inside(() => test.app.get(MembershipsService).create({ priceId: plan.priceId, email, paymentMethod: 'cash' }));
    const visits = new AccountVisits(test, tenant);
    const cookie = await visits.signIn(email);
    const own = (await visits.get(path, cookie)).text;
    expect(wordsOf(own)).toContain('this cart costs €10 instead of €25: you save €15.');
    await forms.post(`${path}/save`, savingIn(own), cookie);
    expect(await pricesIn()).toEqual([{ priceId: event.memberPriceId, count: 2 }]);
  });

  it('uses a membership that is in the cart', async () => {
    const plan = await newPlan(test, tenant, '20.00');
    const { path, cookie } = await fill('1', await memberEvent(plan));
    expect(await textAt(path)).not.toContain('you save');
    await forms.post(`/cart/membership/${plan.priceId}`, [], cookie);
    expect(await textAt(path)).toContain('With the prices for members this cart costs €25 instead of €32.50: you save €7.50.');
    await save(path);
    expect(await textAt(path)).toContain('Total €25');
  });

  it('offers the prices for members without another membership to who is signed in as a member', async () => {
    const plan = await newPlan(test, tenant, '2.00');
    const email = 'mary@example.org';
    await inside(() => test.app.get(MembershipsService).create({ priceId: plan.priceId, email, paymentMethod: 'cash' }));
    const visits = new AccountVisits(test, tenant);
    const cookie = await visits.signIn(email);
    const { path } = await fill('2', await memberEvent(plan));
    expect(await textAt(path)).toContain('(€2) this cart costs €12 instead of €25');
    const own = (await visits.get(path, cookie)).text;
    expect(wordsOf(own)).toContain('With the prices for members this cart costs €10 instead of €25: you save €15.');
    await forms.post(`${path}/save`, savingIn(own), cookie);
    const saved = (await visits.get(path, cookie)).text;
    expect(wordsOf(saved)).toContain('Total €10');
    expect(saved).not.toContain('These tickets are for members');
    expect(await textAt(path)).toContain('These tickets are for members');
    expect((await forms.post(`${path}/contact`, await forms.contact(path, email), cookie)).headers['location']).toContain('/pay/');
  });

  it('is not suggested with what cannot be bought now', async () => {
    const closed: [string, Partial<NewPrice>, Partial<NewPrice>][] = [
      ['an unpublished membership', { published: false }, {}],
      ['a membership that is sold out', { stock: 0 }, {}],
      ['a membership whose sale is over', { salesUntil: new Date(Date.now() - 60_000) }, {}],
      ['a price that is sold out', {}, { stock: 0 }],
      ['a price whose sale is not open', {}, { salesFrom: new Date(Date.now() + 86_400_000) }],
      ['an unpublished price', {}, { published: false }],
      ['a price that is free to choose', {}, { freeAmount: true }],
      ['one that does not save anything', { amount: '15.00' }, {}],
    ];
    for (const [what, offer, price] of closed) {
      const plan = await newPlan(test, tenant, '2.00', offer);
      const { path } = await fill('2', await memberEvent(plan, '5.00', price));
      expect([what, await textAt(path)]).toEqual([what, expect.not.stringContaining('you save')]);
    }
    const plan = await newPlan(test, tenant, '2.00');
    const { path } = await fill('2', await memberEvent(plan));
    expect(await textAt(path)).toContain('you save');
    await test.removeAccount(tenant);
  });

  it('stays as it is when its prices changed, or are sold out, between the pages', async () => {
    const plan = await newPlan(test, tenant, '2.00');
    const event = await memberEvent(plan, '5.00', { stock: 2 });
    const { path } = await fill('2', event);
    const fields = savingIn((await forms.get(path)).text);
    await sql('update price set amount = 3.00 where id = $1', [plan.priceId]);
    expect((await forms.post(`${path}/save`, fields)).headers['location']).toBe(path);
    expect(await textAt(path)).toContain('costs €13 instead of €25');
    await sql('update price set required_membership_id = null where id = $1', [event.memberPriceId]);
    await book(test, tenant, { id: event.id, priceId: event.memberPriceId }, { confirmed: true, quantity: 2 });
    await sql('update price set required_membership_id = $2 where id = $1', [event.memberPriceId, plan.productId]);
    await save(path);
    await forms.post(`${path}/save`, fields);
    expect(await textAt(path)).toContain('2 × ');
    expect(await textAt(path)).toContain('Total €25');
    expect(await sql(`select 1 from order_line where kind = 'membership' and membership_id is null`)).toEqual([]);
  });
});

describe('memberships on the pages', () => {
  it('are added from their list, alone or with tickets, and removed', async () => {
    const plan = await newPlan(test, tenant, '20.00');
    const free = await newPlan(test, tenant, '0.00');
    const open = await newPlan(test, tenant, '5.00', { freeAmount: true });
    expect((await forms.get('/memberships')).text).not.toContain('/cart');
    const event = await memberEvent(plan);
    expect((await forms.get(`/event/${event.slug}`)).text).toContain(`formaction="/cart/event/${event.slug}"`);
    const list = (await forms.get('/memberships')).text;
    expect(list).toContain(`action="/cart/membership/${plan.priceId}"`);
    for (const { priceId } of [free, open]) expect(list).not.toContain(`/cart/membership/${priceId}`);
    const added = await forms.post(`/cart/membership/${plan.priceId}`, []);
    expect(added.status).toBe(303);
    const [path, cookie] = [String(added.headers['location']), cookieOf(added.headers)];
    expect(await textAt(path)).toContain('Total €20');
    const contact = await forms.get(`${path}/contact`);
    expect(contact.text).toMatch(/<button class="button">(?:Pay|Reserve – pay) €/);
    expect((await forms.add(event, '1', cookie)).headers['location']).toBe(path);
    const [, part = ''] = /name="part" value="([^"]+)"/.exec((await forms.get(path)).text) ?? [];
    await forms.post(`${path}/remove`, [['part', part]]);
    const sent = await forms.post(`${path}/contact`, await forms.contact(path));
    expect(sent.headers['location']).toContain('/pay/');
    const session = test.lastSession();
    expect(session.amount_total).toBe(2000);
    await test.deliver(test.stripe.pay(session.id), tenant);
    const done = await forms.get(`${path}?paid=1`);
    expect(done.text).toContain('Membership card');
    const [, card = ''] = /href="(\/membership\/[^"]+)"/.exec(done.text) ?? [];
    expect((await forms.get(card)).status).toBe(200);
  });

  it('that cannot be joined lead to their page', async () => {
    const plan = await newPlan(test, tenant, '20.00', { stock: 0 });
    for (const priceId of [plan.priceId, plan.priceId.toUpperCase()]) {
      const answer = await forms.post(`/cart/membership/${priceId}`, []);
      expect([answer.status, answer.headers['location']]).toEqual([303, `/memberships/${plan.priceId}`]);
    }
    expect((await forms.post('/cart/membership/none', [])).status).toBe(404);
  });

  it('that are withdrawn are named in the cart', async () => {
    const plan = await newPlan(test, tenant, '20.00');
    const event = await memberEvent(plan);
    const { path, cookie } = await fill('1', event);
    await forms.post(`/cart/membership/${plan.priceId}`, [], cookie);
    const fields = await forms.contact(path);
    await sql('update product set published = false where id = $1', [plan.productId]);
    const refused = await forms.post(`${path}/contact`, fields);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('This membership is not sold online any more. Remove it to continue.');
    expect(wordsOf(refused.text)).toContain('1 × ');
  });
});
