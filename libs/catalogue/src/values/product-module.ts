import { demandModule, hasModule, type TenantModule } from '#tenancy';
import { productCategories, productKinds, type ProductCategory } from './catalogue-codes.js';

/** The module that a tenant needs to sell products of a category. */
function moduleOf(category: ProductCategory): TenantModule {
  return productKinds[category] === 'membership' ? 'membership' : 'ticketing';
}

/** @throws Problem 403 `tenant.module` when the current tenant cannot sell products of this category */
export function demandSaleOf(category: ProductCategory): void {
  demandModule(moduleOf(category));
}

/** The categories of products that the current tenant can sell. */
export function saleableCategories(): ProductCategory[] {
  return (Object.keys(productCategories) as ProductCategory[]).filter((category) => hasModule(moduleOf(category)));
}

/**
 * Allows a change of a product, or of one of its prices, when the tenant can sell it, or when the change only unpublishes.
 * @param category the product's, after the change
 * @throws Problem 403 `tenant.module`
 */
export function demandSaleUnlessUnpublished<Row extends { readonly published: boolean }>(
  category: ProductCategory,
  current: Row,
  change: Partial<Row>,
): void {
  const changed = Object.entries(change).filter(([name, value]) => current[name as keyof Row] !== value);
  if (changed.every(([name, value]) => name === 'published' && value === false)) return;
  demandSaleOf(category);
}
