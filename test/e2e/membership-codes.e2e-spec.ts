import { MembershipsService, type NewMembership, type WholeMembership } from '#memberships';
import { CartsService, CounterSalesService } from '#selling';
import { CodesService, type NewCode } from '#tickets';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, crowd } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { addToCart, cartOf, newCart, payCart, sessionOfCart } from '../support/carts.js';
import { newPlan, type Plan } from '../support/membership-plans.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { staffOf } from '../support/panel-staff.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { newKey } from '../support/webhooks.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let tenant: OnlinePayments['tenant'];
let forms: OrderForms;

beforeAll(async () => {
  payments = await OnlinePayments.start({ RATE_PAGES: '100000/min' });
  ({ test, tenant } = payments);
  forms = new OrderForms(test, tenant);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const plan = (amount = '40.00', more = {}): Promise<Plan> => newPlan(test, tenant, amount, more);
const newCode = (input: Partial<NewCode> = {}) =>
  inside(() =>
    test.app
      .get(CodesService)
      .create({ code: `M${randomUUID().slice(0, 8)}`, effect: 'percent', value: '25', appliesTo: 'memberships', ...input }),
  );
const usesOf = async ({ id }: { readonly id: string }) => (await inside(() => test.app.get(CodesService).find(id)))!;
const buy = ({ priceId }: Plan, more: Partial<NewMembership> = {}): Promise<WholeMembership> =>
  inside(() => test.app.get(MembershipsService).create({ priceId, email: `${randomUUID()}@example.org`, ...more }));
const refused = (reason: string): unknown => expect.objectContaining({ reason, field: 'code' });
const lapse = ({ id }: WholeMembership) => sql(`update membership set expires_at = now() - interval '1 second' where id = $1`, [id]);
const pay = (membership: WholeMembership) => payments.deliver(payments.stripe.pay(sessionOf(membership)));
const statusOf = async ({ id }: WholeMembership) => (await inside(() => test.app.get(MembershipsService).find(id)))!.status;

describe('a code for memberships', () => {
  it('reduces what it names, or all memberships, and no tickets', async () => {
    const [one, other] = [await plan(), await plan('10.00')];
    const named = await newCode({ productIds: [one.productId] });
    const made = await buy(one, { code: named.code });
    expect(made).toMatchObject({ amount: '30.00', payments: [{ amount: '30.00' }] });
    expect(await sql('select unit_amount::text as unit, amount::text from order_line where membership_id = $1', [made.id])).toEqual([
      { unit: '30.00', amount: '30.00' },
    ]);
    expect(await outcome(buy(other, { code: named.code }))).toEqual(refused('code_elsewhere'));
    const all = await newCode({ effect: 'price', value: '5' });
    expect(await buy(other, { code: all.code, paymentMethod: 'cash' })).toMatchObject({ amount: '5.00', status: 'active' });
    const event = await newEvent(test, tenant);
    expect(await outcome(book(test, tenant, event, { code: all.code }))).toEqual(refused('code_elsewhere'));
    const forTickets = await newCode({ appliesTo: 'tickets', productIds: [one.productId] });
    expect(await outcome(buy(one, { code: forTickets.code }))).toEqual(refused('code_elsewhere'));
    const both = await newCode({ appliesTo: 'both', maxUses: 2, budget: '20' });
    await buy(one, { code: both.code });
    await book(test, tenant, event, { code: both.code });
    expect(await outcome(buy(one, { code: both.code }))).toEqual(refused('code_used_up'));
    expect(await outcome(book(test, tenant, event, { code: both.code }))).toEqual(refused('code_used_up'));
    expect((await usesOf(both)).uses).toBe(2);
  });

  it('is one use, given to one of twenty parallel purchases, and to one of twenty for the last euro of a budget', async () => {
    for (const limit of [{ maxUses: 1 }, { budget: '10.00' }]) {
      const plans = await Promise.all(Array.from({ length: 5 }, () => plan()));
      const last = await newCode(limit);
      const answers = await Promise.allSettled(crowd(20, (index) => buy(plans[index % 5]!, { code: last.code, paymentMethod: 'cash' })));
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toEqual(refused('code_used_up'));
      expect(await usesOf(last)).toMatchObject({ uses: 1, spent: '10.00' });
    }
  });

  it('comes back with what lapses or is cancelled, and is asked again when that is paid', async () => {
    const one = await plan();
    const code = await newCode({ maxUses: 1 });
    const first = await buy(one, { code: code.code });
    expect(await usesOf(code)).toMatchObject({ uses: 1, spent: '10.00' });
    await lapse(first);
    expect((await usesOf(code)).uses).toBe(0);
    const second = await buy(one, { code: code.code });
    await pay(first);
    expect(await statusOf(first)).toBe('cancelled');
    await pay(second);
    expect([await statusOf(second), (await usesOf(code)).uses]).toEqual(['active', 1]);
    await inside(() => test.app.get(MembershipsService).cancel(second.id));
    const third = await buy(one, { code: code.code });
    await lapse(third);
    await pay(third);
    expect([await statusOf(third), (await usesOf(code)).uses]).toEqual(['active', 1]);
  });

  it('is limited for a person once the person is known', async () => {
    const one = await plan();
    const code = await newCode({ maxPerPerson: 1 });
    const person = { code: code.code, email: 'ada@example.org' };
    const first = await buy(one, person);
    await pay(first);
    expect(await outcome(buy(one, person))).toEqual(refused('code_limit'));
    // Whoever types an address learns nothing about it.
    const typed = await buy(one, { ...person, isTyped: true });
    await pay(typed);
    expect(await statusOf(typed)).toBe('cancelled');
  });
});

describe('a code for memberships in the panel', () => {
  it('reduces a new membership, and is one use of one of several parallel ones', async () => {
    const plans = [await plan(), await plan(), await plan()];
    const code = await newCode({ maxUses: 1 });
    const staff = await staffOf(test, tenant);
    const enrol = ({ priceId }: Plan, typed: string) =>
      staff.send('memberships', 'enrol', { priceId, email: `${randomUUID()}@example.org`, paymentMethod: 'cash', code: typed });
    const answers = await Promise.all(plans.map((one) => enrol(one, ` ${code.code.toLowerCase()} `)));
    expect(answers.filter(({ notice }) => notice?.message === 'enrolled')).toHaveLength(1);
    for (const { errors } of answers.filter(({ notice }) => notice?.message !== 'enrolled')) expect(errors).toHaveProperty('code');
    const priceIds = plans.map(({ priceId }) => priceId);
    expect(await sql('select amount::text, status from membership where price_id = any($1)', [priceIds])).toEqual([
      { amount: '30.00', status: 'active' },
    ]);
    for (const wrong of ['NOTHING-1', '..']) expect((await enrol(plans[0]!, wrong)).errors).toHaveProperty('code');
    expect((await usesOf(code)).uses).toBe(1);
  });
});

describe('a code for memberships on the pages', () => {
  it('applies with its link, and joins at its price', async () => {
    const one = await plan();
    const code = await newCode({ maxUses: 1 });
    expect((await forms.get(`/memberships?code=${code.code}`)).text).toContain(`href="/memberships/${one.priceId}?code=${code.code}"`);
    expect((await forms.get(`/memberships?code=${encodeURIComponent('"><b>')}`)).text).not.toContain('<b>');
    const { text } = await forms.get(`/memberships/${one.priceId}?code=${code.code.toLowerCase()}`);
    for (const part of [`Code ${code.code}: you save €10.`, '€30', `name="code" value="${code.code}"`]) expect(text).toContain(part);
    const token = /name="form" value="([^"]+)"/.exec(text)![1]!;
    const fields = { form: token, email: 'eve@example.org', first_name: 'Eve', last_name: 'Martin', code: code.code };
    const send = () => forms.post(`/memberships/${one.priceId}`, Object.entries(fields));
    expect((await send()).status).toBe(303);
    // The same form again goes on with the same membership, although it has the last use.
    expect((await send()).status).toBe(303);
    expect(await sql('select amount::text, status from membership where product_id = $1', [one.productId])).toEqual([
      { amount: '30.00', status: 'pending' },
    ]);
    const used = (await forms.get(`/memberships/${one.priceId}?code=${code.code}`)).text;
    expect(used).toContain('This code is used up');
    expect(used).not.toContain('name="code" value');
    const other = { ...fields, form: /name="form" value="([^"]+)"/.exec(used)![1]! };
    expect((await forms.post(`/memberships/${one.priceId}`, Object.entries(other))).status).toBe(409);
  });

  it('makes a membership free, which is confirmed by mail', async () => {
    const one = await plan();
    const code = await newCode({ value: '100' });
    const { text } = await forms.get(`/memberships/${one.priceId}?code=${code.code}`);
    const form = /name="form" value="([^"]+)"/.exec(text)![1]!;
    const fields = { form, email: 'free@example.org', first_name: 'Eve', last_name: 'Martin', code: code.code };
    expect((await forms.post(`/memberships/${one.priceId}`, Object.entries(fields))).status).toBe(200);
    expect(await sql(`select amount::text, status from membership where email_key = 'free@example.org'`)).toEqual([
      { amount: '0.00', status: 'pending' },
    ]);
  });

  it('is used in a cart for its tickets and memberships, and for a membership that is added later', async () => {
    const [one, other] = [await plan(), await plan('20.00')];
    const event = await newEvent(test, tenant);
    const code = await newCode({ appliesTo: 'both' });
    const cart = await newCart(test, tenant, []);
    await addToCart(test, tenant, cart, event);
    const carts = test.app.get(CartsService);
    await inside(() => carts.addMembership(cart, one.priceId));
    await inside(() => carts.useCode(cart, code.code));
    await inside(() => carts.addMembership(cart, other.priceId));
    const open = await cartOf(test, tenant, cart);
    expect(open.chosen.map(({ amount, code: used }) => [amount, used])).toEqual([
      ['30.00', code.code],
      ['15.00', code.code],
    ]);
    // A cart takes the uses of tickets alone.
    expect((await usesOf(code)).uses).toBe(1);
    const paid = await payCart(test, tenant, cart);
    expect(paid.memberships.map(({ amount }) => amount).toSorted()).toEqual(['15.00', '30.00']);
    await payments.deliver(payments.stripe.pay(sessionOfCart(paid)));
    expect((await usesOf(code)).uses).toBe(3);
    const none = await newCart(test, tenant, []);
    await inside(() => carts.addMembership(none, one.priceId));
    const free = await newCode({ value: '100' });
    expect(await outcome(inside(() => carts.useCode(none, free.code)))).toMatchObject({ reason: 'free_with_code' });
    await inside(() => carts.useCode(none, code.code));
    await inside(() => carts.useCode(none, undefined));
    expect((await cartOf(test, tenant, none)).chosen).toMatchObject([{ amount: '40.00', code: null }]);
  });
});

describe('a code for memberships, elsewhere', () => {
  it('is used at the box office, where the page says what it saves', async () => {
    const one = await plan();
    const code = await newCode({ maxUses: 1 });
    const staff = await staffOf(test, tenant);
    const page = await staff.page('reservations', 'sell', { event: 'memberships', code: code.code });
    expect(page.view).toMatchObject({ coded: { fault: null, amounts: { [one.priceId]: '30.00' } } });
    const sell = () =>
      staff.send('reservations', 'sell', {
        email: `${randomUUID()}@example.org`,
        paymentMethod: 'card',
        memberships: [{ priceId: one.priceId, quantity: 1, code: code.code }],
      });
    expect((await sell()).view).toMatchObject({ sold: { total: '30.00' } });
    expect((await sell()).errors).toMatchObject({ 'memberships.0.code': { message: expect.stringContaining('This code is used up') } });
    expect(JSON.stringify(await staff.look('codes', code.id))).toContain('Membership · −€10');
  });

  it('is used by twenty sales with tickets at once, which wait for one another', async () => {
    const one = await plan();
    const event = await newEvent(test, tenant, { capacity: 50 });
    const code = await newCode({ appliesTo: 'both', maxUses: 20 });
    const sell = (): Promise<unknown> => {
      const buyer = { email: `${randomUUID()}@example.org`, paymentMethod: 'cash', code: code.code } as const;
      const tickets = [{ priceId: event.priceId, quantity: 1 }];
      const reservation = { ...buyer, eventId: event.id, tickets, confirmed: true, origin: 'panel', options: [] } as const;
      const sale = { reservations: [reservation], memberships: [{ ...buyer, priceId: one.priceId }] };
      return inside(() => test.app.get(CounterSalesService).sell(sale));
    };
    const answers = await Promise.allSettled(crowd(20, sell));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await usesOf(code)).uses).toBe(20);
  });

  it('is used and made through the API', async () => {
    const one = await plan();
    const authorization = await newKey(test, tenant, 'membership:read', 'membership:write', 'code:read', 'code:write');
    const call = (path: string, body: object) =>
      test.on(tenant).call('post', `/api/v2/${path}/`).set('Authorization', authorization).send(body);
    const made = await call('codes', { code: 'FRIENDS-5', effect: 'amount', value: 5, appliesTo: 'memberships', maxUses: 1 });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ appliesTo: 'memberships', uses: 0 })]);
    expect((await call('codes', { code: 'FRIENDS-6', appliesTo: 'goods' })).status).toBe(400);
    const join = (code: string) =>
      call('memberships', {
        member: { email: `${randomUUID()}@example.org` },
        membershipPlan: one.priceId,
        paymentMode: 'CASH',
        code,
      });
    expect((await join('friends-5')).body).toMatchObject({ totalPrice: '35.00' });
    const usedUp = await join('friends-5');
    expect([usedUp.status, usedUp.body]).toEqual([409, expect.objectContaining({ code: 'booking.code_used_up' })]);
    expect((await join('NONE-LIKE-IT')).body).toMatchObject({ code: 'booking.code_unknown' });
  });
});
