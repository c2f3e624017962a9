import { ReceiptsService } from '#notices';
import { ReservationsService } from '#tickets';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { crowd, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, cookieOf, freeEvent } from '../support/cart-forms.js';
import { wordsOf } from '../support/public-pages.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startStripeApp({ tenants: 'some', environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
});
beforeEach(async () => {
  tenant = await test.newVenue({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));

/** A T-shirt that is sold for these events. @returns its price */
function shirt(events: readonly { readonly id: string }[], stock: number | null = null, amount = '15.00'): Promise<string> {
  return inside(async () => {
    const product = await test.app.get(ProductsService).create({ name: 'T-shirt', category: 'T', shortDescription: 'Printed by hand' });
    const { id } = await test.app.get(PricesService).create({ productId: product.id, name: 'Size M', amount, stock, vat: 'VG' });
    for (const event of events)
      await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    return id;
  });
}

const addGoods = (event: string, price: string, quantity: string, cookie = '') =>
  forms.post(
    '/cart/goods',
    [
      ['event', event],
      ['price', price],
      ['quantity', quantity],
      ['amount', ''],
    ],
    cookie,
  );

const ticketsOf = (): Promise<{ priceId: string; count: number }[]> =>
  sql('select price_id as "priceId", count(*)::int as count from ticket group by 1');

describe('the page with goods', () => {
  it('are not among the offers of their event for search engines and other sites', async () => {
    const event = await newEvent(test, tenant);
    await shirt([event]);
    const { body } = await test.on(tenant).get(`/event/${event.slug}.json`).expect(200);
    expect((body as { offers: object[] }).offers).toMatchObject([{ price: '12.50' }]);
  });

  it('leads members to the account, and begins the choice of an event with its time', async () => {
    const [one, other] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const price = await shirt([one, other]);
    const club = await inside(() => test.app.get(ProductsService).create({ name: 'Club', category: 'A', published: true }));
    await sql('update price set required_membership_id = $1 where id = $2', [club.id, price]);
    const { text } = await forms.get('/shop');
    expect(text).toContain('href="/account?next=%2Fshop"');
    expect(wordsOf(text)).toMatch(new RegExp(`\\d\\d? \\w+ \\d{4}, \\d\\d:\\d\\d · ${one.name}`));
  });

  it('lists goods of coming public events, with the events at which they are handed out', async () => {
    expect(wordsOf((await forms.get('/shop')).text)).toContain('Nothing is sold here at the moment.');
    const [one, other] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const hidden = await newEvent(test, tenant, { isPrivate: true });
    const price = await shirt([one, other, hidden]);
    const page = await forms.get('/shop');
    expect(page.headers).toMatchObject({ 'cache-control': 'public, max-age=60' });
    for (const text of ['T-shirt', 'Printed by hand', 'Size M', '€15', one.name, other.name]) expect(page.text).toContain(text);
    expect(page.text).toContain(`name="price" value="${price}"`);
    expect(page.text).not.toContain(hidden.name);
    expect(page.text).not.toContain(one.priceId);
    expect(gzipSync(page.text).length).toBeLessThan(30_000);
    await sql('update price set stock = 0 where id = $1', [price]);
    expect((await forms.get('/shop')).text).toContain('Sold out');
    await sql('update product set published = false where name = $1', ['T-shirt']);
    expect((await forms.get('/shop')).text).not.toContain('T-shirt');
  });

  it('is found from all pages, the agenda, the sitemap and the event, while something is sold', async () => {
    const event = await newEvent(test, tenant);
    const places = async (): Promise<boolean[]> => {
      const pages = ['/', '/memberships', `/event/${event.slug}`, '/cart', '/account'];
      const texts = await Promise.all(pages.map(async (path) => (await forms.get(path)).text));
      const sitemap = (await test.on(tenant).get('/sitemap.xml')).text;
      return [...texts.map((text) => text.includes('href="/shop"')), sitemap.includes('/shop</loc>')];
    };
    expect(new Set(await places())).toEqual(new Set([false]));
    const price = await shirt([event]);
    expect(new Set(await places())).toEqual(new Set([true]));
    const page = (await forms.get(`/event/${event.slug}`)).text;
    expect(wordsOf(page)).toContain('You collect these items at the event. See the whole shop');
    expect(page.indexOf(`value="${event.priceId}"`)).toBeLessThan(page.indexOf(`value="${price}"`));
    await sql('update event set is_private = true where id = $1', [event.id]);
    expect((await forms.get('/')).text).not.toContain('href="/shop"');
  });

  it('is sold for the events that can still be paid at the venue, where nothing is paid online', async () => {
    await test.removeAccount(tenant);
    await sql('update configuration set pay_at_venue_hours = 3');
    const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);
    const [soon, later] = [await newEvent(test, tenant, { startsAt: hours(2) }), await newEvent(test, tenant, { startsAt: hours(9) })];
    const price = await shirt([soon, later]);
    const { text } = await forms.get('/shop');
    expect(text).toContain(`name="event" value="${later.id}"`);
    expect(text).toContain(`name="price" value="${price}"`);
    expect(text).not.toContain(soon.id);
  });

  it('says what is sold at the venue only, where nothing can be paid online', async () => {
    await test.removeAccount(tenant);
    const price = await shirt([await newEvent(test, tenant)]);
    const page = await forms.get('/shop');
    expect(page.text).toContain('Sold at the venue');
    expect(page.text).not.toContain(`name="price" value="${price}"`);
  });
});

describe('goods in a cart', () => {
  it('are added to the tickets of the event, once, and paid together', async () => {
    const event = await newEvent(test, tenant);
    const price = await shirt([event], 3);
    const added = await forms.add(event, '2');
    const [path, cookie] = [String(added.headers['location']), cookieOf(added.headers)];
    expect((await forms.get(path)).text).toContain('href="/shop"');
    const answers = await Promise.all(crowd(4, () => addGoods(event.id, price, '1', cookie)));
    for (const { status, headers } of answers) expect([status, headers['location']]).toEqual([303, path]);
    expect(Object.fromEntries((await ticketsOf()).map(({ priceId, count }) => [priceId, count]))).toEqual({
      [event.priceId]: 2,
      [price]: 1,
    });
    expect(await bookedOf(event.id)).toBe(2);
    await forms.post(`${path}/contact`, await forms.contact(path));
    const session = test.lastSession();
    expect(session.amount_total).toBe(4000);
    await test.deliver(test.stripe.pay(session.id), tenant);
    expect(await sql('select 1 from price where id = $1 and sold = 1', [price])).toHaveLength(1);
    const [, holder = ''] = /href="(\/reservation\/[^"]+)"/.exec((await forms.get(`${path}?paid=1`)).text) ?? [];
    const facts = await inside(async () => {
      const id = holder.split('/')[2] as string;
      return test.app.get(ReceiptsService).of((await test.app.get(ReservationsService).find(id))!);
    });
    expect(facts!.items.map(({ what, quantity, vat }) => `${quantity} × ${what}: ${vat}`)).toContain('1 × T-shirt · Size M: 2.50');
  });

  it('can be bought without a ticket, also for a second event, and take no place', async () => {
    const [event, other] = [await freeEvent(test, tenant, 1), await freeEvent(test, tenant, 1)];
    const price = await shirt([event, other]);
    const added = await addGoods(event.id, price, '2');
    const [path, cookie] = [String(added.headers['location']), cookieOf(added.headers)];
    await addGoods(other.id, price, '1', cookie);
    expect(wordsOf((await forms.get(path)).text)).toContain('Total €45');
    expect([await bookedOf(event.id), await bookedOf(other.id)]).toEqual([0, 0]);
    const sent = await forms.post(`${path}/contact`, await forms.contact(path));
    expect(sent.headers['location']).toContain('/pay/');
  });

  it('are refused all or nothing when too few are left: the cart stays as it is', async () => {
    const event = await newEvent(test, tenant);
    const price = await shirt([event], 2);
    const added = await forms.add(event, '1');
    const cookie = cookieOf(added.headers);
    const refused = await addGoods(event.id, price, '3', cookie);
    expect([refused.status, refused.text.includes(`href="#q-${price}"`)]).toEqual([409, true]);
    expect(await ticketsOf()).toEqual([{ priceId: event.priceId, count: 1 }]);
    const none = await addGoods(event.id, price, '0', cookie);
    expect(none.status).toBe(422);
    for (const wrong of ['', 'none', crypto.randomUUID()]) expect((await addGoods(wrong, price, '1')).status).toBe(404);
    expect((await addGoods((await newEvent(test, tenant)).id, price, '1')).status).toBe(422);
  });

  it.each([
    ['en', /tickets?\b|\bplaces?\b/i, 'Your items'],
    ['fr', /billet|(?<!sur )\bplaces?\b/i, 'Vos articles'],
    ['de', /ticket|\bPl[aä]tze?\b/i, 'Ihre Artikel'],
    ['es', /entrada|plaza/i, 'Sus artículos'],
  ])('alone are called items and not tickets, from the cart to the holder’s page and the mail (%s)', async (language, ticket, items) => {
    const event = await newEvent(test, tenant, { name: 'Bal', startsAt: new Date(Date.now() + 30 * 86_400_000) });
    const price = await shirt([event], 20);
    const read = async (path: string): Promise<string> => {
      const { text } = await test.on(tenant).get(path).set('Accept-Language', language).expect(200);
      return wordsOf(/<main[\s\S]*<\/main>/.exec(text)![0]);
    };
    const added = await addGoods(event.id, price, '2');
    const path = String(added.headers['location']);
    const [cart, contact] = [await read(path), await read(`${path}/contact`)];
    expect(`${cart} ${contact}`).not.toMatch(ticket);
    expect(cart).toContain(items);
    await forms.post(`${path}/contact`, await forms.contact(path, `${language}@example.org`));
    const pay = await read(path);
    expect(pay).not.toMatch(ticket);
    expect(pay).toContain(items);
    await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
    expect(await read(path)).not.toMatch(ticket);
    const [, holder = ''] = /href="(\/reservation\/[^"]+)"/.exec((await forms.get(path)).text) ?? [];
    expect(await read(holder)).not.toMatch(ticket);
    expect(await read(`${holder}/cancel`)).not.toMatch(ticket);
  });

  it('beside tickets are not asked for a name, and have that of the buyer', async () => {
    const event = await newEvent(test, tenant);
    const price = await shirt([event]);
    const added = await forms.add(event, '2');
    const path = String(added.headers['location']);
    await addGoods(event.id, price, '1', cookieOf(added.headers));
    const { text } = await forms.get(`${path}/contact`);
    expect([...text.matchAll(/<legend[^>]*>(\w+ \d)/g)].map(([, legend]) => legend)).toEqual(['Ticket 1', 'Ticket 2']);
    const typed = ['Zoë', 'Bob'];
    const names = [...text.matchAll(/<input[^>]*name="holder_first"[^>]*>/g)].map(([input]) =>
      input.includes('hidden') ? '' : typed.shift()!,
    );
    expect(names.toSorted()).toEqual(['', 'Bob', 'Zoë']);
    const fields = [
      ...(await forms.contact(path)),
      ['first_name', 'Ada'] as const,
      ...names.map((name) => ['holder_first', name] as const),
    ];
    expect((await forms.post(`${path}/contact`, fields)).status).toBe(303);
    const named = await sql('select admission, first_name as name from ticket order by admission desc, first_name');
    expect(named).toEqual([
      { admission: true, name: 'Bob' },
      { admission: true, name: 'Zoë' },
      { admission: false, name: 'Ada' },
    ]);
  });

  it('beside a ticket are called tickets as before', async () => {
    const event = await newEvent(test, tenant);
    const price = await shirt([event]);
    const added = await forms.add(event, '1');
    await addGoods(event.id, price, '1', cookieOf(added.headers));
    expect(wordsOf((await forms.get(String(added.headers['location']))).text)).toContain('Your tickets are held for you until ');
  });
});
