import { fromCents, toCents } from '#kernel';
import { costsOfOrderSql, paidOfOrderSql } from '#payments';
import { currentTenant, type Tx } from '#tenancy';

/** A part of an order on account with the last day to pay it. */
export interface Instalment {
  /** ISO date. */
  readonly dueOn: string;
  /** Decimal text. */
  readonly amount: string;
  /** What is open of it, decimal text. */
  readonly open: string;
  readonly isOverdue: boolean;
}

const upTo = (part: string): string => `round(sums.costs * (${part}) / billed.instalments, 2)`;

/**
 * SQL, a query: the instalments of an order on account, equal but for cents and a month apart. Payments count for the first ones.
 * Columns: `due_on`, `amount`, `open`.
 * @param orderId SQL of its id
 */
export const instalmentsSql = (orderId: string): string => `select (billed.due_on + make_interval(months => part - 1))::date as due_on,
    ${upTo('part')} - ${upTo('part - 1')} as amount,
    greatest(0, least(${upTo('part')} - ${upTo('part - 1')}, ${upTo('part')} - sums.paid)) as open
  from bank_transfer billed join orders account_order on account_order.id = billed.order_id and account_order.customer_id is not null
  cross join lateral (select ${costsOfOrderSql('billed.order_id')} as costs, ${paidOfOrderSql('billed.order_id')} as paid) sums
  cross join generate_series(1, billed.instalments) part
  where billed.order_id = ${orderId}`;

/** SQL: what is open of the orders of a customer after its last day, in euros. The day changes in UTC here, because lists bear hours. */
export const overdueOfCustomerSql = (customerId: string): string => `(select coalesce(sum(one.open), 0)
  from orders sold cross join lateral (${instalmentsSql('sold.id')}) one
  where sold.customer_id = ${customerId} and one.due_on < current_date)`;

/** The instalments of an order on account, by day. @returns empty: it is not on account */
export function instalmentsOf(tx: Tx, orderId: string): Promise<Instalment[]> {
  return tx.query<Instalment[]>(
    `select due_on::text as "dueOn", amount::numeric(12, 2)::text as amount, open::numeric(12, 2)::text as open,
       due_on < ((select now()) at time zone $2)::date as "isOverdue" from (${instalmentsSql('$1')}) one order by due_on`,
    [orderId, currentTenant().timeZone],
  );
}

/** What is to be paid now: all that is overdue, else the next instalment. @returns undefined: nothing is open */
export function dueNext(instalments: readonly Instalment[]): Pick<Instalment, 'dueOn' | 'amount' | 'isOverdue'> | undefined {
  const open = instalments.filter((one) => toCents(one.open) > 0);
  const [first] = open;
  const cents = open.filter((one) => one === first || one.isOverdue).reduce((sum, one) => sum + toCents(one.open), 0);
  return first && { dueOn: first.dueOn, isOverdue: first.isOverdue, amount: fromCents(cents) };
}
