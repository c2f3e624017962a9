import type { TenantIdentity } from '#tenancy';
import { gzipSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, cookieOf, freeEvent as newFreeEvent, type CartEvent } from '../support/cart-forms.js';
import { addToCart, newCart, partsOfCart } from '../support/carts.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));

const freeEvent = (capacity?: number): Promise<CartEvent> => newFreeEvent(test, tenant, capacity);
const bookedOf = async ({ id }: CartEvent): Promise<number> =>
  (await sql<{ booked: number }>('select booked from event where id = $1', [id]))[0]!.booked;

describe('a cart', () => {
  it('is offered where the venue sells tickets for more than one event', async () => {
    const alone = await test.newTenant({ language: 'en' });
    const event = await newEvent(test, alone);
    await newPrice(test, alone, event.id, { amount: '0.00' });
    const page = () => new CartForms(test, alone).get(`/event/${event.slug}`);
    expect((await page()).text).not.toContain('Add to the cart');
    await newEvent(test, alone);
    const both = (await page()).text;
    expect(both).toContain(`formaction="/cart/event/${event.slug}" formtarget="_top">Add to the cart`);
    expect(both).toContain('href="/cart" target="_top"');
  });

  it('collects tickets for several events, replaces those for the same event, and frees what is removed', async () => {
    const [one, other] = [await freeEvent(), await freeEvent()];
    const first = await forms.add(one, '2');
    expect(first.status).toBe(303);
    expect(String(first.headers['set-cookie'])).toMatch(/^guichet-cart=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax/);
    const cookie = cookieOf(first.headers);
    const path = String(first.headers['location']);
    expect((await forms.add(other, '1', cookie)).headers['location']).toBe(path);
    // A double click, or the Back button and another number.
    await Promise.all(crowd(4, () => forms.add(other, '3', cookie)));
    expect([await bookedOf(one), await bookedOf(other)]).toEqual([2, 3]);
    const page = await forms.get(path);
    for (const text of ['2 × ', '3 × ', 'Your tickets are held for you ', 'Continue to your details']) expect(page.text).toContain(text);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(gzipSync(page.text).length).toBeLessThan(30_000);
    const mine = await Promise.resolve(test.on(tenant).get('/cart').set('Cookie', cookie));
    expect([mine.status, mine.headers['location']]).toEqual([303, path]);
    const [, part = ''] = /name="part" value="([^"]+)"/.exec(page.text) ?? [];
    for (let twice = 0; twice < 2; twice += 1)
      expect((await forms.post(`${path}/remove`, [['part', part]])).headers['location']).toBe(path);
    expect([await bookedOf(one), await bookedOf(other)]).toEqual([0, 3]);
    expect((await forms.get(path)).text).not.toContain('2 × ');
    expect((await forms.get('/cart')).text).toContain('Your cart is empty.');
  });

  it('changes the tickets of one event on the page with its prices', async () => {
    const { path } = await forms.collect([await freeEvent(), await freeEvent()]);
    const [, change = ''] = /href="([^"]+\/tickets)"/.exec((await forms.get(path)).text) ?? [];
    const page = await forms.get(change);
    const [, price = ''] = /name="price" value="([^"]+)"/.exec(page.text) ?? [];
    const sent = await forms.post(change, [
      ['price', price],
      ['quantity', '4'],
      ['amount', ''],
    ]);
    const order = await forms.get(String(sent.headers['location']));
    expect([order.status, order.headers['location']]).toEqual([303, path]);
    expect((await forms.get(path)).text).toContain('4 × ');
  });

  it('is found by its signed link only', async () => {
    const { path, cookie } = await forms.collect([await freeEvent()]);
    const [, , id = ''] = path.split('/');
    expect((await forms.get(`/cart/${id}/${'x'.repeat(27)}`)).status).toBe(404);
    expect((await forms.get(`/cart/${randomUUID()}/${path.split('/')[3]}`)).status).toBe(404);
    expect((await forms.get(`/cart/none/none/contact`)).status).toBe(404);
    const forged = await forms.add(await freeEvent(), '1', cookie.replace(id, randomUUID()));
    expect(forged.headers['location']).not.toContain(id);
    const foreign = await Promise.resolve(
      test.on(tenant).post(`${path}/remove`).set('Origin', 'http://evil.example').type('form').send('part=1'),
    );
    expect(foreign.status).toBe(403);
  });

  it('holds at most 100 tickets, and renews its holds at most until two holds after the first', async () => {
    const [one, other] = [await freeEvent(200), await freeEvent(200)];
    const cart = await newCart(test, tenant, [one]);
    const [draft] = await partsOfCart(test, tenant, cart);
    await sql(`update reservation set expires_at = now() + interval '1 minute' where id = $1`, [draft!.id]);
    await addToCart(test, tenant, cart, other, { quantity: 2 });
    const renewed = (await partsOfCart(test, tenant, cart)).map(({ expiresAt }) => (expiresAt!.getTime() - Date.now()) / 60_000);
    for (const minutes of renewed) expect(minutes).toBeGreaterThan(10);
    await sql(
      `update reservation set created_at = now() - interval '29 minutes', expires_at = now() + interval '30 seconds' where id = $1`,
      [draft!.id],
    );
    await addToCart(test, tenant, cart, other, { quantity: 3 });
    const [last] = await partsOfCart(test, tenant, cart);
    expect((last!.expiresAt!.getTime() - Date.now()) / 60_000).toBeLessThan(2);
    await expect(addToCart(test, tenant, cart, other, { quantity: 100 })).rejects.toThrow('100');
    expect(await bookedOf(other)).toBe(3);
  });

  it('is not changed any more after it was completed: the next tickets begin another one', async () => {
    const { path, cookie } = await forms.collect([await freeEvent(), await freeEvent()]);
    await forms.post(`${path}/contact`, await forms.contact(path));
    const next = await forms.add(await freeEvent(), '1', cookie);
    expect(next.status).toBe(303);
    expect(next.headers['location']).not.toBe(path);
  });
});
