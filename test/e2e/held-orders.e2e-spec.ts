import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { HolderLinks } from '#tickets';
import type { Response } from 'supertest';
import { bankOrders, idOf } from '../support/bank-orders.js';
import { expectNoDrift } from '../support/booking.js';
import { CartForms, cookieOf, freeEvent } from '../support/cart-forms.js';
import { complete } from '../support/drafts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;
let bank: Awaited<ReturnType<typeof bankOrders>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new CartForms(test, tenant);
  bank = await bankOrders(test, tenant);
  await bank.sql('update configuration set pay_at_venue_hours = 2');
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const read = (path: string, cookie: string): Promise<Response> =>
  Promise.resolve(test.on(tenant).get(path).set('Cookie', cookie).buffer(true));

const forgotten = /^guichet-held=; Path=\/; Max-Age=0/;
const holderPath = (id: string): Promise<string> =>
  test.inside(tenant, () => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id })));

/** An order of somebody who is signed in, who comes to the page of the reservation at once; and what the browser held before. */
async function ordered(payment: 'venue' | 'transfer'): Promise<{ id: string; cookie: string }> {
  const event = await bank.paidEvent();
  const path = await forms.begin(event.slug, event.priceId, '1');
  const cookie = cookieOf((await forms.get(path)).headers);
  const [id, email] = [idOf(path), 'ada@example.org'];
  expect(await complete(test, tenant, id, { email, signedIn: email, payment })).toMatchObject({ status: 'R', payUntil: null });
  return { id, cookie };
}

describe('tickets that a reader holds', () => {
  it('stand above every page of that reader, and in place of the prices of a sold-out event', async () => {
    const event = await freeEvent(test, tenant, 2);
    const path = await forms.begin(event.slug, event.priceId, '2');
    const order = await forms.get(path);
    expect(order.text).not.toContain('class="held"');
    const cookie = cookieOf(order.headers);
    expect(cookie).toMatch(/^guichet-held=/);
    for (const page of ['/', '/account', `/event/${event.slug}`]) {
      const { text, headers } = await read(page, cookie);
      expect(text).toMatch(/You hold 2 tickets until \d\d:\d\d/);
      expect(text).toContain(`href="${path}"`);
      expect(headers['cache-control']).toBe('no-store');
    }
    const { text } = await read(`/event/${event.slug}`, cookie);
    expect(text).not.toContain('Sold out');
    expect(text).not.toContain('At the moment all are reserved');
    // Others see the page that everybody shares.
    for (const page of ['/', `/event/${event.slug}`]) expect((await forms.get(page)).text).not.toContain('You hold');
  });

  it('are those of the cart, with its number', async () => {
    const { path } = await forms.collect([await freeEvent(test, tenant), await freeEvent(test, tenant)]);
    const cookie = cookieOf((await forms.get(path)).headers);
    const { text } = await read('/', cookie);
    expect(text).toContain('You hold 2 tickets');
    expect(text).toMatch(new RegExp(`<a href="${path}">Cart<span class="count">2</span></a></nav></header>`));
  });

  it('are forgotten when the order is made', async () => {
    const event = await freeEvent(test, tenant);
    const path = await forms.begin(event.slug, event.priceId, '1');
    const cookie = cookieOf((await forms.get(path)).headers);
    await forms.complete(path);
    expect(String((await read(path, cookie)).headers['set-cookie'])).toMatch(forgotten);
    const holder = await holderPath(idOf(path));
    expect((await forms.post(`${holder}/confirm`, [], cookie)).status).toBe(303);
    const booked = await read(holder, cookie);
    expect(String(booked.headers['set-cookie'])).toMatch(forgotten);
    expect(booked.text).not.toContain('class="held"');
  });

  it.each(['venue', 'transfer'] as const)('are forgotten when the order is made and is paid later: %s', async (payment) => {
    const { id, cookie } = await ordered(payment);
    const { text, headers } = await read(await holderPath(id), cookie);
    expect(String(headers['set-cookie'])).toMatch(forgotten);
    expect(text).not.toContain('class="held"');
  });

  it('stay while the order is to be paid online; its own page says it itself', async () => {
    const { id, cookie } = await ordered('venue');
    await bank.sql('update reservation set pay_at_venue = false where id = $1', [id]);
    const { text, headers } = await read(await holderPath(id), cookie);
    expect([text.includes('class="held"'), headers['set-cookie']]).toEqual([false, undefined]);
  });

  it('are nothing that a forged cookie says', async () => {
    const later = Date.now() + 600_000;
    const encoded = (...parts: readonly (string | number)[]): string => `guichet-held=${parts.map(encodeURIComponent).join('.')}`;
    for (const cookie of [
      encoded('https://evil.example/order/a/b', 2, later, ''),
      encoded('//evil.example', 2, later, ''),
      encoded('/order/a/b"><script>', 2, later, ''),
      encoded('/order/a/b', '<b>', later, ''),
      encoded('/order/a/b', 2, Date.now() - 1000, ''),
      'guichet-held=%E0%A4%A.%.%.%',
      'guichet-held=',
    ]) {
      const { status, text } = await read('/', cookie);
      expect(status).toBe(200);
      expect(text).not.toContain('You hold');
    }
  });
});
