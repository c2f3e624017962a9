import type { Tx } from '#tenancy';

/** Cards that one order takes. */
export const mostGiftCards = 5;

/** In which states an order takes cards: a program names one for what it has placed. */
type TakingStates = readonly ('open' | 'placed')[];

/** SQL: an order $1 in one of the states $3, of which no card pays a part. */
const takesCards = `id = $1 and state = any($3) and not exists (select from payment
  where payment.order_id = orders.id and payment.provider = 'gift_card' and payment.status in ('pending', 'paid'))`;

/** Remembers a gift card for an order. @returns why not */
export async function chooseGiftCard(
  tx: Tx,
  orderId: string,
  cardId: string,
  states: TakingStates = ['open'],
): Promise<'ended' | 'tooMany' | undefined> {
  const [rows] = await tx.query<[{ chosen: boolean }[], number]>(
    `update orders set gift_card_ids = case when cardinality(array_remove(gift_card_ids, $2)) < ${mostGiftCards}
       then array_append(array_remove(gift_card_ids, $2), $2) else gift_card_ids end
     where ${takesCards} returning array_position(gift_card_ids, $2) is not null as chosen`,
    [orderId, cardId, states],
  );
  const [row] = rows;
  if (!row) return 'ended';
  return row.chosen ? undefined : 'tooMany';
}

/** Forgets the gift cards of an order. @returns false when it has ended, or something was paid with them */
export async function forgetGiftCards(tx: Tx, orderId: string): Promise<boolean> {
  const [rows] = await tx.query<[unknown[], number]>(
    `update orders set gift_card_ids = '{}' where $2::uuid is null and ${takesCards} returning id`,
    [orderId, null, ['open', 'placed']],
  );
  return rows.length > 0;
}

/** The gift cards that the buyer of an order entered, in their order. */
export async function chosenGiftCards(tx: Tx, orderId: string): Promise<string[]> {
  const [row] = await tx.query<{ ids: string[] }[]>('select gift_card_ids as ids from orders where id = $1', [orderId]);
  return row?.ids ?? [];
}
