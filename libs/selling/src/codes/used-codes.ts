import type { Tx } from '#tenancy';

/** A code that an order uses, and what it saves in all, decimal text. */
export interface UsedCode {
  readonly code: string;
  readonly saved: string;
}

/** SQL: the codes that lines use, with what they save. @param condition on `order_line` */
export const usedCodesSql = (condition: string): string => `select code.code,
    sum(order_line.quantity * used.saved)::numeric(10, 2)::text as saved
  from order_line join code_use used on used.line_id = order_line.id join code on code.id = used.code_id
  where ${condition} group by code.id order by code.code`;

/** The codes that the lines of an order use. */
export const codesOfOrder = (tx: Tx, orderId: string): Promise<UsedCode[]> =>
  tx.query<UsedCode[]>(usedCodesSql('order_line.order_id = $1'), [orderId]);
