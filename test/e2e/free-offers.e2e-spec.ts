import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let products: ProductsService;
let prices: PricesService;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  products = test.app.get(ProductsService);
  prices = test.app.get(PricesService);
});
afterAll(() => test.close());

const within = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);

/** Stored amounts and flags of a product's prices. */
async function pricesOf(id: string): Promise<[string, boolean][]> {
  const product = await within(() => products.find(id));
  return product!.prices.map(({ amount, published }) => [amount, published]);
}

describe('a free booking', () => {
  it('accepts no hidden price for a free offer', async () => {
    const hidden = { name: 'Hidden', amount: '0', published: false };
    const { id } = await within(() => products.create({ name: 'Open day', category: 'F', prices: [hidden] }));
    expect(await pricesOf(id)).toEqual([
      ['0.00', false],
      ['0.00', true],
    ]);
    const ticket = await within(() => products.create({ name: 'Soon free', category: 'B', prices: [hidden] }));
    await within(() => products.update(ticket.id, { category: 'F' }));
    expect(await pricesOf(ticket.id)).toEqual([
      ['0.00', false],
      ['0.00', true],
    ]);
  });

  it('keeps its last free offer, and shows the error beside the field', async () => {
    const staff = await staffOf(test, tenant);
    const offered = [
      { name: 'Come in', amount: '0' },
      { name: 'Supporter', amount: '5' },
    ];
    const { id: productId, prices: made } = await within(() => products.create({ name: 'Concert', category: 'F', prices: offered }));
    const other = await within(() => products.create({ name: 'Ticket', category: 'B' }));
    const [free, supporter] = made.map(({ id }) => id) as [string, string];
    const edit = async (id: string, fields: object): Promise<string[]> =>
      Object.keys((await staff.act('prices', id, 'edit', fields)).record!.errors);
    expect(await edit(free, { amount: '5' })).toEqual(['amount']);
    expect(await edit(free, { published: 'false' })).toEqual(['published']);
    expect(await edit(free, { productId: other.id })).toEqual(['productId']);
    expect(await pricesOf(productId)).toEqual([
      ['0.00', true],
      ['5.00', true],
    ]);
    expect(await edit(free, { name: 'Welcome', amount: '0', published: 'true' })).toEqual([]);
    expect(await edit(supporter, { amount: '0' })).toEqual([]);
    expect(await edit(free, { published: 'false' })).toEqual([]);
    expect(await edit(supporter, { amount: '7' })).toEqual(['amount']);
    expect(await pricesOf(productId)).toEqual([
      ['0.00', false],
      ['0.00', true],
    ]);
  });

  // Verified to fail when the product's row is not locked.
  it('keeps one of two free offers that are changed at once, and finds existing offers when a product becomes free', async () => {
    for (let round = 0; round < 10; round += 1) {
      const offered = ['One', 'Two'].map((name) => ({ name, amount: '0' }));
      const product = await within(() => products.create({ name: `Free ${round}`, category: 'F', prices: offered }));
      const [one, two] = product.prices.map(({ id }) => id) as [string, string];
      const answers = await Promise.allSettled([
        within(() => prices.update(one, { published: false })),
        within(() => prices.update(two, { amount: '5' })),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const ticket = await within(() =>
        products.create({ name: `Ticket ${round}`, category: 'B', prices: [{ name: 'Free', amount: '0' }] }),
      );
      await Promise.allSettled([
        within(() => prices.update(ticket.prices[0]!.id, { amount: '5' })),
        within(() => products.update(ticket.id, { category: 'F' })),
      ]);
      for (const { id } of [product, ticket])
        expect((await pricesOf(id)).filter(([amount, published]) => amount === '0.00' && published)).toHaveLength(1);
    }
  });
});
