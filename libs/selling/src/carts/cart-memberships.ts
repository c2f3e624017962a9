import { isForCart, membershipOffer, membershipOffersSql, type MembershipOffer } from '#memberships';
import type { Tx } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** A membership in an open cart, with its price as it is now: it may be sold out or not published any more. */
export interface ChosenMembership extends MembershipOffer {
  /** Becomes the id of the membership. */
  readonly id: string;
}

/** Maximum number of memberships in one cart, each of another product. */
const mostMemberships = 5;

/** The memberships of an open cart, in the order in which they were added. */
export function membershipsIn(tx: Tx, cartId: string): Promise<ChosenMembership[]> {
  return tx.query<ChosenMembership[]>(
    `select chosen.id, offer.* from cart_membership chosen join (${membershipOffersSql}) offer on offer."priceId" = chosen.price_id
     where chosen.cart_id = $1 order by chosen.created_at, chosen.id`,
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
  const { productId } = offer;
  const chosen = await membershipsIn(tx, cartId);
  const same = chosen.find((one) => one.productId === productId);
  if (same?.priceId === priceId) return;
  if (same) await removeMembership(tx, cartId, same.id);
  else if (chosen.length >= mostMemberships) throw new RefusedDraft('too_many_memberships', 'memberships');
  await tx.query('insert into cart_membership (id, cart_id, product_id, price_id) values ($1, $2, $3, $4)', [
    randomUUID(),
    cartId,
    productId,
    priceId,
  ]);
}

/** Removes a membership from a locked cart. */
export async function removeMembership(tx: Tx, cartId: string, id: string): Promise<void> {
  await tx.query('delete from cart_membership where cart_id = $1 and id = $2', [cartId, id]);
}

/** Removes all memberships from a locked cart, when it is completed. */
export async function forgetMemberships(tx: Tx, cartId: string): Promise<void> {
  await tx.query('delete from cart_membership where cart_id = $1', [cartId]);
}
