import { RefusedBooking, giveStockBack, takeStock } from '#tickets';
import type { Tx } from '#tenancy';
import type { SoldPrice } from '../rows/membership-rows.js';

/**
 * Takes one membership from the price's stock; if it is empty, releases expired unpaid ones first. The price must be locked.
 * @throws RefusedBooking
 */
export async function takeMembership(tx: Tx, { id, name }: SoldPrice): Promise<void> {
  const one = new Map([[id, 1]]);
  if ((await takeStock(tx, one)).length > 0) return;
  const [over] = await tx.query<[unknown[], number]>(
    `update membership set released_at = now() where price_id = $1 and status = 'pending'
       and expires_at <= (select statement_timestamp()) and released_at is null returning id`,
    [id],
  );
  if (over.length > 0) await giveStockBack(tx, new Map([[id, over.length]]));
  if (over.length > 0 && (await takeStock(tx, one)).length > 0) return;
  throw new RefusedBooking('sold_out', 'priceId', { remaining: [{ priceId: id, name, remaining: 0 }] });
}
