import { Payment } from '#payments';
import type { Tx } from '#tenancy';
import { listHref } from '#panel-kit';

/** Money that somebody has to give back by hand. */
export interface TonightRefunds {
  count: number;
  /** Decimal text. */
  amount: string;
  /** The list of those. */
  href: string;
}

/** What is to be given back by hand: paid at the venue, or failed online. Read over the index of what is due. */
export async function refundsToGive(tx: Tx): Promise<TonightRefunds | null> {
  const row = await tx
    .createQueryBuilder()
    .select('count(*)::int', 'count')
    .addSelect('coalesce(sum(payment.amount), 0.00)::text', 'amount')
    .from(Payment, 'payment')
    .where(`payment.status = 'refund_due' and (payment.provider = 'venue' or payment.refund_trouble is not null)`)
    .getRawOne<{ count: number; amount: string }>();
  if (!row || row.count === 0) return null;
  return { ...row, href: listHref('refunds', { due: 'true' }) };
}
