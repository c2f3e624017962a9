import { RefusedInput } from '#kernel';
import type { Tx } from '#tenancy';
import { productKinds, type ProductCategory } from '../values/catalogue-codes.js';
import { EventProduct } from '../entities/event-product.entity.js';
import { Price } from '../entities/price.entity.js';
import type { Product } from '../entities/product.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/**
 * Whether the product may change to this category. Within a kind it always may. A sold product keeps its kind, because its stock is
 * counted by kind; a product that is linked to events cannot become a membership; a membership that prices require stays one.
 * @param product locked by the transaction
 * @throws RefusedInput on category
 */
export async function refuseUnlessFree(tx: Tx, product: Product, category: ProductCategory): Promise<void> {
  const [from, to] = [productKinds[product.category], productKinds[category]];
  if (from === to || !to) return;
  // A transaction that creates such a price holds a lock on the product's row until then.
  if (from === 'membership' && (await tx.exists(Price, { where: { requiredMembershipId: product.id } }))) {
    throw new RefusedInput('category', texts.localized('productKind.requiredByPrices'));
  }
  if (to === 'membership' && (await tx.exists(EventProduct, { where: { productId: product.id } }))) {
    throw new RefusedInput('category', texts.localized('productKind.soldForEvents'));
  }
  if (!(await isSold(tx, product.id))) return;
  throw new RefusedInput('category', texts.localized('productKind.alreadySold'));
}

async function isSold(tx: Tx, productId: string): Promise<boolean> {
  const rows = (await tx.query(
    `select 1 from price where product_id = $1 and (sold > 0
       or exists (select 1 from event_price where event_price.price_id = price.id and event_price.sold > 0)) limit 1`,
    [productId],
  )) as unknown[];
  return rows.length > 0;
}
