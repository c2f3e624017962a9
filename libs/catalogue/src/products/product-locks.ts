import type { Tx } from '#tenancy';

interface Locked {
  /** Products whose prices are about to change: until the transaction ends nobody else changes them. */
  readonly changed?: readonly (string | undefined)[];
  /** Products that prices require: they stay memberships until the transaction ends. */
  readonly memberships?: readonly (string | null | undefined)[];
}

/**
 * Locks products in the order of their ids. Call it before prices are locked or written: the database raises the version of a product with
 * each change of its prices, so that a change that locks the price first could wait for one that locks the product first, and the other
 * way round. The whole order is: products, questions, events, prices. Bookings lock no product.
 */
export async function lockProducts(tx: Tx, { changed = [], memberships = [] }: Locked): Promise<void> {
  const modes = new Map<string, 'share' | 'no key update'>();
  for (const id of memberships) if (id) modes.set(id, 'share');
  for (const id of changed) if (id) modes.set(id, 'no key update');
  for (const [id, mode] of [...modes].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await tx.query(`select 1 from product where id = $1 for ${mode}`, [id]);
}
