import type { Tx } from '#tenancy';
import { dueOfOrderSql, orderOfSql, receivedOfOrderSql } from '../expected/bank-transfers.service.js';
import type { ExpectedTransfer } from './match.js';

/** Orders that are compared with an entry; older ones are named in no transfer any more. */
const mostExpected = 20_000;

/** All orders that are, or lately were, to be paid by transfer. @param orderId only this one */
export function expectedTransfers(tx: Tx, orderId?: string): Promise<ExpectedTransfer[]> {
  return tx.query<ExpectedTransfer[]>(
    `select order_id as "orderId", reference,
       greatest(${dueOfOrderSql('order_id')} - ${receivedOfOrderSql('order_id')}, 0)::numeric(12, 2)::text as missing,
       coalesce((select first_name || ' ' || last_name from reservation where ${orderOfSql('reservation')} = order_id
         order by created_at, id limit 1), '') as name
     from bank_transfer where $1::uuid is null or order_id = $1
     order by created_at desc limit ${mostExpected}`,
    [orderId ?? null],
  );
}
