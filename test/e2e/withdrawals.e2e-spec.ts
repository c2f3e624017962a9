import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { AccountErasureService } from '#holders';
import { JobRunner } from '#jobs';
import { MembershipsService, type WholeMembership } from '#memberships';
import { FulfilmentsService } from '#scan';
import { HolderLinks, ReservationChangesService, type WholeReservation } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { AccountVisits } from '../support/accounts.js';
import { book, crowd, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { newPlan } from '../support/membership-plans.js';
import { OrderForms } from '../support/order-forms.js';
import { wordsOf } from '../support/public-pages.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let sink: SmtpSink;
let forms: OrderForms;
let event: Awaited<ReturnType<typeof newEvent>>;
let shirt: string;

beforeAll(async () => {
  sink = await openSmtpSink();
  test = await startStripeApp({ environment: { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' } });
  tenant = await test.newVenue({ language: 'en' });
  forms = new OrderForms(test, tenant);
  event = await newEvent(test, tenant, { name: 'Bal', startsAt: new Date(Date.now() + 30 * 86_400_000) });
  shirt = await inside(async () => {
    const product = await test.app.get(ProductsService).create({ name: 'T-shirt', category: 'T' });
    const { id } = await test.app.get(PricesService).create({ productId: product.id, name: 'M', amount: '15.00', vat: 'VG', stock: 50 });
    await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    return id;
  });
  test.app.get(JobRunner).start();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await sink.close();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));

/** A membership that was paid online. @returns it and its page */
async function member(): Promise<{ id: string; path: string; email: string; priceId: string }> {
  const { priceId } = await newPlan(test, tenant, '20.00', { stock: 9 });
  const email = `${crypto.randomUUID()}@example.org`;
  const made = await inside(() =>
    test.app.get(MembershipsService).create({ priceId, email, firstName: 'Ada', lastName: 'Martin', language: 'en' }),
  );
  await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
  return { id: made.id, path: await pathTo({ membershipId: made.id }), email, priceId };
}

/** A reservation of goods, and of a ticket, that was paid online. */
async function bought(shirts: number, tickets = 0): Promise<WholeReservation & { readonly path: string }> {
  const wanted = [
    { priceId: shirt, quantity: shirts },
    { priceId: event.priceId, quantity: tickets },
  ].filter(({ quantity }) => quantity > 0);
  const made = await book(test, tenant, event, { tickets: wanted, firstName: 'Ada', lastName: 'Martin', language: 'en' });
  await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
  return Object.assign(made, { path: await pathTo({ reservationId: made.id }) });
}

const pathTo = (subject: { membershipId: string } | { reservationId: string }): Promise<string> =>
  inside(async () => test.app.get(HolderLinks).pathTo(subject));

const ada = { first_name: 'Ada', last_name: 'Martin' };
const send = (path: string, email: string, step = '', items: readonly string[] = []) =>
  forms.post(`${path}/withdraw`, [...Object.entries({ ...ada, email, step }), ...items.map((id) => ['item', id] as const)]);

const memberNow = (id: string): Promise<WholeMembership> => inside(async () => (await test.app.get(MembershipsService).find(id))!);
const refundsOf = (column: string, id: string) =>
  sql<{ amount: string; reason: string }>(
    `select amount::text, reason from payment where ${column} = $1 and kind = 'refund' order by created_at`,
    [id],
  );
const receiptsTo = (email: string) =>
  sink.mails.map(({ parsed }) => parsed).filter((mail) => mail.to !== undefined && JSON.stringify(mail.to).includes(email));
const stockOf = async (priceId: string): Promise<number> =>
  (await sql<{ sold: number }>('select sold from price where id = $1', [priceId]))[0]!.sold;

describe('withdrawal from a membership', () => {
  it('is two steps from its page, is refunded by the provider and confirmed by mail with the time', async () => {
    const { id, path, email, priceId } = await member();
    expect(await stockOf(priceId)).toBe(1);
    expect((await forms.get(path)).text).toContain(`href="${path}/withdraw"`);
    expect((await forms.get(`/memberships/${priceId}`)).text).toContain('you may withdraw for 14 days');
    const first = await forms.get(`${path}/withdraw`);
    for (const text of ['Withdraw from contract', 'value="Ada"', `value="${email}"`, id.slice(0, 8).toUpperCase()])
      expect(first.text).toContain(text);
    const look = await send(path, email);
    expect([look.status, look.text.includes('Confirm withdrawal'), look.text.includes('€20')]).toEqual([200, true, true]);
    expect((await memberNow(id)).status).toBe('active');
    expect((await send(path, email, 'change')).text).toContain(`value="${email}"`);

    const done = await send(path, email, 'confirm');
    expect([done.status, done.headers['location']]).toEqual([303, `${path}/withdraw?done=1`]);
    const { status, withdrawnAt } = await memberNow(id);
    expect([status, withdrawnAt instanceof Date]).toEqual(['cancelled', true]);
    expect(await stockOf(priceId)).toBe(0);
    expect(await refundsOf('membership_id', id)).toEqual([{ amount: '20.00', reason: 'withdrawal' }]);
    await eventually(async () =>
      expect(await sql(`select 1 from payment where membership_id = $1 and status = 'refunded'`, [id])).toHaveLength(1),
    );
    const mail = await eventually(() => {
      const found = receiptsTo(email).find(({ subject }) => subject?.startsWith('Your withdrawal has been received'));
      expect(found).toBeDefined();
      return found!;
    });
    for (const text of ['Ada Martin', id.slice(0, 8).toUpperCase(), 'Europe/Paris', '€20', email, path]) expect(mail.text).toContain(text);

    const page = wordsOf((await forms.get(`${path}/withdraw`)).text);
    for (const text of ['You have withdrawn', 'We received your withdrawal on', 'Europe/Paris']) expect(page).toContain(text);
    expect((await forms.get(path)).text).not.toContain('/withdraw');
  });

  it('is linked in the mail with the card and in the account, and names what is missing in the statement', async () => {
    const { path, email } = await member();
    const card = await eventually(() => {
      const [found] = receiptsTo(email);
      expect(found).toBeDefined();
      return found!;
    });
    for (const text of ['Withdraw from contract here', `${path}/withdraw`, 'until the end of']) expect(card.text).toContain(text);
    const visits = new AccountVisits(test, tenant);
    expect((await visits.get('/account', await visits.signIn(email))).text).toContain(`href="${path}/withdraw"`);
    const empty = await forms.post(`${path}/withdraw`, Object.entries({ first_name: '', last_name: '', email: 'no', step: 'confirm' }));
    expect([empty.status, empty.text.includes('Enter your name.')]).toEqual([422, true]);
    const address = await forms.post(
      `${path}/withdraw`,
      Object.entries({ ...ada, first_name: 'www.evil.example', email, step: 'confirm' }),
    );
    expect(address.status).toBe(422);
    // Where it goes, the buyer decides.
    expect((await send(path, `other+${email}`, 'confirm')).status).toBe(303);
    await eventually(() => expect(receiptsTo(`other+${email}`)).toHaveLength(1));
    const [elsewhere] = receiptsTo(`other+${email}`);
    // The link of the order would open it to anybody who was named there.
    expect(/\/(membership|reservation)\//.test(`${elsewhere!.text} ${String(elsewhere!.html)}`)).toBe(false);
  });

  it('is one withdrawal and one refund, however often it is sent at once', async () => {
    const { id, path, email, priceId } = await member();
    const answers = await Promise.all(crowd(12, () => send(path, email, 'confirm')));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers['location']}`))).toEqual(
      new Set([`303 ${path}/withdraw?done=1`]),
    );
    expect(await sql(`select 1 from mail where membership_id = $1 and kind = 'withdrawal'`, [id])).toHaveLength(1);
    expect(await refundsOf('membership_id', id)).toHaveLength(1);
    expect(await stockOf(priceId)).toBe(0);
  });

  it('ends with the fourteenth day, and says so; staff who cancelled before leave nothing to withdraw from', async () => {
    const { id, path, email } = await member();
    // A payment is never rewritten.
    await sql('alter table payment disable trigger user');
    await sql(`update payment set paid_at = paid_at - interval '30 days' where membership_id = $1`, [id]);
    await sql('alter table payment enable trigger user');
    const late = await forms.get(`${path}/withdraw`);
    expect([late.status, late.text.includes('The time to withdraw ended on')]).toEqual([409, true]);
    expect((await send(path, email, 'confirm')).status).toBe(409);
    expect((await forms.get(path)).text).not.toContain('/withdraw');
    expect((await memberNow(id)).status).toBe('active');
    const other = await member();
    await inside(() => test.app.get(MembershipsService).cancel(other.id));
    expect(wordsOf((await forms.get(`${other.path}/withdraw`)).text)).toContain('This is cancelled already.');
    expect((await send(other.path, other.email, 'confirm')).status).toBe(409);
    expect(await refundsOf('membership_id', other.id)).toEqual([{ amount: '20.00', reason: 'cancelled' }]);
  });

  it('is not offered where EU law does not apply, and cannot be switched off with an empty country', async () => {
    const { id, path, email } = await member();
    await sql(`update configuration set country = 'CH'`);
    expect([(await forms.get(`${path}/withdraw`)).status, (await send(path, email, 'confirm')).status]).toEqual([404, 404]);
    expect((await forms.get(path)).text).not.toContain('/withdraw');
    await sql(`update configuration set country = null`);
    expect((await forms.get(path)).text).toContain('/withdraw');
    expect((await memberNow(id)).status).toBe('active');
    const { priceId } = await newPlan(test, tenant, '20.00');
    const atVenue = await inside(() => test.app.get(MembershipsService).create({ priceId, email, paymentMethod: 'cash' }));
    await sql('update membership set by_key_id = $2 where id = $1', [atVenue.id, 'key']);
    expect((await forms.get(`${await pathTo({ membershipId: atVenue.id })}/withdraw`)).status).toBe(409);
  });
});

describe('withdrawal from goods', () => {
  const bar = { id: crypto.randomUUID(), name: 'Bar' };
  const handedOut = (good: string, ago: string | null) =>
    sql(`update ticket set fulfilled_at = now() - $2::interval, fulfilled_by_name = 'Bar' where id = $1`, [good, ago]);
  const refusedAs = (): boolean => false;
  const handOut = (good: string): Promise<boolean> =>
    inside(() => test.app.get(FulfilmentsService).fulfilByStaff(good, bar)).then(() => true, refusedAs);

  it('is told before the order, and not with tickets alone', async () => {
    const told = async (priceId: string): Promise<boolean> =>
      (await forms.get(await forms.begin(event.slug, priceId, '1'))).text.includes('you may withdraw for 14 days');
    expect([await told(shirt), await told(event.priceId)]).toEqual([true, false]);
  });

  it('leaves the tickets of the order, which have none and say why', async () => {
    const { id, path, tickets, email } = await bought(2, 1);
    const page = await forms.get(path);
    expect(page.text).toContain(`href="${path}/withdraw"`);
    expect(wordsOf(page.text)).toContain('article 16(l) of Directive 2011/83/EU');
    const shirts = tickets.filter(({ admission }) => !admission).map(({ id: ticket }) => ticket);
    const ticket = tickets.find(({ admission }) => admission)!.id;
    expect((await forms.get(`${path}/withdraw`)).text).not.toContain(ticket);
    const none = await send(path, email, '', [ticket]);
    expect([none.status, none.text.includes('Choose at least one item.')]).toEqual([422, true]);
    const before = await stockOf(shirt);
    expect((await send(path, email, 'confirm', [shirts[0]!, ticket])).status).toBe(303);
    expect(await refundsOf('reservation_id', id)).toEqual([{ amount: '15.00', reason: 'withdrawal' }]);
    expect(await stockOf(shirt)).toBe(before - 1);
    const rows = await sql<{ id: string; status: string }>('select id, status from ticket where reservation_id = $1', [id]);
    expect(rows.filter(({ status }) => status === 'R').map((row) => row.id)).toEqual([shirts[0]]);
    // The mail about everything that is left does not replace the receipt.
    await eventually(() => expect(receiptsTo(email).filter(({ subject }) => subject?.startsWith('Your withdrawal'))).toHaveLength(1));
    expect((await send(path, email, 'confirm', [shirts[0]!])).status).toBe(303);
    expect(await refundsOf('reservation_id', id)).toHaveLength(1);
    expect((await forms.get(`${path}/withdraw`)).text).toContain(shirts[1]);
    const refused = await forms.get(`${(await bought(0, 1)).path}/withdraw`);
    expect([refused.status, wordsOf(refused.text).includes('article 16(l)')]).toEqual([409, true]);
  });

  it('ends an order of goods alone, with one mail, and is one also when it is sent at once', async () => {
    const { id, path, tickets, email } = await bought(2);
    const items = tickets.map((ticket) => ticket.id);
    const answers = await Promise.all(crowd(12, (index) => send(path, email, 'confirm', index % 2 ? items : items.toReversed())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await refundsOf('reservation_id', id)).toEqual([{ amount: '30.00', reason: 'withdrawal' }]);
    expect(await sql('select status, cancel_reason as reason from reservation where id = $1', [id])).toEqual([
      { status: 'C', reason: 'withdrawal' },
    ]);
    const kinds = await sql<{ kind: string }>(`select kind from mail where reservation_id = $1 and kind <> 'tickets'`, [id]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['withdrawal']);
  });

  it('that were handed out is kept, refunded when staff take them back, and ends 14 days after', async () => {
    const { id, path, tickets, email } = await bought(1, 1);
    const good = tickets.find(({ admission }) => !admission)!.id;
    await handedOut(good, '30 days');
    const late = await forms.get(`${path}/withdraw`);
    expect([late.status, late.text.includes('The time to withdraw ended on')]).toEqual([409, true]);
    await handedOut(good, '3 days');
    expect((await send(path, email, '', [good])).text).toContain('when you have brought or sent it back');
    expect((await send(path, email, 'confirm', [good])).status).toBe(303);
    expect(await refundsOf('reservation_id', id)).toEqual([]);
    await eventually(() => expect(receiptsTo(email).filter(({ text }) => text?.includes('Please bring or send back'))).toHaveLength(1));
    expect(await inside(() => test.app.get(FulfilmentsService).undoByStaff(good, 'is back', bar))).toBe(true);
    expect(await refundsOf('reservation_id', id)).toEqual([{ amount: '15.00', reason: 'withdrawal' }]);
    await eventually(() => expect(receiptsTo(email).filter(({ text }) => text?.includes('€15'))).not.toHaveLength(0));
  });

  it('begins when the last of them is handed out, and leaves nothing to hand out again', async () => {
    const { id, path, tickets, email, emailKey } = await bought(2);
    const [one, two] = tickets.map((ticket) => ticket.id) as [string, string];
    await handedOut(one, '30 days');
    expect((await forms.get(`${path}/withdraw`)).status).toBe(200);
    await handedOut(two, '3 days');
    expect((await forms.get(`${path}/withdraw`)).text).toContain(one);
    await handedOut(two, '30 days');
    expect((await send(path, email, 'confirm', [one])).status).toBe(409);
    await handedOut(two, '3 days');
    expect((await send(path, `other+${email}`, 'confirm', [one])).status).toBe(303);
    // As a device at the counter undoes it.
    await handedOut(one, null);
    expect(await handOut(one)).toBe(false);
    await inside(() => test.app.get(ReservationChangesService).cancelTicket(one, { reason: 'staff' }));
    expect(await refundsOf('reservation_id', id)).toEqual([{ amount: '15.00', reason: 'withdrawal' }]);
    // The statement was sent elsewhere, and is erased with its buyer.
    const statements = () => sql(`select 1 from mail where reservation_id = $1 and kind = 'withdrawal'`, [id]);
    expect(await statements()).toHaveLength(1);
    await handedOut(two, null);
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    await eventually(async () =>
      expect(await sql(`select 1 from payment where status = 'refund_due' and reservation_id = $1`, [id])).toEqual([]),
    );
    await inside(() => test.app.get(AccountErasureService).erase({ email, emailKey }));
    expect(await statements()).toEqual([]);
  });

  it('is a withdrawal also while they are handed out', async () => {
    for (const { path, tickets, email } of [await bought(1), await bought(1), await bought(1)]) {
      const good = tickets[0]!.id;
      const [answer, handing] = await Promise.all([send(path, email, 'confirm', [good]), handOut(good)]);
      const [row] = await sql<{ isWithdrawn: boolean; status: string; isOut: boolean }>(
        `select withdrawn_at is not null as "isWithdrawn", status, fulfilled_at is not null as "isOut" from ticket where id = $1`,
        [good],
      );
      expect([answer.status, row]).toEqual([303, { isWithdrawn: true, status: handing ? 'K' : 'R', isOut: handing }]);
    }
  });
});
