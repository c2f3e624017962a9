import { EmailCorrectionsService } from '#holders';
import { MembershipsService } from '#memberships';
import { HolderLinks } from '#tickets';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountVisits } from '../support/accounts.js';
import { book, letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, type CartEvent } from '../support/cart-forms.js';
import { newMemberPrice, newPlan, type Plan } from '../support/membership-plans.js';
import { OnlinePayments } from '../support/online-payments.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let visits: AccountVisits;
let carts: CartForms;

beforeAll(async () => {
  payments = await OnlinePayments.start({ RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' });
  ({ test, stripe, tenant } = payments);
  visits = new AccountVisits(test, tenant);
  carts = new CartForms(test, tenant);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const memberAddress = (): string => `${randomUUID()}@example.org`;

interface MemberNight {
  readonly plan: Plan;
  readonly member: string;
  /** With the price for members. */
  readonly event: CartEvent;
  /** The price of the same event for everybody. */
  readonly usual: string;
  /** An event with an ordinary price. */
  readonly other: CartEvent;
}

async function memberNight(capacity = 10): Promise<MemberNight> {
  const plan = await newPlan(test, tenant, '20.00');
  const member = memberAddress();
  await inside(() => test.app.get(MembershipsService).create({ priceId: plan.priceId, email: member, paymentMethod: 'cash' }));
  const [event, other] = [await newEvent(test, tenant, { capacity }), await newEvent(test, tenant, { capacity })];
  const priceId = await newMemberPrice(test, tenant, event, plan, '5.00');
  return { plan, member, event: { ...event, priceId }, usual: event.priceId, other };
}

interface Row {
  readonly id: string;
  readonly state: string;
}

const rowsOf = (email: string): Promise<Row[]> =>
  sql<Row>(
    `select id, status || case when pay_until is null or status = 'C' then '' else ' to confirm' end as state from reservation
     where email = $1 and not is_draft order by created_at`,
    [email],
  );
const statesOf = async (email: string): Promise<string[]> => (await rowsOf(email)).map(({ state }) => (state === 'P' ? 'V' : state));
/** Opens the link in the mail, and uses its button. @returns the path to which it leads */
async function confirm(email: string): Promise<string> {
  const [row] = await rowsOf(email);
  const path = await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: row!.id }));
  expect((await visits.forms.get(path)).text).toContain(`${path}/confirm`);
  return String((await visits.forms.post(`${path}/confirm`, [])).headers['location']);
}
const lastSession = (): string => [...stripe.sessions.keys()].at(-1)!;

describe('a price for members that is paid online', () => {
  it('is paid at once by the member who is signed in', async () => {
    const { event, member } = await memberNight();
    const cookie = await visits.signIn(member);
    const path = await visits.forms.begin(event.slug, event.priceId, '1');
    const { headers } = await visits.forms.complete(path, { email: member }, cookie);
    expect([headers['location'], await statesOf(member)]).toEqual([stripe.sessions.get(lastSession())!['url'], ['U']]);
  });

  // Without `awaitsMember` in `completedState`, whoever types the address of a member pays its price.
  it('is confirmed by the mail to the member before the payment, when nobody is signed in', async () => {
    const { event, member } = await memberNight();
    const before = stripe.sessions.size;
    const path = await visits.forms.begin(event.slug, event.priceId, '1');
    const form = (await visits.forms.get(path)).text;
    for (const text of ['we first send a link to it', 'href="/account" target="_blank"']) expect(form).toContain(text);
    const sent = await visits.forms.complete(path, { email: member, first_name: 'Nora' });
    expect([sent.headers['location'], await statesOf(member)]).toEqual([path, ['R to confirm']]);
    const page = (await visits.forms.get(path)).text;
    for (const text of [member, 'Once you have confirmed, you pay €5 online.']) expect(page).toContain(text);
    // Neither the form again nor the button of a payment opens a checkout.
    await visits.forms.post(path, [['email', member]]);
    expect([stripe.sessions.size, await statesOf(member)]).toEqual([before, ['R to confirm']]);
    const mail = await until(
      () => payments.post.mails.find(({ to, parsed }) => to.includes(member) && parsed.text?.includes('has a price for members')),
      (found) => found !== undefined,
    );
    expect(mail!.parsed.text).toContain('You pay right after that.');

    expect(await confirm(member)).toBe(path);
    expect(await statesOf(member)).toEqual(['R']);
    const toPay = (await visits.forms.get(path)).text;
    expect(toPay).toContain('Pay €5');
    const { headers } = await visits.forms.post(path, []);
    expect(headers['location']).toBe(stripe.sessions.get(lastSession())!['url']);
    await payments.deliver(stripe.pay(lastSession()));
    expect(await statesOf(member)).toEqual(['V']);
    // Who ordered may be a stranger: the tickets are for the member.
    const ordered = await visits.forms.get(path);
    expect([ordered.status, ordered.text.includes('/reservation/')]).toEqual([200, false]);
  });

  it('is refused to nobody by the form, whose answer is the same for members and others', async () => {
    const { event, member, plan } = await memberNight();
    const answers: string[] = [];
    for (const email of [member, memberAddress()]) {
      const path = await visits.forms.begin(event.slug, event.priceId, '1');
      answers.push(`${(await visits.forms.complete(path, { email })).status} ${(await statesOf(email)).join()}`);
    }
    expect(answers).toEqual(['303 R to confirm', '303 R to confirm']);
    // A paid membership for members is sold to who is signed in.
    const { priceId } = await newPlan(test, tenant, '5.00', { requiredMembershipId: plan.productId });
    const join = async (email: string, cookie = ''): Promise<string> => {
      const form = (await visits.forms.get(`/memberships/${priceId}`)).text;
      const token = /name="form" value="([^"]+)"/.exec(form)![1]!;
      const { status, text } = await visits.forms.post(
        `/memberships/${priceId}`,
        [
          ['form', token],
          ['email', email],
        ],
        cookie,
      );
      return `${status} ${text.includes('sign in as this member first')}`;
    };
    expect(await Promise.all([join(member), join(memberAddress())])).toEqual(['422 true', '422 true']);
    expect(await join(member, await visits.signIn(member))).toBe('303 false');
  });

  it('is confirmed late while places are left, and then held again; else it is cancelled', async () => {
    const [late, sold] = [await memberNight(1), await memberNight(1)];
    for (const { event, member } of [late, sold]) {
      const path = await visits.forms.begin(event.slug, event.priceId, '1');
      await visits.forms.complete(path, { email: member });
    }
    await letHoldsLapse(test, tenant);
    await book(test, tenant, { id: sold.event.id, priceId: sold.usual }, { confirmed: true });
    const [, order] = (await confirm(late.member)).split('/');
    expect([order, await statesOf(late.member)]).toEqual(['order', ['R']]);
    const [held] = await sql<{ isHeld: boolean }>(
      `select expires_at > now() + interval '10 minutes' as "isHeld" from reservation where email = $1`,
      [late.member],
    );
    expect(held).toEqual({ isHeld: true });
    expect(await confirm(sold.member)).toContain('/reservation/');
    expect(await statesOf(sold.member)).toEqual(['C']);
  });
});

describe('a cart with a price for members', () => {
  const send = async (path: string, fields: readonly (readonly [string, string])[], cookie = ''): Promise<{ to: string; text: string }> => {
    const { headers, text } = await carts.post(`${path}/contact`, fields, cookie);
    return { to: headers['location'] ?? '', text };
  };

  it('is confirmed as a whole before the one payment of everything, also of what is free', async () => {
    const { event, other, member } = await memberNight();
    await sql('update price set amount = 0 where id = $1', [event.priceId]);
    const { path } = await carts.collect([event, other]);
    const before = stripe.sessions.size;
    expect((await send(path, await carts.contact(path, member))).to).toBe(path);
    expect([await statesOf(member), stripe.sessions.size]).toEqual([['R to confirm', 'R to confirm'], before]);
    for (const text of ['Check your inbox', 'The tickets are held for you', 'Once you have confirmed, you pay €12.50 online.'])
      expect((await carts.get(path)).text).toContain(text);
    expect((await send(path, [])).to).toBe(path);
    expect(stripe.sessions.size).toBe(before);
    expect(await confirm(member)).toBe(path);
    expect(await statesOf(member)).toEqual(['R', 'R']);
    expect((await carts.get(path)).text).toContain('Pay €12.50');
    expect((await send(path, [])).to).toBe(stripe.sessions.get(lastSession())!['url']);
    await payments.deliver(stripe.pay(lastSession()));
    expect(await statesOf(member)).toEqual(['V', 'V']);
  });

  it('needs no confirmation when its membership is bought with it, and a sign-in beside the membership of another', async () => {
    const { event, member, plan } = await memberNight();
    const another = await newPlan(test, tenant, '30.00');
    const { path, cookie } = await carts.collect([event]);
    await carts.post(`/cart/membership/${another.priceId}`, [], cookie);
    const fields = [...(await carts.contact(path, member)), ['first_name', 'Nora'] as const];
    const refused = await send(path, fields);
    for (const text of ['Sign in as this member first', member, 'value="Nora"']) expect(refused.text).toContain(text);
    expect((await send(path, fields, await visits.signIn(member))).to).toBe(stripe.sessions.get(lastSession())!['url']);

    const own = await carts.collect([event]);
    await carts.post(`/cart/membership/${plan.priceId}`, [], own.cookie);
    const to = (await send(own.path, await carts.contact(own.path, memberAddress()))).to;
    expect(to).toBe(stripe.sessions.get(lastSession())!['url']);
  });
});

describe('the link to an order that was paid online', () => {
  it('leads to the tickets for a day, and until the address is corrected', async () => {
    const { other } = await memberNight();
    const paid = async (): Promise<string> => {
      const path = await visits.forms.begin(other.slug, other.priceId, '1');
      await visits.forms.complete(path, { email: memberAddress() });
      await payments.deliver(stripe.pay(lastSession()));
      return path;
    };
    const pageOf = async (path: string): Promise<string> => {
      const { status, headers, text } = await visits.forms.get(path);
      return `${status} ${(headers['location'] ?? '').split('/')[1] ?? ''}${text.includes('This page has ended') ? 'ended' : ''}`;
    };
    const [first, second] = [await paid(), await paid()];
    expect([await pageOf(first), await pageOf(second)]).toEqual(['303 reservation', '303 reservation']);
    const corrected = memberAddress();
    await inside(() => test.app.get(EmailCorrectionsService).reservation(first.split('/')[2]!, corrected));
    expect(await pageOf(first)).toBe('410 ended');
    expect((await visits.forms.get(first)).text).not.toContain(corrected);
    await sql(`update reservation set completed_at = completed_at - interval '24 hours' where id = $1`, [second.split('/')[2]]);
    expect(await pageOf(second)).toBe('410 ended');
  });

  it('leads to those of a cart for a day, too', async () => {
    const [one, two] = [await memberNight(), await memberNight()];
    const { path } = await carts.collect([one.other, two.other]);
    await carts.post(`${path}/contact`, await carts.contact(path, memberAddress()));
    await payments.deliver(stripe.pay(lastSession()));
    expect((await carts.get(path)).text.match(/href="\/reservation\//g)).toHaveLength(2);
    await sql(`update reservation set completed_at = completed_at - interval '24 hours' where cart_id = $1`, [path.split('/')[2]]);
    expect((await carts.get(path)).status).toBe(410);
  });
});
