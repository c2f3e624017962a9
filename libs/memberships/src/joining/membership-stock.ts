import { RefusedBooking, giveStockBack, takeStock } from '#tickets';
import type { Tx } from '#tenancy';
import type { LockedMembership, SoldPrice } from '../rows/membership-rows.js';
import { claimCodeAgain } from './membership-code.js';
import { checkMembershipLimits } from './membership-terms.js';

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

/**
 * Takes again what a pending membership had taken and may have lost since: its stock, and its use of a code.
 * @param asksPerson what the person has is asked, too
 * @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required`, and those of the code
 */
export async function takeAgain(tx: Tx, membership: LockedMembership, asksPerson: boolean): Promise<void> {
  const { id, price, emailKey, validFrom, lapsed, released } = membership;
  if (asksPerson) await checkMembershipLimits(tx, price, emailKey, validFrom, id);
  if (asksPerson) await claimCodeAgain(tx, id, emailKey, lapsed);
  if (released) await takeMembership(tx, price);
}
