import { isForCart, membershipOffer, membershipOffersSql, type MembershipOffer } from '#memberships';
import { addLines, linesOfSold, removeLines } from '#orders';
import type { Tx } from '#tenancy';
import { inCart } from '../donations/donation.js';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** A membership in an open cart, with its price as it is now: it may be sold out or not published any more. */
export interface ChosenMembership extends MembershipOffer {
  /** Of its line; becomes the id of the membership. */
  readonly id: string;
}

/** Maximum number of memberships in one cart, each of another product. */
const mostMemberships = 5;

/** The memberships of an open cart, in the order in which they were added. They take no stock. */
export function membershipsIn(tx: Tx, cartId: string): Promise<ChosenMembership[]> {
  return tx.query<ChosenMembership[]>(
    `select line.id, offer.* from order_line line join (${membershipOffersSql}) offer on offer."priceId" = line.price_id
     where line.order_id = $1 and line.kind = 'membership' and line.membership_id is null order by line.created_at, line.id`,
    [cartId],
  );
}

/**
 * Adds a membership to a locked cart. Another price of the same product replaces the one before.
 * @throws RefusedDraft `membership_gone`, `too_many_memberships`
 */
export async function chooseMembership(tx: Tx, cartId: string, priceId: string): Promise<void> {
  const offer = await membershipOffer(tx, priceId);
  if (!offer || !isForCart(offer)) throw new RefusedDraft('membership_gone', 'memberships');
  const { productId, product, name, amount, vatRate } = offer;
  const chosen = await membershipsIn(tx, cartId);
  const same = chosen.find((one) => one.productId === productId);
  if (same?.priceId === priceId) return;
  if (same) await removeLines(tx, cartId, [same.id]);
  else if (chosen.length >= mostMemberships) throw new RefusedDraft('too_many_memberships', 'memberships');
  const { lines } = linesOfSold([{ kind: 'membership', priceId, productId, name: `${product} · ${name}`, amount, vatRate }]);
  await addLines(tx, lines, inCart(cartId));
}
