import { RefusedInput } from '#kernel';
import type { Tx } from '#tenancy';
import { Not } from 'typeorm';
import { Price } from '../entities/price.entity.js';
import { Product } from '../entities/product.entity.js';
import { texts } from '../locales/catalogue.texts.js';

type Offer = Pick<Price, 'productId' | 'amount' | 'published'>;

/** A published price of zero. */
const free = { amount: '0.00', published: true } as const;

/** Whether a product has a published price of zero. */
export function hasFreeOffer(tx: Tx, productId: string): Promise<boolean> {
  return tx.exists(Price, { where: { productId, ...free } });
}

/**
 * Keeps free products free: amount, publication and product of the last free price cannot change. Locks the product's row until the
 * change is written, so that concurrent changes of two prices leave one, and a product that is made free meanwhile sees the remaining
 * prices.
 * @param price as it is stored, locked
 * @throws RefusedInput on amount, published or productId
 */
export async function refuseLosingFreeOffer(tx: Tx, price: Price, change: Partial<Offer>): Promise<void> {
  if (price.amount !== free.amount || !price.published) return;
  const lost = (['amount', 'published', 'productId'] as const).find(
    (field) => change[field] !== undefined && change[field] !== price[field],
  );
  if (!lost) return;
  const product = await tx.findOne(Product, {
    where: { id: price.productId },
    select: { id: true, category: true },
    lock: { mode: 'for_no_key_update' },
  });
  if (product?.category !== 'F') return;
  if (await tx.exists(Price, { where: { id: Not(price.id), productId: price.productId, ...free } })) return;
  throw new RefusedInput(lost, texts.localized('freeOffer.lastFreePrice'));
}
