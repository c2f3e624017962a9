import { EventsService, ImagesService, PricesService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { newPlan } from '../support/membership-plans.js';
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

const { inside, sql } = tenantWork(() => ({ test, tenant }));

/** A T-shirt that is sold for these events. @returns its price */
function shirt(events: readonly { readonly id: string }[]): Promise<string> {
  return inside(async () => {
    const product = await test.app.get(ProductsService).create({ name: 'T-shirt', category: 'T', shortDescription: 'Printed by hand' });
    const { id } = await test.app.get(PricesService).create({ productId: product.id, name: 'Size M', amount: '15.00', vat: 'VG' });
    for (const event of events)
      await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    return id;
  });
}

describe('pictures and sizes', () => {
  /** A small drawing as a file. */
  const drawing = (): Promise<Buffer> =>
    sharp({ create: { width: 600, height: 600, channels: 3, background: '#24594a' } })
      .png()
      .toBuffer();

  it('has the picture of a product, or the pattern of its name', async () => {
    const event = await newEvent(test, tenant);
    await shirt([event]);
    expect((await forms.get('/shop')).text).toContain('<svg class="pattern"');
    const [product] = await sql<{ id: string }>(`select id from product where name = 'T-shirt'`);
    await inside(async () => {
      const image = await test.app.get(ImagesService).prepare(await drawing(), 'img');
      await test.app.get(ProductsService).update(product!.id, { image });
    });
    const { text } = await forms.get('/shop');
    const [, address = ''] = /<img class="picture" src="(\/images\/[^"]+)"/.exec(text) ?? [];
    expect((await test.on(tenant).get(address).expect(200)).headers['content-type']).toBe('image/webp');
    expect(text).not.toContain('class="pattern" viewBox="0 0 320 320"');
  });

  it('has one choice of size and one number, also with different amounts; what is sold out cannot be chosen', async () => {
    const event = await newEvent(test, tenant);
    const medium = await shirt([event]);
    const [product] = await sql<{ id: string }>('select product_id as id from price where id = $1', [medium]);
    const add = async (name: string, amount: string, stock: number | null) =>
      inside(() => test.app.get(PricesService).create({ productId: product!.id, name, amount, stock, vat: 'VG' }));
    const [large, gone] = [await add('Size L', '15.00', null), await add('Size S', '15.00', 0)];
    const same = (await forms.get('/shop')).text;
    expect(same.match(/name="quantity"/g)).toHaveLength(1);
    expect(same.match(/type="radio" name="price"/g)).toHaveLength(3);
    expect(same).toContain(`value="${gone.id}" required disabled`);
    expect(wordsOf(same)).toContain('T-shirt €15');
    expect(wordsOf(same)).toContain('Size S Sold out');
    await add('Size XXL', '18.00', 2);
    const page = wordsOf((await forms.get('/shop')).text);
    for (const words of ['T-shirt €15 – €18', 'Size M €15', 'Size XXL €18']) expect(page).toContain(words);
    const added = await forms.post('/cart/goods', [
      ['event', event.id],
      ['price', large.id],
      ['quantity', '2'],
      ['amount', ''],
    ]);
    expect(added.status).toBe(303);
    expect(await sql('select price_id as "priceId", count(*)::int as count from ticket group by 1')).toEqual([
      { priceId: large.id, count: 2 },
    ]);
  });

  it('keeps an own number for each price where the buyer chooses an amount', async () => {
    const price = await shirt([await newEvent(test, tenant)]);
    await sql('update price set free_amount = true');
    await inside(async () => {
      const [row] = await sql<{ id: string }>('select product_id as id from price where id = $1', [price]);
      await test.app.get(PricesService).create({ productId: row!.id, name: 'Size L', amount: '15.00', vat: 'VG' });
    });
    expect((await forms.get('/shop')).text.match(/name="quantity"/g)).toHaveLength(2);
  });

  it('is collected at one event for all goods, where that event hands them out', async () => {
    const [one, other] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    await shirt([one, other]);
    const { text } = await forms.get(`/shop?at=${other.id}`);
    expect(text).toContain(`<option value="${other.id}" selected`);
    expect(text).toContain(`name="event" value="${other.id}"`);
    expect(wordsOf(text)).toContain(`You collect it at: ${other.name}`);
    for (const wrong of ['?at=no-event', '?at[]=1', `?at=${one.id}&at=2`]) expect((await forms.get(`/shop${wrong}`)).status).toBe(200);
  });
});

describe('what members get', () => {
  it('is the picture of the membership, and the prices that require it at coming events', async () => {
    const event = await newEvent(test, tenant);
    const plan = await newPlan(test, tenant, '20.00');
    const [row] = await sql<{ id: string; name: string }>(
      `select product.id, product.name from price join product on product.id = price.product_id where price.id = $1`,
      [event.priceId],
    );
    const members = { productId: row!.id, name: 'Members', amount: '8.00', requiredMembershipId: plan.productId };
    await inside(() => test.app.get(PricesService).create(members));
    const offers = async (): Promise<string> => wordsOf((await forms.get('/memberships')).text);
    expect(await offers()).toContain(`${row!.name} €8 instead of €12.50`);
    await sql('update event set is_private = true where id = $1', [event.id]);
    expect(await offers()).not.toContain('instead of');
  });
});
