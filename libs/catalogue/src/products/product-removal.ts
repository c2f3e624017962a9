import { RefusedInput, violatedConstraint } from '#kernel';
import type { Tx } from '#tenancy';
import { Price } from '../entities/price.entity.js';
import { Product } from '../entities/product.entity.js';
import { refuseLosingFreeOffer } from './free-offer.js';
import { RefusedProduct } from './product-rules.js';

/**
 * Deletes a product whose row is locked, with its prices. The foreign keys of tickets and memberships decide whether it was sold.
 * @throws RefusedProduct `sold`, `required`
 */
export async function deleteProduct(tx: Tx, { id }: Pick<Product, 'id'>): Promise<void> {
  // Deleting it would open those prices to everybody. Creating such a price locks this product's row.
  if (await tx.exists(Price, { where: { requiredMembershipId: id } })) throw new RefusedProduct('required');
  await deleting(tx.delete(Product, { id }), 'sold');
}

/**
 * Deletes a price whose row is locked.
 * @throws RefusedProduct `offer_sold`, `last_free_offer`
 */
export async function deletePrice(tx: Tx, price: Price): Promise<void> {
  try {
    await refuseLosingFreeOffer(tx, price, { published: false });
  } catch (error) {
    throw error instanceof RefusedInput ? new RefusedProduct('last_free_offer') : error;
  }
  await deleting(tx.delete(Price, { id: price.id }), 'offer_sold');
}

/** Translates a foreign key violation: a row that still refers to the deleted one is a sale. */
async function deleting(work: Promise<unknown>, reason: 'sold' | 'offer_sold'): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw violatedConstraint(error)?.endsWith('_fkey') ? new RefusedProduct(reason) : error;
  }
}
