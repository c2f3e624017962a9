import { fromCents, toCents } from '#kernel';
import { partSql, type OrderPart } from '#orders';
import type { Tx } from '#tenancy';

/** SQL: amounts of payments less refunds that were made or are due; sums rows `payment`. */
const netSql = `coalesce(sum(case kind when 'payment' then amount else -amount end)
  filter (where status in ('paid', 'refund_due', 'refunded')), 0)`;

/** SQL: what was paid of an order and not paid back, in euros. @param orderId SQL of its id */
export const paidOfOrderSql = (orderId: string): string => `(select ${netSql} from payment where payment.order_id = ${orderId})`;

/** SQL: what an order costs, in euros: its lines that were sold, less what was taken back. @param orderId SQL of its id */
export const costsOfOrderSql = (orderId: string): string => `(select coalesce(sum(line.amount), 0) from order_line line
  where line.order_id = ${orderId} and line.effective_at is not null)`;

/**
 * SQL: what an order on account costs less what was paid, in euros; negative: it was paid more than that. null: it is not on account.
 * @param orderId SQL of its id
 */
export const openOnAccountSql = (orderId: string): string => `(select
    ${costsOfOrderSql('billed.id')}
    - ${paidOfOrderSql('billed.id')}
  from orders billed where billed.id = ${orderId} and billed.customer_id is not null)`;

/**
 * Locks an order on account, so that nobody pays it, or has something of it paid back, meanwhile. Its reservations and memberships are
 * locked before it.
 * @returns what is open of it, in cents; undefined: it is not on account
 */
export async function lockOnAccount(tx: Tx, orderId: string): Promise<number | undefined> {
  const locked = await tx.query<unknown[]>('select 1 from orders where id = $1 and customer_id is not null for no key update', [orderId]);
  if (locked.length === 0) return undefined;
  // A second statement, because only it sees the changes that the first one waited for.
  return openOf(tx, orderId);
}

/** The order of something, when it is on account. */
export async function accountOrderOf(tx: Tx, part: OrderPart): Promise<string | undefined> {
  const [condition, id] = partSql(part);
  const [row] = await tx.query<{ id: string }[]>(
    `select id from orders where customer_id is not null and id = (select order_id from order_line where ${condition} limit 1)`,
    [id],
  );
  return row?.id;
}

/**
 * Divides a payment of a locked order on account among what it sold: each part gets what it lacks.
 * @param cents at most what is open
 */
export async function shareOnAccount(tx: Tx, orderId: string, cents: number): Promise<{ subject: OrderPart; amount: string }[]> {
  const parts = await tx.query<{ reservationId: string | null; membershipId: string | null; lacks: string }[]>(
    `select reservation_id as "reservationId", membership_id as "membershipId", sum(amount)::text as lacks
     from (select reservation_id, membership_id, amount from order_line where order_id = $1 and effective_at is not null
       union all select reservation_id, membership_id, -${netSql} from payment where order_id = $1 group by 1, 2) entry
     group by 1, 2 having sum(amount) > 0 order by 1, 2`,
    [orderId],
  );
  let left = cents;
  const shares: { subject: OrderPart; amount: string }[] = [];
  for (const { reservationId, membershipId, lacks } of parts) {
    const share = Math.min(left, toCents(lacks));
    if (share <= 0) break;
    left -= share;
    const subject = reservationId !== null ? { reservationId } : membershipId !== null ? { membershipId } : { orderId };
    shares.push({ subject, amount: fromCents(share) });
  }
  return shares;
}

/** What is open of an order on account, in cents, without locking it. */
export async function openOf(tx: Tx, orderId: string): Promise<number> {
  const [row] = await tx.query<{ open: string | null }[]>(`select ${openOnAccountSql('$1')}::text as open`, [orderId]);
  return toCents(row?.open ?? '0');
}

/**
 * Locks the payments of something and says what of each can be paid back, latest first. Of an order on account it is what was paid beyond
 * what the order still costs, whichever of its parts it was paid for: what is cancelled reduces what is open first. Call it after lines
 * were taken back.
 */
export async function refundable(tx: Tx, subject: OrderPart): Promise<{ id: string; cents: number }[]> {
  const orderId = await accountOrderOf(tx, subject);
  const open = orderId === undefined ? undefined : await lockOnAccount(tx, orderId);
  const [condition, id] = orderId === undefined ? partSql(subject) : (['order_id = $1', orderId] as const);
  await tx.query(`select 1 from payment where ${condition} and kind = 'payment' order by id for no key update`, [id]);
  // A second statement, because only it sees the changes that the first one waited for.
  const rows = await tx.query<{ id: string; amount: string; given: string }[]>(
    `select id, amount, (select coalesce(sum(amount), 0) from payment refund where refund.refund_of = payment.id
     and refund.status <> 'refund_failed') as given
     from payment where ${condition} and kind = 'payment' and status = 'paid' and method <> 'offered'
     order by created_at desc, id`,
    [id],
  );
  let most = open === undefined ? Infinity : -open;
  return rows.flatMap((row) => {
    const cents = Math.min(most, toCents(row.amount) - toCents(row.given));
    most -= Math.max(0, cents);
    return cents > 0 ? [{ id: row.id, cents }] : [];
  });
}
