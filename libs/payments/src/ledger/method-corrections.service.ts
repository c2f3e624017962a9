import { Injectable } from '@nestjs/common';
import { TenantDb } from '#tenancy';
import { actorColumns, fromCents, grouped, sumOf, toCents } from '#kernel';
import { inheritedSql } from './checkout-rows.js';
import { Payment } from './payment.entity.js';
import type { VenueMethod } from './payment-states.js';

/**
 * Corrects the method of payments at the venue. The ledger keeps what was recorded: a refund with the reason `method` takes the amount back
 * from the wrong method, and a new payment has the right one, so that the sums of both methods are right.
 */
@Injectable()
export class MethodCorrectionsService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Records the right method for what is left of payments after their refunds.
   * @param note of the staff: why it was wrong
   * @returns the ids of the new payments; empty when nothing is left, or all have this method already
   */
  correct(ids: readonly string[], method: VenueMethod, note?: string): Promise<string[]> {
    return this.db.transaction(async (tx) => {
      await tx.query(`select 1 from payment where id = any($1) order by id for no key update`, [ids]);
      // A second statement, because only it sees the changes that the first one waited for.
      const wrong = await tx.query<{ id: string; left: string }[]>(
        `select id, (amount - (select coalesce(sum(amount), 0) from payment refund where refund.refund_of = payment.id
           and refund.status <> 'refund_failed'))::text as left
         from payment where id = any($1) and kind = 'payment' and provider = 'venue' and status = 'paid' and method <> $2 order by id`,
        [ids, method],
      );
      const parts = wrong.filter(({ left }) => toCents(left) > 0);
      const [byUserId, byKeyId] = actorColumns();
      const rows = [parts.map(({ id }) => id), parts.map(({ left }) => left), note ?? null, byUserId, byKeyId];
      await tx.query(
        `insert into payment (kind, refund_of, ${inheritedSql()}, method, status, amount, reason, note, by_user_id, by_key_id, refunded_at,
           refunded_by)
         select 'refund', paid.id, ${inheritedSql('paid')}, paid.method, 'refunded', part.amount, 'method', $3, $4, $5, now(), $4
         from unnest($1::uuid[], $2::numeric[]) as part (id, amount) join payment paid on paid.id = part.id`,
        rows,
      );
      const added = await tx.query<{ id: string }[]>(
        `insert into payment (kind, ${inheritedSql()}, method, status, amount, note, by_user_id, by_key_id, paid_at)
         select 'payment', ${inheritedSql('paid')}, $6, 'paid', part.amount, $3, $4, $5, now()
         from unnest($1::uuid[], $2::numeric[]) as part (id, amount) join payment paid on paid.id = part.id returning id`,
        [...rows, method],
      );
      return added.map(({ id }) => id);
    });
  }
}

type LedgerRow = Pick<Payment, 'id' | 'kind' | 'refundOf' | 'reason' | 'amount'>;

/** Payments and refunds as the payer knows them: without corrections of the method, and without what they took back. */
export function withoutCorrections<Row extends LedgerRow>(payments: readonly Row[]): Row[] {
  const corrections = grouped(
    payments.filter(({ reason }) => reason === 'method'),
    ({ refundOf }) => refundOf,
  );
  return payments.flatMap((payment) => {
    const parts = corrections.get(payment.id);
    if (!parts) return payment.reason === 'method' ? [] : [payment];
    const left = toCents(payment.amount) - toCents(sumOf(parts));
    return left > 0 ? [{ ...payment, amount: fromCents(left) }] : [];
  });
}
