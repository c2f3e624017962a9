import { Injectable } from '@nestjs/common';
import { TenantDb } from '#tenancy';

/** Money that the ledger and a sale do not agree about. Nothing repairs it: somebody has to find out what happened. */
export interface LedgerDrift {
  /** `payment`: more was given back of it than was paid. */
  readonly kind: 'reservation' | 'membership' | 'payment';
  readonly id: string;
  /** The event, or the membership's product. */
  readonly name: string;
  /** Decimal text: what the sale says is paid for good; of a payment, what was paid. */
  readonly expected: string;
  /** Decimal text: what was paid, less what was or is to be given back; of a payment, what was given back. */
  readonly ledger: string;
}

/** Sums of each subject. What the provider's own pages gave back is goodwill: it is told apart. */
const sums = (column: string): string => `(select ${column} as id,
    coalesce(sum(amount) filter (where kind = 'payment' and status = 'paid'), 0) as paid,
    coalesce(sum(amount) filter (where kind = 'refund' and status in ('refund_due', 'refunded') and reason <> 'provider'), 0) as given,
    coalesce(sum(amount) filter (where kind = 'refund' and status in ('refund_due', 'refunded') and reason = 'provider'), 0) as goodwill
  from payment where ${column} is not null group by 1 having bool_or(kind = 'payment' and status = 'paid') and not bool_or(method = 'offered')) money`;

/** Of what stands: paid less given is its amount, or less by goodwill. Of what does not: nothing is kept. */
const drift = (stands: string, amount: string): string =>
  `case when ${stands} then not (${amount} between money.paid - money.given - money.goodwill and money.paid - money.given)
   else money.paid <> money.given + money.goodwill end`;

/**
 * Compares the ledger with what was sold: paid, refunded and due add up to what reservations and memberships say. Sales without a payment
 * (what came before payments were kept) and offered ones are passed over.
 */
@Injectable()
export class LedgerAuditService {
  constructor(private readonly db: TenantDb) {}

  /** What does not agree, at one moment: one statement sees all of it. Raw SQL, because it is sums over whole tables. */
  drifts(): Promise<LedgerDrift[]> {
    const confirmed = `reservation.status in ('P', 'PE', 'PN', 'V', 'FA')`;
    const active = `membership.status = 'active'`;
    return this.db.transaction((tx) =>
      tx.query<LedgerDrift[]>(
        `select kind, id, name, expected::text, ledger::text from (
           select 'reservation' as kind, reservation.id, event.name, case when ${confirmed} then reservation.amount else 0.00 end as expected,
             money.paid - money.given - case when ${confirmed} then 0 else money.goodwill end as ledger
           from reservation join ${sums('reservation_id')} on money.id = reservation.id join event on event.id = reservation.event_id
           where ${drift(confirmed, 'reservation.amount')}
           union all select 'membership', membership.id, product.name, case when ${active} then membership.amount else 0.00 end,
             money.paid - money.given - case when ${active} then 0 else money.goodwill end
           from membership join ${sums('membership_id')} on money.id = membership.id join product on product.id = membership.product_id
           where ${drift(active, 'membership.amount')}
           union all select 'payment', payment.id, payment.provider, payment.amount, refunds.amount from payment
           join (select refund_of, sum(amount) as amount from payment where kind = 'refund' and status <> 'refund_failed' group by 1) refunds
             on refunds.refund_of = payment.id where refunds.amount > payment.amount) as drifts
         order by kind, name, id`,
      ),
    );
  }
}
