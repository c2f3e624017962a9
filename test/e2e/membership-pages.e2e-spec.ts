import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipRemindersService, MembershipsService } from '#memberships';
import { MailSenderService } from '#notices';
import { QuestionsService, type NewPrice } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { AccountVisits } from '../support/accounts.js';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newPlan, type Plan } from '../support/membership-plans.js';
import { OrderForms } from '../support/order-forms.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let sink: SmtpSink;
let forms: OrderForms;
let visits: AccountVisits;

beforeAll(async () => {
  sink = await openSmtpSink();
  const environment = { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' };
  test = await startStripeApp({ environment });
  tenant = await test.newTenant({ language: 'en' });
  forms = new OrderForms(test, tenant);
  visits = new AccountVisits(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await sink.close();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));

const plan = (amount: string, more: Partial<NewPrice> = {}): Promise<Plan> => newPlan(test, tenant, amount, more);

/** Opens the form and sends it. */
async function join({ priceId }: Plan, email: string, more: Readonly<Record<string, string>> = {}, cookie = '') {
  const { text } = await forms.get(`/memberships/${priceId}`);
  const token = /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const fields = Object.entries({ form: token, email, first_name: 'Ada', last_name: 'Martin', ...more });
  return { token, answer: await forms.post(`/memberships/${priceId}`, fields, cookie) };
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly termsAcceptedAt: Date | null;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

const rowsOf = ({ productId }: Plan): Promise<Row[]> =>
  sql<Row>(
    `select id, status, amount, terms_accepted_at as "termsAcceptedAt", valid_from as "validFrom", valid_until as "validUntil"
     from membership where product_id = $1 order by created_at, valid_from`,
    [productId],
  );

/** Sends the waiting mails of a membership. */
async function mailsOf(id: string): Promise<SmtpSink['mails'][number]['parsed'][]> {
  const before = sink.mails.length;
  const rows = await sql<{ id: string }>(`select id from mail where membership_id = $1 and status = 'waiting' order by created_at`, [id]);
  for (const mail of rows) await inside(() => test.app.get(MailSenderService).send(mail.id, { isLast: true }));
  return sink.mails.slice(before).map(({ parsed }) => parsed);
}

const linkIn = (text: string | undefined, part: string): string =>
  new URL(text!.split(/\s/).find((word) => word.startsWith('http') && word.includes(part))!).pathname;

describe('the page of memberships', () => {
  it('lists what can be joined, and is linked where a price is for members', async () => {
    const free = await plan('0.00');
    const paid = await plan('20.00', { name: 'Supporter' });
    const hidden = await plan('1.00', { name: 'Hidden', published: false });
    const page = await forms.get('/memberships');
    expect(page.headers).toMatchObject({ 'cache-control': 'public, max-age=60' });
    expect(page.text).toContain(`href="/memberships/${free.priceId}"`);
    for (const text of ['Supporter', '€20', 'One year', 'Sold at the venue']) expect(page.text).toContain(text);
    expect(page.text).not.toContain(`href="/memberships/${paid.priceId}"`);
    const closed = await forms.get(`/memberships/${paid.priceId}`);
    expect([closed.status, closed.text.includes('Sold at the venue'), closed.text.includes('name="form"')]).toEqual([200, true, false]);
    for (const price of [hidden.priceId, crypto.randomUUID(), 'x']) expect((await forms.get(`/memberships/${price}`)).status).toBe(404);
    const event = await newEvent(test, tenant);
    await newPrice(test, tenant, event.id, { amount: '0.00', requiredMembershipId: free.productId });
    expect((await forms.get(`/event/${event.slug}`)).text).toContain('<a href="/memberships">Become a member</a>');
  });
});

describe('joining', () => {
  it('a free membership needs one click in the mail, makes one membership, and then the card is mailed', async () => {
    const free = await plan('0.00');
    const { token, answer } = await join(free, 'ada@example.org');
    expect([answer.status, answer.text.includes('We have written to ada@example.org.')]).toEqual([200, true]);
    const again = [['form', token] as const, ['email', 'ada@example.org'] as const];
    await Promise.all(crowd(6, () => forms.post(`/memberships/${free.priceId}`, again)));
    const [row, ...others] = await rowsOf(free);
    expect([row!.status, others]).toEqual(['pending', []]);
    const [mail] = await mailsOf(row!.id);
    expect(mail!.subject).toContain('Please confirm your membership');
    const path = linkIn(mail!.text, '/memberships/confirm/');
    expect((await forms.get(path)).text).toContain('One click, and your membership is valid.');
    expect((await rowsOf(free))[0]!.status).toBe('pending');
    const confirmed = await forms.post(path, []);
    expect((await forms.get(confirmed.headers['location']!)).text).toContain('<svg');
    await forms.post(path, []);
    const [card, ...more] = await mailsOf(row!.id);
    expect([card!.subject, more]).toEqual([expect.stringContaining('membership card'), []]);
    expect(linkIn(card!.text, '/membership/')).toBe(confirmed.headers['location']);
    // Anybody may type the address: the next one needs a click, too, unless its owner is signed in.
    const second = await plan('0.00');
    await join(second, 'ada@example.org');
    expect((await rowsOf(second)).map(({ status }) => status)).toEqual(['pending']);
    await join(second, 'ada@example.org', {}, await visits.signIn('ada@example.org'));
    expect((await rowsOf(second)).map(({ status }) => status)).toEqual(['pending', 'active']);
  });

  it('a paid membership leads to the checkout, once for each form', async () => {
    await test.takePayments(tenant);
    const paid = await plan('20.00');
    const { token, answer } = await join(paid, 'grace@example.org');
    expect(answer.headers['location']).toBe(test.lastSession()['url']);
    const again = await forms.post(`/memberships/${paid.priceId}`, [
      ['form', token],
      ['email', 'grace@example.org'],
    ]);
    expect(again.headers['location']).toBe(answer.headers['location']);
    expect(await rowsOf(paid)).toMatchObject([{ status: 'pending', amount: '20.00' }]);
    await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
    expect(await rowsOf(paid)).toMatchObject([{ status: 'active' }]);
  });

  it('names its faults, keeps what was typed, and asks the questions and the terms', async () => {
    await test.takePayments(tenant);
    const open = await plan('5.00', { freeAmount: true, maxPerUser: 1, subscriptionType: null });
    await inside(() =>
      test.app
        .get(QuestionsService)
        .define(open.productId, [{ label: 'Why?', kind: 'text', scope: 'ticket', required: true, choices: [] }]),
    );
    await sql(`update configuration set terms = '<p>Be kind</p>'`);
    const [question] = await sql<{ id: string }>('select id from question where product_id = $1', [open.productId]);
    const wrong = await join(open, 'ada', { amount: '4,50' });
    expect(wrong.answer.status).toBe(422);
    for (const id of ['email', 'terms']) expect(wrong.answer.text).toContain(`href="#${id}"`);
    const low = await join(open, 'zoe@example.org', { amount: '4,50', terms: 'yes', [`q-${question!.id}`]: 'Music' });
    expect(low.answer.status).toBe(422);
    for (const text of ['href="#amount"', 'value="4,50"', 'value="zoe@example.org"', 'value="Music"'])
      expect(low.answer.text).toContain(text);
    const unanswered = await join(open, 'zoe@example.org', { terms: 'yes' });
    expect(unanswered.answer.text).toContain(`href="#q-${question!.id}-0"`);
    const good = { amount: '7,50', terms: 'yes', [`q-${question!.id}`]: 'Music' };
    expect((await join(open, 'zoe@example.org', good)).answer.status).toBe(303);
    expect(await rowsOf(open)).toMatchObject([{ amount: '7.50', termsAcceptedAt: expect.any(Date) }]);
    await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
    // Only the member learns that there is one already: others pay, and get the money back.
    const own = await join(open, 'zoe@example.org', good, await visits.signIn('zoe@example.org'));
    expect([own.answer.status, own.answer.text.includes('You already have 1.')]).toEqual([409, true]);
    expect((await join(open, 'zoe@example.org', good)).answer.status).toBe(303);
    await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
    expect((await rowsOf(open)).map(({ status }) => status)).toEqual(['active', 'cancelled']);
    await sql('update configuration set terms = null');
  });

  it('refuses a token of another form', async () => {
    const [one, other] = [await plan('0.00'), await plan('0.00')];
    const { token } = await join(one, 'lin@example.org');
    const id = (await rowsOf(one))[0]!.id;
    for (const form of [token, `${id}.x`, '', 'x']) {
      const answer = await forms.post(`/memberships/${other.priceId}`, [
        ['form', form],
        ['email', 'lin@example.org'],
      ]);
      expect([answer.status, answer.headers['location']]).toEqual([303, `/memberships/${other.priceId}`]);
    }
    expect(await rowsOf(other)).toEqual([]);
  });
});

describe('renewing', () => {
  it('begins when the current period ends, once however many windows are open', async () => {
    const free = await plan('0.00');
    await join(free, 'ada@example.org', {}, await visits.signIn('ada@example.org'));
    const [row] = await rowsOf(free);
    expect(row!.status).toBe('active');
    await sql(`update membership set valid_from = now() - interval '11 months', valid_until = now() + interval '29 days' where id = $1`, [
      row!.id,
    ]);
    await inside(() => test.app.get(MembershipRemindersService).remind());
    const mail = (await mailsOf(row!.id)).find(({ subject }) => subject?.includes('ends on'));
    const path = linkIn(mail!.text, '/renew');
    expect((await forms.get(path)).text).toContain('Your membership is valid until');
    await Promise.all(crowd(5, () => forms.post(path, [])));
    const [first, second, ...others] = await rowsOf(free);
    expect(others).toEqual([]);
    expect(second).toMatchObject({ status: 'active', validFrom: first!.validUntil });
    expect((await forms.get(path)).text).toContain('It is renewed until');
    expect((await forms.get(path.replace(/.\/renew$/, '!/renew'))).status).toBe(404);
  });
});

describe('reminders', () => {
  const remind = (): Promise<void> => inside(() => test.app.get(MembershipRemindersService).remind());
  const reminded = async (id: string): Promise<number> =>
    (await sql(`select 1 from mail where membership_id = $1 and kind = 'membership-reminder'`, [id])).length;

  async function member(until: string, from = '11 months'): Promise<{ id: string; plan: Plan }> {
    const free = await plan('0.00');
    const email = `${crypto.randomUUID()}@example.org`;
    await join(free, email, {}, await visits.signIn(email));
    const [row] = await rowsOf(free);
    await sql('update membership set valid_from = now() - $2::interval, valid_until = now() + $3::interval where id = $1', [
      row!.id,
      from,
      until,
    ]);
    return { id: row!.id, plan: free };
  }

  it('are mailed 30 and 7 days before the end, once each, and not to those who renewed', async () => {
    const [far, month, week] = [await member('31 days'), await member('29 days'), await member('6 days')];
    const renewed = await member('29 days');
    await inside(() => test.app.get(MembershipsService).renew(renewed.id, undefined));
    await remind();
    await remind();
    const ids = [far.id, month.id, week.id, renewed.id];
    expect(await Promise.all(ids.map(reminded))).toEqual([0, 1, 1, 0]);
    await sql(`update membership set valid_until = now() + interval '6 days' where id = $1`, [month.id]);
    await remind();
    await remind();
    expect(await Promise.all(ids.map(reminded))).toEqual([0, 2, 1, 0]);
  });

  it('are not sent for short periods, by another process at the same time, or when the place switched them off', async () => {
    const [short, many] = [await member('6 days', '4 days'), await member('29 days')];
    await Promise.all(crowd(5, () => remind()));
    expect([await reminded(short.id), await reminded(many.id)]).toEqual([0, 1]);
    await sql('update configuration set membership_reminders = false');
    const off = await member('29 days');
    await remind();
    expect(await reminded(off.id)).toBe(0);
    await sql('update configuration set membership_reminders = true');
    await remind();
    expect(await reminded(off.id)).toBe(1);
    // Renewed after the reminder was added and before it was sent.
    await sql(`update membership set status = 'cancelled' where id = $1`, [off.id]);
    expect((await mailsOf(off.id)).filter(({ subject }) => subject?.includes('ends on'))).toEqual([]);
    await sql(`update membership set status = 'active' where id = $1`, [off.id]);
  });
});
