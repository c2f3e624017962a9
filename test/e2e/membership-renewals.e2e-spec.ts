import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MembershipOrdersService, MembershipRemindersService, MembershipRenewalsService, MembershipsService } from '#memberships';
import { HolderLinks } from '#tickets';
import { MailSenderService } from '#notices';
import { PricesService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { AccountVisits } from '../support/accounts.js';
import { crowd, expectNoDrift } from '../support/booking.js';
import { newPlan, type Plan } from '../support/membership-plans.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { OrderForms } from '../support/order-forms.js';
import { wordsOf } from '../support/public-pages.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';
import { staffOf } from '../support/panel-staff.js';

let test: StripeApp;
let tenant: TenantIdentity;
let sink: SmtpSink;
let forms: OrderForms;

beforeAll(async () => {
  sink = await openSmtpSink();
  const environment = { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' };
  test = await startStripeApp({ tenants: 'some', environment });
});
beforeEach(async () => {
  tenant = await test.newVenue({ language: 'en' });
  forms = new OrderForms(test, tenant);
  test.stripe.intents.declines = undefined;
  test.stripe.intents.isCut = false;
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await sink.close();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));

/** A membership for a year that the venue lets renew by itself. */
async function plan(amount = '25.00'): Promise<Plan> {
  const made = await newPlan(test, tenant, amount);
  await sql('update product set auto_renewal = true where id = $1', [made.productId]);
  return made;
}

/** Joins with the form, and pays. @returns the membership */
async function join({ priceId, productId }: Plan, email: string, renews = true): Promise<string> {
  const { text } = await forms.get(`/memberships/${priceId}`);
  const token = /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const fields = Object.entries({ form: token, email, first_name: 'Ada', last_name: 'Martin', ...(renews && { renews: 'yes' }) });
  await forms.post(`/memberships/${priceId}`, fields);
  await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
  const [row] = await sql<{ id: string }>('select id from membership where product_id = $1 and email = $2', [productId, email]);
  return row!.id;
}

/** Moves the end of a membership to so many days from now. */
const endsIn = (id: string, days: number): Promise<unknown> =>
  sql(
    `update membership set valid_from = now() - interval '11 months', valid_until = now() + make_interval(days => $2::int) where id = $1`,
    [id, days],
  );

const run = (): Promise<void> => inside(() => test.app.get(MembershipRenewalsService).run());

const charge = (id: string): Promise<void> => inside(() => test.app.get(MembershipRenewalsService).charge(id));

/** Announces, lets the day of the charge come, and asks for the charge. */
async function comeDue(id: string): Promise<void> {
  await endsIn(id, 20);
  await run();
  await sql(`update membership_renewal set due_at = now() - interval '1 minute' where membership_id = $1`, [id]);
}

interface Renewal {
  readonly ended: string | null;
  readonly attempts: number;
  readonly paymentId: string | null;
  readonly amount: string | null;
  readonly announced: boolean;
}
const renewalOf = async (id: string): Promise<Renewal | undefined> =>
  (
    await sql<Renewal>(
      `select ended, attempts, payment_id as "paymentId", amount, announced_at is not null as announced
       from membership_renewal where membership_id = $1`,
      [id],
    )
  )[0];

const charges = (): number => [...test.stripe.intents.all.values()].filter((one) => one.status === 'succeeded').length;
const membersOf = ({ productId }: Plan) =>
  sql<{ id: string; status: string; amount: string; validFrom: Date; validUntil: Date }>(
    `select id, status, amount, valid_from as "validFrom", valid_until as "validUntil" from membership
     where product_id = $1 order by valid_from, created_at`,
    [productId],
  );

/** Sends the mails about a membership that wait. */
async function mailsOf(id: string): Promise<SmtpSink['mails'][number]['parsed'][]> {
  const before = sink.mails.length;
  const rows = await sql<{ id: string }>(`select id from mail where membership_id = $1 and status = 'waiting' order by created_at`, [id]);
  for (const mail of rows) await inside(() => test.app.get(MailSenderService).send(mail.id, { isLast: true }));
  return sink.mails.slice(before).map(({ parsed }) => parsed);
}

describe('a membership that renews by itself', () => {
  it('is offered where the venue allows it and the provider can, and is not ticked', async () => {
    const club = await plan();
    const { text } = await forms.get(`/memberships/${club.priceId}`);
    expect(text).toMatch(/<input type="checkbox" id="renews" name="renews" value="yes"(?! checked)/);
    await sql('update product set auto_renewal = false where id = $1', [club.productId]);
    expect((await forms.get(`/memberships/${club.priceId}`)).text).not.toContain('name="renews"');
    const id = await join(club, 'not-allowed@example.org');
    expect(await renewalOf(id)).toBeUndefined();
    expect(test.lastSession()['keeps_means']).toBeUndefined();
  });

  it('is asked for in a cart, too, and later charges are those of the membership alone', async () => {
    const club = await plan();
    const carts = new CartForms(test, tenant);
    const buy = async (email: string, field: 'renews' | 'other'): Promise<string> => {
      const { path, cookie } = await carts.collect([await newEvent(test, tenant)]);
      expect((await forms.post(`/cart/membership/${club.priceId}`, [], cookie)).headers['location']).toBe(path);
      const { text } = await forms.get(`${path}/contact`);
      const [, name = ''] = /<input type="checkbox" id="(renews-[^"]+)" name="\1" value="yes"(?! checked)/.exec(text) ?? [];
      expect(wordsOf(text)).toMatch(/Friends \S+ · Renew/);
      const wish = field === 'renews' ? [[name, 'yes'] as const] : [];
      const fields = [...(await carts.contact(path, email)), ['first_name', 'Ada'] as const, ['last_name', 'Martin'] as const];
      // What was ticked stays so when something else is refused.
      const refused = await forms.post(`${path}/contact`, [...fields.filter(([one]) => one !== 'email'), ...wish]);
      expect([refused.status, refused.text.includes(`value="yes" checked`)]).toEqual([422, field === 'renews']);
      expect((await forms.post(`${path}/contact`, [...fields, ...wish])).status).toBe(303);
      expect([test.lastSession().amount_total, test.lastSession()['keeps_means']]).toEqual([3750, field === 'renews' || undefined]);
      await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
      const [row] = await sql<{ id: string }>(`select id from membership where email = $1 and status = 'active'`, [email]);
      return row!.id;
    };
    expect(await renewalOf(await buy('not@example.org', 'other'))).toBeUndefined();
    const id = await buy('cart@example.org', 'renews');
    await comeDue(id);
    const before = charges();
    await Promise.all(crowd(3, () => charge(id)));
    expect(charges() - before).toBe(1);
    const next = (await membersOf(club)).at(-1);
    expect(next).toMatchObject({ status: 'active', amount: '25.00' });
    expect(await sql(`select 1 from payment where membership_id = $1 and status = 'paid' and amount = 25`, [next!.id])).toHaveLength(1);

    await sql('update product set auto_renewal = false where id = $1', [club.productId]);
    const { path, cookie } = await carts.collect([await newEvent(test, tenant)]);
    await forms.post(`/cart/membership/${club.priceId}`, [], cookie);
    expect((await forms.get(`${path}/contact`)).text).not.toContain('name="renews-');
  });

  it('is announced with day and amount, charged once by several workers, and is an ordinary sale without a gap', async () => {
    const club = await plan();
    const id = await join(club, 'ada@example.org');
    expect(test.lastSession()['keeps_means']).toBe(true);
    await endsIn(id, 20);
    await Promise.all(crowd(4, run));
    expect(await renewalOf(id)).toMatchObject({ ended: null, attempts: 0, amount: '25.00', announced: true });
    await inside(() => test.app.get(MembershipRemindersService).remind());
    const kinds = await sql<{ kind: string }>(`select kind from mail where membership_id = $1 and kind like 'membership-%'`, [id]);
    expect(kinds).toEqual([{ kind: 'membership-renewal' }]);
    // Later prices are not charged: the amount was told.
    await inside(() => test.app.get(PricesService).update(club.priceId, { amount: '40.00' }));
    await sql(`update membership_renewal set due_at = now() - interval '1 minute'`);
    const before = charges();
    test.stripe.slowMs = 100;
    await Promise.all(crowd(6, () => charge(id)));
    test.stripe.slowMs = 0;
    expect(charges() - before).toBe(1);
    const [old, next, ...others] = await membersOf(club);
    expect(others).toEqual([]);
    expect(next).toMatchObject({ status: 'active', amount: '25.00', validFrom: old!.validUntil });
    expect(await renewalOf(id)).toMatchObject({ ended: 'renewed', attempts: 1, paymentId: null });
    expect(await renewalOf(next!.id)).toMatchObject({ ended: null, announced: false });
    const [line] = await sql(
      `select kind, amount, vat_rate is not null as taxed, effective_at is not null as sold from order_line
      where membership_id = $1`,
      [next!.id],
    );
    expect(line).toMatchObject({ kind: 'membership', amount: '25.00', sold: true });
    expect(await sql(`select 1 from payment where membership_id = $1 and status = 'paid' and amount = 25`, [next!.id])).toHaveLength(1);
    // A refund goes the usual way.
    await inside(() => test.app.get(MembershipsService).cancel(next!.id));
    expect(await sql(`select 1 from payment where membership_id = $1 and status = 'refund_due'`, [next!.id])).toHaveLength(1);
  });

  it('is charged once when the answer is lost, and when the record of the charge is', async () => {
    const club = await plan();
    const id = await join(club, 'lost@example.org');
    await comeDue(id);
    const before = charges();
    test.stripe.intents.isCut = true;
    await expect(charge(id)).rejects.toThrow();
    expect((await renewalOf(id))?.paymentId).not.toBeNull();
    test.stripe.intents.isCut = false;
    expect(charges() - before).toBe(1);
    expect((await membersOf(club)).map(({ status }) => status)).toEqual(['active', 'pending']);
    // Meanwhile no page opens for the same payment.
    const card = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ membershipId: id })));
    const opened = test.stripe.sessions.size;
    expect((await forms.post(`${card}/renew`, [])).headers['location']).toBe(`${card}/renew`);
    expect(wordsOf((await forms.get(`${card}/renew`)).text)).toContain('It is being renewed right now.');
    await inside(async () => {
      const orders = test.app.get(MembershipOrdersService);
      await orders.renew((await orders.renewal(id))!, { acceptsTerms: undefined, language: 'en', renewsItself: false }, '10.0.0.0/24');
    });
    expect(test.stripe.sessions.size).toBe(opened);
    // Stripe forgets the idempotency key after a day.
    test.stripe.forgetKeys();
    await Promise.all(crowd(3, () => charge(id)));
    expect(charges() - before).toBe(1);
    expect((await membersOf(club)).map(({ status }) => status)).toEqual(['active', 'active']);
  });

  it('ends after the third refusal, with mails that lead to the payment, and nothing is charged later', async () => {
    const club = await plan();
    const id = await join(club, 'poor@example.org');
    await comeDue(id);
    test.stripe.intents.declines = 'card_declined';
    for (const attempt of [1, 2, 3]) {
      await charge(id);
      // Not before its time.
      await charge(id);
      expect(await renewalOf(id)).toMatchObject({ attempts: attempt, paymentId: null, ended: attempt === 3 ? 'failed' : null });
      await sql(`update membership_renewal set due_at = now() - interval '1 minute' where membership_id = $1`, [id]);
    }
    test.stripe.intents.declines = undefined;
    await charge(id);
    const rows = await membersOf(club);
    expect(rows.filter(({ status }) => status === 'active')).toHaveLength(1);
    expect(await sql(`select 1 from mail where kind = 'membership-renewal-failed'`)).toHaveLength(3);
  });

  it('is not tried again when the bank wants the buyer', async () => {
    const club = await plan();
    const id = await join(club, 'asked@example.org');
    await comeDue(id);
    test.stripe.intents.declines = 'authentication_required';
    await charge(id);
    expect(await renewalOf(id)).toMatchObject({ attempts: 1, ended: 'failed' });
  });

  it('is stopped by the link of the mail, without a session; opening the link changes nothing', async () => {
    const club = await plan();
    const id = await join(club, 'stop@example.org');
    await comeDue(id);
    const mail = (await mailsOf(id)).find(({ subject }) => subject?.includes('is renewed on'));
    expect(mail!.text).toContain('€25');
    const path = /https?:\/\/[^/\s]+(\/membership\/\S+\/stop-renewal)/.exec(mail!.text!)?.[1] ?? '';
    expect(wordsOf((await forms.get(path)).text)).toContain('It is renewed by itself on');
    expect(await renewalOf(id)).toMatchObject({ ended: null });
    expect((await forms.post(path, [])).status).toBe(303);
    expect(wordsOf((await forms.get(path)).text)).toContain('Nothing is charged by itself');
    const before = charges();
    await charge(id);
    expect(charges()).toBe(before);
    expect(await renewalOf(id)).toMatchObject({ ended: 'stopped', attempts: 0 });
    expect((await forms.get(path.replace(/.\/stop-renewal$/, '!/stop-renewal'))).status).toBe(404);
  });

  it('is shown in the account, in the download and to staff, who can stop it', async () => {
    const club = await plan();
    const visits = new AccountVisits(test, tenant);
    const id = await join(club, 'seen@example.org');
    const cookie = await visits.signIn('seen@example.org');
    expect(wordsOf((await visits.get('/account', cookie)).text)).toContain('Renews by itself');
    const staff = await staffOf(test, tenant);
    expect((await staff.look('memberships', id)).record?.params).toMatchObject({ renewal: 'on' });
    await staff.act('memberships', id, 'stopRenewal');
    expect(await renewalOf(id)).toMatchObject({ ended: 'stopped' });
    expect(wordsOf((await visits.get('/account', cookie)).text)).not.toContain('Renews by itself');
  });

  it('is not charged while the member pays the next one, nor after that', async () => {
    const club = await plan();
    const id = await join(club, 'both@example.org');
    await comeDue(id);
    const visits = new AccountVisits(test, tenant);
    const { text } = await visits.get('/account', await visits.signIn('both@example.org'));
    const card = /href="(\/membership\/[^"]+?)(?:\/stop-renewal)?"/.exec(text)?.[1] ?? '';
    expect(wordsOf((await forms.get(`${card}/renew`)).text)).toContain('no day is lost');
    await forms.post(`${card}/renew`, []);
    const session = test.lastSession();
    const before = charges();
    await charge(id);
    expect(charges()).toBe(before);
    await test.deliver(test.stripe.pay(session.id), tenant);
    await charge(id);
    expect(charges()).toBe(before + 1);
    expect((await membersOf(club)).map(({ status }) => status)).toEqual(['active', 'active']);
    expect(await renewalOf(id)).toMatchObject({ ended: 'renewed' });
  });
});
