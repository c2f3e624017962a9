import type { Tx } from '#tenancy';

/** Cards that one order takes. */
const mostCards = 5;

/** Remembers a gift card for an order. @returns false when the order has ended, or has too many */
export async function chooseGiftCard(tx: Tx, orderId: string, cardId: string): Promise<boolean> {
  const [rows] = await tx.query<[unknown[], number]>(
    `update orders set gift_card_ids = array_append(array_remove(gift_card_ids, $2), $2)
     where id = $1 and state <> 'void' and cardinality(array_remove(gift_card_ids, $2)) < ${mostCards} returning id`,
    [orderId, cardId],
  );
  return rows.length > 0;
}

/** Forgets the gift cards of an order that nothing was paid with yet. */
export async function forgetGiftCards(tx: Tx, orderId: string): Promise<void> {
  await tx.query(`update orders set gift_card_ids = '{}' where id = $1`, [orderId]);
}

/** The gift cards that the buyer of an order entered, in their order. */
export async function chosenGiftCards(tx: Tx, orderId: string): Promise<string[]> {
  const [row] = await tx.query<{ ids: string[] }[]>('select gift_card_ids as ids from orders where id = $1', [orderId]);
  return row?.ids ?? [];
}
