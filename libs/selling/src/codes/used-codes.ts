import type { Tx } from '#tenancy';
import type { KeptCode, UsedCode } from '#tickets';

/** SQL: the codes that lines use, with what they save. @param condition on `order_line` */
export const usedCodesSql = (condition: string): string => `select code.code,
    sum(order_line.quantity * used.saved)::numeric(10, 2)::text as saved
  from order_line join code_use used on used.line_id = order_line.id join code on code.id = used.code_id
  where ${condition} group by code.id order by code.code`;

/** The codes that the lines of an order use. */
export const codesOfOrder = (tx: Tx, orderId: string): Promise<UsedCode[]> =>
  tx.query<UsedCode[]>(usedCodesSql('order_line.order_id = $1'), [orderId]);

/** The draft of an order for an event that still holds its places. @param orderId of the draft itself, or of its cart */
export async function heldDraftOf(tx: Tx, eventId: string, orderId: string): Promise<string | undefined> {
  const [draft] = await tx.query<{ id: string }[]>(
    `select id from reservation where is_draft and event_id = $1 and (id = $2 or cart_id = $2) and released_at is null
       and expires_at > statement_timestamp() limit 1`,
    [eventId, orderId],
  );
  return draft?.id;
}

/** What a draft uses of a code; undefined: it uses none. */
export async function keptCodeOf(tx: Tx, id: string): Promise<KeptCode | undefined> {
  const [used] = await tx.query<KeptCode[]>(
    `select code_id as id, sum(quantity)::int as uses, sum(quantity * saved)::text as saved
     from code_use join order_line on order_line.id = line_id where order_line.reservation_id = $1 group by code_id`,
    [id],
  );
  return used;
}
