import { CartCompletionService } from '#selling';
import { HolderLinks } from '#tickets';
import { QuestionsService } from '#catalogue';
import type { RefusedInputs } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { crowd, expectNoDrift, letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, freeEvent as newFreeEvent, type CartEvent } from '../support/cart-forms.js';
import { addToCart, completeCart, contactOf, newCart, partsOfCart } from '../support/carts.js';
import { ticketsIn } from '../support/order-forms.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startStripeApp({
    // The test holds one transaction of the tenant, while others wait for it.
    environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min', DATABASE_POOL_SIZE: '8' },
  });
  tenant = await test.newTenant({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));

const freeEvent = (capacity?: number): Promise<CartEvent> => newFreeEvent(test, tenant, capacity);

describe('completing a cart', () => {
  it('of free tickets: one link of several mails confirms all of them', async () => {
    const { path } = await forms.collect([await freeEvent(), await freeEvent()]);
    const page = await forms.get(`${path}/contact`);
    const email = `${randomUUID()}@example.org`;
    const fields = [...ticketsIn(page.text), ['email', email] as const, ['holder_first', 'Ada'] as const, ['holder_first', 'Zoë'] as const];
    const answers = await Promise.all(crowd(4, () => forms.post(`${path}/contact`, fields)));
    for (const answer of answers) expect([answer.status, answer.headers['location']]).toEqual([303, path]);
    const sent = await forms.get(path);
    // This server sends no mail.
    for (const text of ['One step is left', 'Ask the venue for the link to confirm']) expect(sent.text).toContain(text);
    expect(sent.text).not.toContain('/reservation/');
    const rows = await sql<{ id: string; status: string; name: string }>(
      `select reservation.id, reservation.status, ticket.first_name as name from reservation
       join ticket on ticket.reservation_id = reservation.id where email = $1 order by reservation.created_at`,
      [email],
    );
    expect(rows.map(({ status, name }) => `${status} ${name}`)).toEqual(['F Ada', 'F Zoë']);
    const holder = await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: rows[1]!.id }));
    await forms.post(`${holder}/confirm`, []);
    expect((await sql<{ status: string }>('select status from reservation where email = $1', [email])).map(({ status }) => status)).toEqual(
      Array(2).fill(expect.stringMatching(/^(FA|V|PN)$/)),
    );
    // Only the mail leads to the tickets.
    const done = (await forms.get(path)).text;
    expect([done.includes('Ask the venue for them.'), done.includes('/reservation/')]).toEqual([true, false]);
    // The state agrees with “réservation” and “reserva”.
    for (const [language, state] of Object.entries({ fr: 'Confirmée', es: 'Confirmada' })) {
      const { text } = await test.on(tenant).get(path).set('Accept-Language', language);
      expect(text.match(new RegExp(`<strong>${state}</strong>`, 'g'))).toHaveLength(2);
    }
  });

  it('asks each question of a product once, and each ticket its own', async () => {
    const event = await freeEvent();
    const [row] = await sql<{ productId: string }>('select product_id as "productId" from price where id = $1', [event.priceId]);
    const question = { kind: 'text', required: true, choices: [] } as const;
    await inside(() =>
      test.app.get(QuestionsService).define(row!.productId, [
        { ...question, label: 'Once', scope: 'reservation' },
        { ...question, label: 'Each', scope: 'ticket' },
      ]),
    );
    const asked = await sql<{ id: string; name: string }>('select id, name from question where product_id = $1 order by position', [
      row!.productId,
    ]);
    const [once, each] = asked as [(typeof asked)[number], (typeof asked)[number]];
    const plain = await freeEvent();
    const cart = await newCart(test, tenant, [plain, event]);
    const refusal = (await completeCart(test, tenant, cart, { email: 'none' }).catch((error: unknown) => error)) as RefusedInputs;
    expect(refusal.faults.map(({ field }) => field).toSorted()).toEqual(
      [`answers.${once.name}`, 'email', `tickets.1.answers.${each.name}`].toSorted(),
    );
    const completed = await completeCart(test, tenant, cart, {
      answers: new Map([[once.id, 'yes']]),
      ticketAnswers: [undefined, new Map([[each.id, 'mine']])],
    });
    expect(completed.parts.map(({ answers }) => answers.map(({ value }) => value))).toEqual([[], ['yes', 'mine']]);
  });

  it('is all or nothing, and names the event that is sold out', async () => {
    const [wide, narrow] = [await freeEvent(), await freeEvent(1)];
    const { path } = await forms.collect([wide, narrow]);
    const { text } = await forms.get(`${path}/contact`);
    await letHoldsLapse(test, tenant);
    const rival = await newCart(test, tenant, [narrow]);
    const typed = [['email', 'ada@example.org'] as const, ['first_name', 'Grace'] as const, ['holder_first', 'Zoë'] as const];
    const refused = await forms.post(`${path}/contact`, [...ticketsIn(text), ...typed]);
    expect(refused.status).toBe(409);
    const [id] = path.split('/').slice(2);
    const [, gone] = await partsOfCart(test, tenant, id!);
    // The form is shown as it was typed; its list of faults leads to the part, which can be changed or removed there.
    for (const value of ['ada@example.org', 'Grace', 'Zoë']) expect(refused.text).toContain(`value="${value}"`);
    expect(refused.text).toContain(
      `<a href="#part-${gone!.id}">${gone!.event.name} – There are none left. Change or remove these tickets.</a>`,
    );
    for (const action of [`href="/order/${gone!.id}/`, `name="part" value="${gone!.id}"`]) expect(refused.text).toContain(action);
    expect(refused.text.match(/name="part"/g)).toHaveLength(1);
    expect(ticketsIn(refused.text)).toEqual(ticketsIn(text));
    expect((await partsOfCart(test, tenant, id!)).map(({ isDraft }) => isDraft)).toEqual([true, true]);
    expect((await partsOfCart(test, tenant, rival)).map(({ isDraft }) => isDraft)).toEqual([true]);
    const wrong = await partsOfCart(test, tenant, id!);
    await forms.post(`${path}/remove`, [['part', wrong[1]!.id]]);
    const form = (await forms.get(`${path}/contact`)).text;
    expect((await forms.post(`${path}/contact`, [...ticketsIn(form), ['email', 'ada@example.org']])).status).toBe(303);
  });

  it('refuses a form that showed other tickets, and names faults at their fields', async () => {
    const { path, cookie } = await forms.collect([await freeEvent(), await freeEvent()]);
    const { text } = await forms.get(`${path}/contact`);
    const faulty = await forms.post(`${path}/contact`, [...ticketsIn(text), ['email', 'nobody'], ['first_name', 'Ada']]);
    expect(faulty.status).toBe(422);
    expect(faulty.text).toContain('value="nobody"');
    await forms.add(await freeEvent(), '1', cookie);
    const stale = await forms.post(`${path}/contact`, [...ticketsIn(text), ['email', 'ada@example.org']]);
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('changed in another window');
  });

  // When `CartsService.add` does not lock the order first, the tickets are added to the completed cart.
  it('is not changed by tickets that are added while it is completed', async () => {
    const [event, late] = [await freeEvent(), await freeEvent()];
    const cart = await newCart(test, tenant, [event]);
    const contact = await contactOf(test, tenant, cart);
    const waiting = async (count: number): Promise<boolean> => (await test.database.waiting()) >= count;
    let completing: Promise<unknown> = Promise.resolve();
    let adding: Promise<unknown> = completing;
    await inside(() =>
      test.app.get(TenantDb).transaction(async (tx) => {
        await tx.query('select 1 from event where id = $1 for update', [event.id]);
        completing = inside(() => test.app.get(CartCompletionService).complete(cart, contact, randomUUID()));
        await until(() => waiting(1), Boolean);
        let isAdded = false;
        adding = addToCart(test, tenant, cart, late).finally(() => (isAdded = true));
        await until(async () => isAdded || (await waiting(2)), Boolean);
      }),
    );
    await completing;
    expect(await adding).toBe(false);
    expect((await partsOfCart(test, tenant, cart)).map(({ isDraft }) => isDraft)).toEqual([false]);
  });

  it('leads to one checkout, and returns to a page that waits for the payment', async () => {
    await test.takePayments(tenant);
    const [one, other] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const { path } = await forms.collect([one, other, await freeEvent()]);
    const fields = await forms.contact(path);
    const before = test.stripe.sessions.size;
    const answers = await Promise.all(crowd(3, () => forms.post(`${path}/contact`, fields)));
    expect(test.stripe.sessions.size).toBe(before + 1);
    const session = test.lastSession();
    expect(session.amount_total).toBe(2500);
    for (const { headers } of answers) expect(headers['location']).toBe(session['url']);
    const [asked] = test.stripe.requests.filter(({ path: to }) => to === '/v1/checkout/sessions').slice(-1);
    expect(asked!.parameters['success_url']).toContain(`${path}?paid=1`);
    expect((await forms.get(path)).text).toContain(String(session['url']));
    const waiting = await forms.get(`${path}?paid=1`);
    expect(waiting.text).toContain(`data-again="${path}?paid=2"`);
    await test.deliver(test.stripe.pay(session.id), tenant);
    const done = await forms.get(`${path}?paid=2`);
    expect(done.text.match(/href="\/reservation\//g)).toHaveLength(3);
    expect(done.text).toContain('Thank you for your order.');
    const [id] = path.split('/').slice(2);
    const now = await inside(() => test.app.get(CartCompletionService).find(id!));
    expect(now.parts.map(({ status }) => /^(P|V|PN)$/.test(status))).toEqual([true, true, true]);
  });

  it('keeps the tickets when the payment page cannot be opened', async () => {
    const { path } = await forms.collect([await newEvent(test, tenant), await newEvent(test, tenant)]);
    const fields = await forms.contact(path);
    test.stripe.fault = 'error';
    const failed = await forms.post(`${path}/contact`, fields);
    expect(failed.status).toBe(503);
    expect(failed.text).toContain('could not be opened');
    test.stripe.fault = undefined;
    expect((await forms.post(`${path}/contact`, [])).headers['location']).toContain('/pay/');
  });
});
