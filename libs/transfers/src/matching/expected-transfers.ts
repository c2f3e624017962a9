import { openOnAccountSql } from '#payments';
import type { Tx } from '#tenancy';
import { dueOfOwnLinesSql, isStoppedSql, orderOfSql, payerNameSql } from '../expected/bank-transfers.service.js';
import type { ExpectedTransfer } from './match.js';

/** Orders that are compared with an entry: those that wait, and the latest others, which their buyers may pay twice. */
const mostExpected = 20_000;

/** All orders that are, or lately were, to be paid by transfer. */
export function expectedTransfers(tx: Tx): Promise<ExpectedTransfer[]> {
  return tx.query<ExpectedTransfer[]>(
    `with waiting as (
       select ${orderOfSql('part')} as order_id, part.amount from reservation part
       where part.status = 'R' and part.pay_at_venue and not part.is_draft
       union all select cart_id, amount from membership where status = 'pending' and cart_id is not null
     ), due as (
       select part.order_id, sum(part.amount) + ${dueOfOwnLinesSql('part.order_id')} as amount
       from waiting part join bank_transfer using (order_id) where not ${isStoppedSql('part.order_id')} group by part.order_id
       union all select id, open from (select id, ${openOnAccountSql('sold.id')} as open from orders sold
         where customer_id is not null) on_account where open > 0
     ), received as (select order_id, sum(amount) as amount from bank_share where used_at is null group by 1)
     select order_id as "orderId", reference,
       greatest(coalesce(due.amount, 0) - coalesce(received.amount, 0), 0)::numeric(12, 2)::text as missing,
       case when due.amount is null then '' else ${payerNameSql('order_id')} end as name
     from bank_transfer left join due using (order_id) left join received using (order_id)
     order by due.amount is null, created_at desc limit ${mostExpected}`,
  );
}
