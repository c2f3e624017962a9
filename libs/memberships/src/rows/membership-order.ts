import { actorColumns } from '#kernel';
import { linesOfSold, addLines } from '#orders';
import type { Tx } from '#tenancy';
import type { SoldPrice } from './membership-rows.js';

/**
 * Writes the order of a new membership, or its line in the open order that it belongs to.
 * @param amount decimal text
 * @returns the id of its line
 */
export async function orderNewMembership(
  tx: Tx,
  { id, orderId, isActive }: { readonly id: string; readonly orderId: string | undefined; readonly isActive: boolean },
  price: SoldPrice,
  amount: string,
): Promise<string> {
  const [userId, keyId] = actorColumns();
  const { productId, vatRate } = price;
  const sold = { kind: 'membership', priceId: price.id, productId, name: `${price.product} · ${price.name}`, amount, vatRate } as const;
  const { lines, lineIds } = linesOfSold([sold]);
  await addLines(tx, lines, {
    orderId: orderId ?? id,
    membershipId: id,
    isOpen: orderId !== undefined,
    channel: userId ? 'panel' : keyId ? 'api' : 'page',
    isEffective: isActive,
  });
  return lineIds[0] as string;
}
