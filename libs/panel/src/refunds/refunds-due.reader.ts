import { Payment } from '#payments';
import type { Tx } from '#tenancy';
import { listHref } from '#panel-kit';
import { isByHand } from '../payments/payments.reader.js';

/** Refunds that staff must pay out. */
export interface StartPageRefunds {
  count: number;
  /** Decimal text. */
  amount: string;
  /** URL of the list of these refunds. */
  href: string;
}

/** Refunds that staff must pay out: of payments at the venue, or failed online. Uses the index on pending refunds. */
export async function refundsToGive(tx: Tx): Promise<StartPageRefunds | null> {
  const row = await tx
    .createQueryBuilder()
    .select('count(*)::int', 'count')
    .addSelect('coalesce(sum(payment.amount), 0.00)::text', 'amount')
    .from(Payment, 'payment')
    .where(isByHand)
    .getRawOne<{ count: number; amount: string }>();
  if (!row || row.count === 0) return null;
  return { ...row, href: listHref('refunds', { due: 'true' }) };
}
