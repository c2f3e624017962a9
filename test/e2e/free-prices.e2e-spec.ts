import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Language } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, cookieOf } from '../support/cart-forms.js';
import { OrderForms } from '../support/order-forms.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: OrderForms;

beforeAll(async () => {
  test = await startStripeApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));

/** An event of a place in this language, with a price of 5.00 or more. */
async function freePrice(language: Language): Promise<{ slug: string; priceId: string }> {
  tenant = await test.newVenue({ language });
  forms = new OrderForms(test, tenant);
  const { id, slug } = await newEvent(test, tenant);
  return { slug, priceId: await newPrice(test, tenant, id, { amount: '5.00', freeAmount: true }) };
}

describe('a free price on the page of an event', () => {
  it.each([
    ['en', '5.00', '7.50', '€7.50'],
    ['fr', '5,00', '7,50', '7,50 €'],
    ['de', '5,00', '7,50', '7,50 €'],
    ['es', '5,00', '7,50', '7,50 €'],
  ] as const)('is shown and read with the decimal mark of the language: %s', async (language, least, written, total) => {
    const { slug, priceId } = await freePrice(language);
    const amountIn = (html: string): string | undefined => new RegExp(`id="a-${priceId}"[^>]*? value="([^"]*)"`).exec(html)?.[1];
    expect(amountIn((await forms.get(`/event/${slug}`)).text)).toBe(least);
    for (const [typed, stored] of [
      [written, '7.50'],
      [written.slice(0, -1), '7.50'],
      ['7.50', '7.50'],
      ['7', '7.00'],
      [least, '5.00'],
    ] as const) {
      const path = await forms.begin(slug, priceId, '2', { amount: typed });
      const tickets = await sql('select amount::text from ticket where reservation_id = $1', [path.split('/')[2]]);
      expect([typed, tickets]).toEqual([typed, [{ amount: stored }, { amount: stored }]]);
    }
    const path = await forms.begin(slug, priceId, '1', { amount: written });
    expect((await forms.get(path)).text.replaceAll(/\s/g, ' ')).toContain(total);
    expect(amountIn((await forms.get(`${path}/tickets`)).text)).toBe(written);
  });

  it('has a label for each item of goods and for each ticket', async () => {
    const { slug, priceId } = await freePrice('en');
    const [{ id } = { id: '' }] = await sql<{ id: string }>('select id from event where slug = $1', [slug]);
    const poster = await newPrice(test, tenant, id, { amount: '0.00', freeAmount: true }, 'T');
    const { text } = await forms.get(`/event/${slug}`);
    const labelOf = (price: string) => new RegExp(`id="m-${price}">([^<]*)<`).exec(text)?.[1];
    expect([labelOf(priceId), labelOf(poster)]).toEqual(['Your amount for each ticket, in € (from €5)', 'Your amount for each item, in €']);
  });

  it.each([
    ['de', 'Geben Sie einen Betrag ein, zum Beispiel 12,50.', 'Geben Sie mindestens 5 € ein.'],
    ['es', 'Escriba un importe, por ejemplo 12,50.', 'Escriba al menos 5 €.'],
  ] as const)('refuses what is no amount with at most one decimal mark or too low, and keeps it: %s', async (language, sentence, least) => {
    const { slug, priceId } = await freePrice(language);
    for (const typed of ['1.250,00', '1,250.00', '1.250', '7,505', '7,5,0', '-7,50', '7,50 €', 'x']) {
      const refused = await forms.choose(slug, priceId, '1', { amount: typed });
      expect([typed, refused.status]).toEqual([typed, 422]);
      expect(refused.text).toContain(`value="${typed}"`);
      expect(refused.text).toContain(`<a href="#a-${priceId}">${sentence}`);
    }
    const low = await forms.choose(slug, priceId, '1', { amount: '4,99' });
    expect([low.status, low.text.replaceAll('\u00a0', ' ').includes(`<a href="#a-${priceId}">${least}`)]).toEqual([422, true]);
    expect(await sql('select 1 from reservation')).toEqual([]);
  });
});

describe('a sum that is too small for an online payment', () => {
  const atLeast = 'The smallest amount that can be paid online is €0.50.';

  /** An event of a place that sells online, with a price that is free from nothing on. */
  async function anyPrice(): Promise<{ slug: string; priceId: string }> {
    const { slug } = await freePrice('en');
    return { slug, priceId: await anyPriceOf(slug) };
  }

  async function anyPriceOf(slug: string): Promise<string> {
    const [event] = await sql<{ id: string }>('select id from event where slug = $1', [slug]);
    return newPrice(test, tenant, event!.id, { name: 'Any', amount: '0.00', freeAmount: true });
  }

  const payAtVenue = (): Promise<unknown> =>
    sql('insert into configuration (id, pay_at_venue_hours) values (1, 0) on conflict (id) do update set pay_at_venue_hours = 0');

  it('is refused at its field, which names the smallest one, and keeps what was typed', async () => {
    const { slug, priceId } = await anyPrice();
    for (const [quantity, amount] of [
      ['1', '0.49'],
      ['1', '0.01'],
      ['4', '0.12'],
    ] as const) {
      const refused = await forms.choose(slug, priceId, quantity, { amount });
      expect([amount, refused.status, refused.text.includes(`<a href="#a-${priceId}">${atLeast}</a>`)]).toEqual([amount, 422, true]);
      expect(refused.text).toContain(`value="${amount}"`);
    }
    for (const [quantity, amount] of [
      ['1', '0.50'],
      ['5', '0.10'],
      ['1', '0'],
    ] as const)
      await forms.begin(slug, priceId, quantity, { amount });
    const path = await forms.begin(slug, priceId, '1', { amount: '0.50' });
    const changed = await forms.post(`${path}/tickets`, [
      ['price', priceId],
      ['quantity', '1'],
      ['amount', '0.20'],
    ]);
    expect([changed.status, changed.text.includes(atLeast)]).toEqual([422, true]);
    expect((await forms.complete(path)).headers['location']).toBe(test.lastSession()['url']);
  });

  it('can be paid at the venue', async () => {
    const { slug, priceId } = await anyPrice();
    await payAtVenue();
    const path = await forms.begin(slug, priceId, '1', { amount: '0.20' });
    const online = await forms.complete(path, { payment: 'online', first_name: 'Grace' });
    expect(online.status).toBe(422);
    for (const text of [`<a href="#payment">${atLeast}</a>`, 'value="Grace"']) expect(online.text).toContain(text);
    expect((await forms.complete(path, { payment: 'venue' })).status).toBe(303);
    await test.switchAccount(tenant, false);
    await forms.begin(slug, priceId, '1', { amount: '0.20' });
  });

  it('counts for a whole cart', async () => {
    const { slug, priceId } = await anyPrice();
    const cart = new CartForms(test, tenant);
    const other = await newEvent(test, tenant);
    const fields = (price: string, amount: string) => [['price', price] as const, ['quantity', '1'] as const, ['amount', amount] as const];
    const added = await cart.post(`/cart/event/${slug}`, fields(priceId, '0.20'));
    const [path, cookie] = [String(added.headers['location']), cookieOf(added.headers)];
    const refused = await cart.post(`${path}/contact`, await cart.contact(path));
    expect([refused.status, refused.text.includes(`<a href="#tickets">${atLeast}</a>`)]).toEqual([422, true]);
    const more = await cart.post(`/cart/event/${other.slug}`, fields(await anyPriceOf(other.slug), '0.30'), cookie);
    expect(more.headers['location']).toBe(path);
    const paying = await cart.post(`${path}/contact`, await cart.contact(path));
    expect(paying.headers['location']).toBe(test.lastSession()['url']);
    expect(test.lastSession().amount_total).toBe(50);
  });
});
