import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MailSenderService } from '#notices';
import { ReservationChangesService } from '#tickets';
import { EventsService, QuestionsService } from '#catalogue';
import { RetentionService, type TenantIdentity } from '#tenancy';
import { book, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { complete, endHold, hold } from '../support/drafts.js';
import { OrderForms } from '../support/order-forms.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { WaitingLists } from '../support/waiting-list.js';
import { ownPart } from '../support/own-part.js';

let test: StripeApp;
let tenant: TenantIdentity;
let sink: SmtpSink;
let forms: OrderForms;
let lists: WaitingLists;

beforeAll(async () => {
  sink = await openSmtpSink();
  const environment = { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' };
  test = await startStripeApp({ environment });
  tenant = await test.newTenant({ language: 'en' });
  forms = new OrderForms(test, tenant);
  lists = new WaitingLists(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await sink.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const cancel = (id: string): Promise<unknown> => inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'holder' }));

interface Sold {
  readonly id: string;
  readonly slug: string;
  readonly priceId: string;
  readonly sales: readonly string[];
}

/** An event whose free places are all booked, one reservation each. */
async function soldOut(capacity: number, amount = '0.00'): Promise<Sold> {
  const startsAt = new Date(Date.now() + 3 * 86_400_000);
  const { id, slug } = await newEvent(test, tenant, { capacity, startsAt });
  const priceId = await newPrice(test, tenant, id, { name: 'Entry', amount });
  const sales: string[] = [];
  for (let index = 0; index < capacity; index += 1) sales.push((await book(test, tenant, { id, priceId }, { confirmed: true })).id);
  return { id, slug, priceId, sales };
}

/** Joins with the form on the page of the event. */
const join = (event: Sold, email: string, quantity = '1') =>
  forms.post(`/event/${event.slug}/wait`, [
    ['price', event.priceId],
    ['quantity', quantity],
    ['email', email],
  ]);

/** Sends the waiting mails of an entry. */
async function mailsOf(entryId: string): Promise<SmtpSink['mails'][number]['parsed'][]> {
  const before = sink.mails.length;
  const rows = await lists.sql<{ id: string }>(`select id from mail where waiting_entry_id = $1 and status = 'waiting'`, [entryId]);
  for (const { id } of rows) await inside(() => test.app.get(MailSenderService).send(id, { isLast: true }));
  return sink.mails.slice(before).map(({ parsed }) => parsed);
}

describe('the form of a waiting list', () => {
  it('is on the page of an event that is sold out, and answers the same whether the address waits or not', async () => {
    const event = await soldOut(1);
    const page = await forms.get(`/event/${event.slug}`);
    for (const text of ['Waiting list', `action="/event/${event.slug}/wait"`, event.priceId]) expect(page.text).toContain(text);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const answers = [await join(event, 'ada@example.org'), await join(event, 'ada@example.org')];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toContain('We have written to ada@example.org.');
    }
    const [row] = await lists.rows(event.id);
    expect(row).toMatchObject({ status: 'unconfirmed', mails: 1 });
    await forms.post(`${await lists.pathTo(row!.id)}/confirm`, []);
    const again = await join(event, 'Ada+spam@example.org');
    expect([again.status, again.text.replace('Ada+spam@', 'ada@')]).toEqual([200, answers[0]!.text]);
    expect(await lists.states(event.id)).toEqual(['waiting']);
    expect((await forms.get(`/event/${(await newEvent(test, tenant)).slug}`)).text).not.toContain('/wait"');
  });

  it('is not opened by tickets that buyers only hold: the page says that they may become free again', async () => {
    const startsAt = new Date(Date.now() + 3 * 86_400_000);
    const { id, slug } = await newEvent(test, tenant, { capacity: 2, startsAt });
    const priceId = await newPrice(test, tenant, id, { name: 'Entry', amount: '0.00' });
    const event = { id, slug, priceId, sales: [] };
    const [first, second] = [await hold(test, tenant, event), await hold(test, tenant, event)];
    const page = (await forms.get(`/event/${slug}`)).text;
    expect(page).toContain('At the moment all are reserved.');
    expect(page).toContain('schema.org/LimitedAvailability');
    for (const text of ['/wait"', 'Sold out']) expect(ownPart(page)).not.toContain(text);
    expect((await forms.get('/')).text.split(slug)[1]!.split('</li>')[0]).not.toContain('Sold out');
    expect((await join(event, 'ada@example.org')).headers['location']).toBe(`/event/${slug}`);
    // Neither do reservations that wait to be confirmed.
    await complete(test, tenant, first);
    expect(await outcome(lists.join(event))).toMatchObject({ reason: 'no_list' });
    for (const one of [first, second]) {
      await complete(test, tenant, one);
      await inside(() => test.app.get(ReservationChangesService).verify(one));
    }
    expect((await forms.get(`/event/${slug}`)).text).toContain('/wait"');
    await lists.join(event);
  });

  it('names its faults and keeps what was typed', async () => {
    const event = await soldOut(1);
    const wrong = await join(event, 'ada');
    expect(wrong.status).toBe(422);
    for (const text of ['value="ada"', 'href="#wait-email"']) expect(wrong.text).toContain(text);
    for (const quantity of ['0', '2', 'x', '']) {
      const many = await join(event, 'ada@example.org', quantity);
      expect([quantity, many.status, many.text.includes('href="#wait-quantity"')]).toEqual([quantity, 409, true]);
    }
    await cancel(event.sales[0]!);
    const free = await join(event, 'ada@example.org');
    expect(free.status).toBe(409);
    for (const text of ['Places are free again', `class="button" href="/event/${event.slug}"`]) expect(free.text).toContain(text);
    expect(await lists.rows(event.id)).toEqual([]);
    await inside(() => test.app.get(EventsService).update(event.id, { startsAt: new Date(Date.now() - 1000) }));
    const begun = await join(event, 'ada@example.org');
    expect([begun.status, begun.headers['location']]).toEqual([303, `/event/${event.slug}`]);
  });

  it('limits the entries of a network, the unconfirmed ones of an address, and the mails', async () => {
    const event = await soldOut(1);
    const others = await Promise.all(Array.from({ length: 6 }, () => soldOut(1)));
    // Forms of one network that are sent at once: without the lock in `refuseBusyNetwork` more of them find room.
    const sent = await Promise.all(crowd(8, () => outcome(lists.join(event, { network: 'one' }))));
    expect(sent.filter((answer) => typeof answer === 'string')).toHaveLength(3);
    expect(sent.find((answer) => typeof answer !== 'string')).toMatchObject({ reason: 'too_many_here' });
    for (const other of others) for (let index = 0; index < 3; index += 1) await outcome(lists.join(other, { network: 'one' }));
    const again = await soldOut(1);
    expect(await outcome(lists.join(again, { network: 'one' }))).toMatchObject({ reason: 'too_many' });
    await lists.join(event, { network: 'other', email: 'grace@example.org' });
    for (let index = 0; index < 9; index += 1) {
      await lists.sql(`update waiting_entry set asked_at = asked_at - interval '1 hour'`);
      await lists.join(event, { email: 'grace@example.org' });
    }
    expect((await lists.rows(event.id)).find(({ email }) => email === 'grace@example.org')).toMatchObject({ mails: 6 });
    const ids: string[] = [];
    for (const other of others) ids.push(await lists.join(other, { email: 'grace@example.org' }));
    expect(ids.filter((id) => id !== '')).toHaveLength(4);
  });
});

describe('an entry of a waiting list', () => {
  it('counts from its confirmation on, gets the freed place, and books it with one click', async () => {
    const event = await soldOut(1);
    const late = await lists.join(event, { email: 'late@example.org' });
    const first = await lists.join(event, { email: 'first@example.org' });
    const [mail] = await mailsOf(first);
    const path = await lists.pathTo(first);
    expect(mail).toMatchObject({ subject: expect.stringContaining('please confirm'), to: [{ address: 'first@example.org' }] });
    expect(mail!.text).toContain(path);
    // Opening the link confirms nothing, because programs that check mails open links, too.
    expect((await forms.get(path)).text).toContain('Do you want to wait?');
    expect(await lists.states(event.id)).toEqual(['unconfirmed', 'unconfirmed']);
    await forms.post(`${path}/confirm`, []);
    await forms.post(`${await lists.pathTo(late)}/confirm`, []);
    expect((await forms.get(path)).text).toContain('You are on the waiting list');
    await cancel(event.sales[0]!);
    expect((await forms.get(`/event/${event.slug}`)).text).toContain('Sold out');
    expect(await outcome(book(test, tenant, event))).toMatchObject({ reason: 'sold_out', facts: { remaining: [{ remaining: 0 }] } });
    await lists.serve(event.id);
    expect((await lists.rows(event.id)).map(({ email, status }) => `${email} ${status}`)).toEqual([
      'first@example.org offered',
      'late@example.org waiting',
    ]);
    const [offer] = await mailsOf(first);
    expect(offer).toMatchObject({ subject: expect.stringContaining('It is your turn') });
    expect((await forms.get(path)).text).toContain('Book now');
    const booked = await forms.post(`${path}/book`, []);
    expect(booked.status).toBe(303);
    expect((await forms.get(booked.headers['location']!)).text).toContain('<svg');
    expect((await forms.post(`${path}/book`, [])).status).toBe(303);
    expect(await lists.states(event.id)).toEqual(['booked', 'waiting']);
    expect((await forms.get(path)).text).toContain('You have booked');
  });

  it('of a paid price leads to the contact form with its address, also where questions are asked', async () => {
    await test.takePayments(tenant);
    const event = await soldOut(1, '12.50');
    const id = await lists.wait(event, { email: 'ada@example.org' });
    await cancel(event.sales[0]!);
    await lists.serve(event.id);
    const answer = await forms.post(`${await lists.pathTo(id)}/book`, []);
    const order = await forms.get(answer.headers['location']!);
    for (const text of ['value="ada@example.org"', 'Pay €12.50']) expect(order.text).toContain(text);
    const paying = await forms.complete(answer.headers['location']!);
    expect(paying.headers['location']).toBe(test.lastSession()['url']);
    expect(await lists.states(event.id)).toEqual(['booked']);
    const asked = await soldOut(1);
    const [price] = await lists.sql<{ productId: string }>('select product_id as "productId" from price where id = $1', [asked.priceId]);
    const question = { label: 'Diet', kind: 'text', scope: 'ticket', required: true, choices: [] } as const;
    await inside(() => test.app.get(QuestionsService).define(price!.productId, [question]));
    const waiting = await lists.wait(asked);
    await cancel(asked.sales[0]!);
    await lists.serve(asked.id);
    expect((await forms.post(`${await lists.pathTo(waiting)}/book`, [])).headers['location']).toMatch(/^\/order\//);
  });

  it('counts for its network until it ends, and asks for four places at most', async () => {
    const event = await soldOut(9);
    expect(await outcome(lists.join(event, { quantity: 5 }))).toMatchObject({ reason: 'quantity' });
    expect((await forms.get(`/event/${event.slug}`)).text).toMatch(/name="quantity"[^>]*max="4"|max="4"[^>]*name="quantity"/);
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push(await lists.wait(event, { quantity: 1, network: 'school' }));
    expect(await outcome(lists.join(event, { network: 'school' }))).toMatchObject({ reason: 'too_many_here' });
    await cancel(event.sales[0]!);
    await lists.serve(event.id);
    expect(await lists.states(event.id)).toEqual(['offered', 'waiting', 'waiting']);
    expect(await outcome(lists.join(event, { network: 'school' }))).toMatchObject({ reason: 'too_many_here' });
    await forms.post(`${await lists.pathTo(ids[0]!)}/book`, []);
    expect(await lists.sql('select status, network is null as free from waiting_entry where id = $1', [ids[0]])).toEqual([
      { status: 'booked', free: true },
    ]);
    await lists.join(event, { network: 'school' });
  });

  it('whose own price is sold out does not keep others from other prices', async () => {
    const { id, slug } = await newEvent(test, tenant, { capacity: 5 });
    const scarce = await newPrice(test, tenant, id, { name: 'Front row', amount: '0.00', stock: 1 });
    const other = await newPrice(test, tenant, id, { name: 'Entry', amount: '0.00' });
    const sale = await book(test, tenant, { id, priceId: scarce }, { confirmed: true });
    const waits = await lists.wait({ id, priceId: scarce });
    await hold(test, tenant, { id, priceId: other });
    expect((await forms.get(`/event/${slug}`)).text).toContain(`id="q-${other}"`);
    await cancel(sale.id);
    // The front row is kept for the list; the event has places for both.
    expect(await outcome(hold(test, tenant, { id, priceId: scarce }))).toMatchObject({ reason: 'sold_out' });
    await lists.serve(id);
    expect((await lists.rows(id))[0]).toMatchObject({ id: waits, status: 'offered' });
    await hold(test, tenant, { id, priceId: other });
  });

  it('passes its offer on when it is not taken, and when the person leaves', async () => {
    const event = await soldOut(1);
    const [first, second, third] = [await lists.wait(event), await lists.wait(event), await lists.wait(event)];
    await cancel(event.sales[0]!);
    await lists.serve(event.id);
    const [offered] = await lists.rows(event.id);
    expect(offered!.offeredUntil!.getTime() - Date.now()).toBeGreaterThan(3.9 * 3_600_000);
    await endHold(test, tenant, offered!.reservationId!);
    await lists.serve(event.id);
    expect(await lists.states(event.id)).toEqual(['expired', 'offered', 'waiting']);
    const gone = await forms.post(`${await lists.pathTo(first)}/book`, []);
    expect((await forms.get(gone.headers['location']!)).text).toContain('The offer has ended');
    await forms.post(`${await lists.pathTo(second)}/leave`, []);
    await forms.post(`${await lists.pathTo(second)}/leave`, []);
    await lists.serve(event.id);
    expect((await lists.rows(event.id)).map(({ id, status }) => `${id} ${status}`)).toEqual([
      `${first} expired`,
      `${second} left`,
      `${third} offered`,
    ]);
    // The ended draft cannot take the place of the next.
    expect((await forms.get(await lists.pathTo(second))).text).toContain('You are not on the list any more');
  });

  it('is offered places at the latest until the event begins, and ends then', async () => {
    const event = await soldOut(2);
    await lists.wait(event);
    await lists.wait(event);
    await inside(() => test.app.get(EventsService).update(event.id, { startsAt: new Date(Date.now() + 1_800_000) }));
    await cancel(event.sales[0]!);
    await lists.serve(event.id);
    const [offered] = await lists.rows(event.id);
    expect(offered!.offeredUntil!.getTime() - Date.now()).toBeLessThanOrEqual(1_800_000);
    await cancel(event.sales[1]!);
    await inside(() => test.app.get(EventsService).update(event.id, { startsAt: new Date(Date.now() - 1000) }));
    // Nobody has precedence from the start on.
    await hold(test, tenant, event);
    await endHold(test, tenant, offered!.reservationId!);
    await lists.serve(event.id);
    expect(await lists.states(event.id)).toEqual(['expired', 'over']);
  });

  it('is deleted some time after it ended, and soon when nobody confirmed it', async () => {
    const event = await soldOut(1);
    const [ended, old] = [await lists.join(event), await lists.join(event), await lists.join(event)];
    await forms.post(`${await lists.pathTo(ended)}/leave`, []);
    await lists.sql(`update waiting_entry set ended_at = now() - interval '31 days' where id = $1`, [ended]);
    await lists.sql(`update waiting_entry set created_at = now() - interval '3 days' where id = $1`, [old]);
    await inside(() => test.app.get(RetentionService).prune());
    expect(await lists.rows(event.id)).toHaveLength(1);
  });
});
