import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { HolderLinks } from '#tickets';
import type { Response } from 'supertest';
import { expectNoDrift } from '../support/booking.js';
import { CartForms, cookieOf, freeEvent } from '../support/cart-forms.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const read = (path: string, cookie: string): Promise<Response> =>
  Promise.resolve(test.on(tenant).get(path).set('Cookie', cookie).buffer(true));

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
    const forgotten = /^guichet-held=; Path=\/; Max-Age=0/;
    expect(String((await read(path, cookie)).headers['set-cookie'])).toMatch(forgotten);
    // Who paid online comes to the page of the reservation instead: until then it says itself what is held.
    const id = path.split('/')[2] as string;
    const holder = await test.inside(tenant, async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
    const held = await read(holder, cookie);
    expect([held.text.includes('class="held"'), held.headers['set-cookie']]).toEqual([false, undefined]);
    expect((await forms.post(`${holder}/confirm`, [], cookie)).status).toBe(303);
    const booked = await read(holder, cookie);
    expect(String(booked.headers['set-cookie'])).toMatch(forgotten);
    expect(booked.text).not.toContain('class="held"');
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
