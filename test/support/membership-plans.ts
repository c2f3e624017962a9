import { PricesService, ProductsService, type NewPrice } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** A membership on sale. */
export interface Plan {
  readonly productId: string;
  readonly priceId: string;
}

/** A membership for a year. @param amount decimal text */
export function newPlan(test: TestApp, tenant: TenantIdentity, amount: string, more: Partial<NewPrice> = {}): Promise<Plan> {
  return test.inside(tenant, async () => {
    const product = { name: `Friends ${crypto.randomUUID()}`, category: 'A', published: true } as const;
    const { id: productId } = await test.app.get(ProductsService).create(product);
    const input = { productId, name: 'Year', amount, subscriptionType: 'Y', published: true, ...more } as const;
    return { productId, priceId: (await test.app.get(PricesService).create(input)).id };
  });
}

/** A price for members at an event that has a price already, of the same product. @returns its id */
export function newMemberPrice(
  test: TestApp,
  tenant: TenantIdentity,
  { priceId }: { readonly priceId: string },
  { productId: requiredMembershipId }: Plan,
  amount: string,
  more: Partial<NewPrice> = {},
): Promise<string> {
  return test.inside(tenant, async () => {
    const [row] = await test.app
      .get(TenantDb)
      .transaction((tx) => tx.query<{ productId: string }[]>('select product_id as "productId" from price where id = $1', [priceId]));
    const price = { productId: row!.productId, name: 'For members', amount, requiredMembershipId, ...more };
    return (await test.app.get(PricesService).create(price)).id;
  });
}
