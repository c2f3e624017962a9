import { Injectable } from '@nestjs/common';
import { TenantDb } from '#tenancy';

/** A difference between the payment ledger, or lines of orders, and a sale. There is no automatic repair: staff find out what happened. */
export interface LedgerDrift {
  /**
   * `order`: the payments differ from the lines that were sold. `payment`: its refunds exceed its amount. `payment order`: it names another
   * order than that of what it pays. `lines`: those of a reservation differ from its tickets. `gift card`: its movements with payments
   * differ from the ledger, or its value is negative. `network card`: the other venue of a transfer does not have it.
   */
  readonly kind: 'order' | 'reservation' | 'membership' | 'payment' | 'payment order' | 'lines' | 'gift card' | 'network card';
  readonly id: string;
  /** Name of the event or of the membership's product, or what the first line of the order names; for a payment, its provider. */
  readonly name: string;
  /** Decimal text: amount that the venue keeps according to the sale or the lines; for a payment, its amount. */
  readonly expected: string;
  /** Decimal text: payments less refunds that were made or are due; for a payment, the sum of its refunds, or its amount. */
  readonly ledger: string;
}

/** SQL: sums per subject. Refunds that staff made on the provider's own pages (`goodwill`) are summed separately. */
const sums = (column: string): string => `(select ${column} as id,
    coalesce(sum(amount) filter (where kind = 'payment' and status = 'paid'), 0) as paid,
    coalesce(sum(amount) filter (where kind = 'refund' and status in ('refund_due', 'refunded') and reason <> 'provider'), 0) as given,
    coalesce(sum(amount) filter (where kind = 'refund' and status in ('refund_due', 'refunded') and reason = 'provider'), 0) as goodwill
  from payment where ${column} is not null group by 1 having bool_or(kind = 'payment' and status = 'paid')
  and not bool_or(method = 'offered')) money`;

/**
 * SQL: whether a subject differs. While it is valid, payments less refunds equal its amount, with or without goodwill refunds. After it was
 * cancelled, everything is refunded.
 */
const drift = (stands: string, amount: string): string =>
  `case when ${stands} then not (${amount} between money.paid - money.given - money.goodwill and money.paid - money.given)
   else money.paid <> money.given + money.goodwill end`;

/** SQL: reservations whose lines are not those of their tickets that are not cancelled, or are sold without being valid, or the reverse. */
const linesSql = `select 'lines', reservation.id, event.name, held.amount, lines.amount
  from reservation join event on event.id = reservation.event_id
  join lateral (select coalesce(sum(amount) filter (where status <> 'R'), 0.00) as amount, count(*) filter (where status <> 'R') as count,
      bool_or(line_id is null) as earlier from ticket where reservation_id = reservation.id) held on not held.earlier
  join lateral (select coalesce(sum(amount), 0.00) as amount, coalesce(sum(quantity), 0) as count, bool_or(effective_at is not null) as sold
    from order_line where reservation_id = reservation.id) lines on true
  where (held.amount, held.count) <> (lines.amount, lines.count)
    or coalesce(lines.sold, false) <> (reservation.confirmed_at is not null)`;

/** SQL: whether something belongs to no order on account, which is compared as a whole. @param part of `order_line` */
const notOnAccountSql = (part: string): string => `not exists (select from order_line line join orders on orders.id = line.order_id
  where line.${part} and orders.customer_id is not null)`;

/**
 * SQL: orders whose payments less refunds are not the sum of their sold lines, with or without goodwill refunds; of those on account, they
 * are not more.
 */
const ordersSql = `select 'order', money.id, sold.name, sold.amount, money.paid - money.given
  from ${sums('order_id')}
  cross join lateral (select coalesce(sum(amount) filter (where effective_at is not null), 0.00) as amount,
      (array_agg(line.name order by position, line.id))[1] as name
    from order_line line where line.order_id = money.id) sold
  left join orders on orders.id = money.id
  where case when orders.customer_id is not null then money.paid - money.given - money.goodwill not between 0 and sold.amount
    else not (sold.amount between money.paid - money.given - money.goodwill and money.paid - money.given) end`;

/** SQL: each gift card, with the first one of those that replaced one another. */
const replacements = `(with recursive chain as (select id, id as root, replaced_by_id from gift_card
      where id not in (select replaced_by_id from gift_card where replaced_by_id is not null)
    union all select next.id, root, next.replaced_by_id from chain join gift_card next on next.id = chain.replaced_by_id)
  select id, root from chain)`;

/**
 * SQL: gift cards whose movements with payments are not what the ledger says was paid with them, less what was refunded, or whose value is
 * negative. Cards that replaced one another count as one.
 */
const giftCardsSql = `select 'gift card', coalesce(moved.id, paid.id), 'gift card', -coalesce(paid.amount, 0), coalesce(moved.amount, 0)
  from (select root as id, sum(amount) filter (where payment_id is not null) as amount, sum(amount) as value
      from gift_card_movement movement
      join ${replacements} line on line.id = movement.gift_card_id group by 1) moved
  full join (select root as id, sum(net) as amount from (
      select payment.provider_payment::uuid as card, payment.amount - coalesce((select sum(refund.amount) from payment refund
        where refund.refund_of = payment.id and refund.status = 'refunded'), 0) as net
      from payment where payment.provider = 'gift_card' and payment.kind = 'payment'
        and payment.status in ('pending', 'processing', 'paid')) used
      join ${replacements} line on line.id = used.card group by 1) paid on paid.id = moved.id
  where coalesce(moved.amount, 0) <> -coalesce(paid.amount, 0) or moved.value < 0`;

/** SQL: payments and refunds of another order than that of their reservation or membership, or of one that sells nothing itself. */
const payersSql = `select 'payment order', payment.id, payment.provider, payment.amount, payment.amount
  from payment where order_id is not null and not exists (select from order_line line where line.order_id = payment.order_id
    and line.reservation_id is not distinct from payment.reservation_id
    and line.membership_id is not distinct from payment.membership_id)`;

/**
 * Compares the payment ledger with the sales: payments less refunds must equal the amounts of reservations, memberships and orders. Sales
 * without a payment (older than the ledger) and offered ones are skipped.
 */
@Injectable()
export class LedgerAuditService {
  constructor(private readonly db: TenantDb) {}

  /** Lists all differences. One statement reads everything, so that all rows are of the same moment. Raw SQL: sums over whole tables. */
  drifts(): Promise<LedgerDrift[]> {
    const confirmed = `reservation.status in ('P', 'PE', 'PN', 'V', 'FA')`;
    const active = `membership.status = 'active'`;
    return this.db.transaction((tx) =>
      tx.query<LedgerDrift[]>(
        `select kind, id, name, expected::text, ledger::text from (
           select 'reservation' as kind, reservation.id, event.name,
             case when ${confirmed} then reservation.amount else 0.00 end as expected,
             money.paid - money.given - case when ${confirmed} then 0 else money.goodwill end as ledger
           from reservation join ${sums('reservation_id')} on money.id = reservation.id join event on event.id = reservation.event_id
           where ${drift(confirmed, 'reservation.amount')} and ${notOnAccountSql('reservation_id = reservation.id')}
           union all select 'membership', membership.id, product.name, case when ${active} then membership.amount else 0.00 end,
             money.paid - money.given - case when ${active} then 0 else money.goodwill end
           from membership join ${sums('membership_id')} on money.id = membership.id join product on product.id = membership.product_id
           where ${drift(active, 'membership.amount')} and ${notOnAccountSql('membership_id = membership.id')}
           union all select 'payment', payment.id, payment.provider, payment.amount, refunds.amount from payment
           join (select refund_of, sum(amount) as amount from payment where kind = 'refund' and status <> 'refund_failed'
           group by 1) refunds
             on refunds.refund_of = payment.id where refunds.amount > payment.amount
           union all ${ordersSql} union all ${payersSql} union all ${linesSql} union all ${giftCardsSql}) as drifts
         order by kind, name, id`,
      ),
    );
  }
}
