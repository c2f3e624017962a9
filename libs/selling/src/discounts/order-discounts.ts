import { inOrder, type ReadingIn, type Tx } from '#tenancy';
import type { Offer } from '#tickets';
import type { Buying } from './kinds/discount-rule.js';

/**
 * What discounts of an event in an order depend on: its events, and the memberships that it contains or was reduced for.
 * @param orderId of a cart, or of a draft
 * @param given products of memberships that the buyer has, in place of those that it was reduced for
 */
export async function buyingOf(tx: Tx, orderId: string, eventId: string, given?: readonly string[]): Promise<Buying> {
  const [events, memberships] = await inOrder([
    tx.query<{ id: string }[]>('select distinct event_id as id from reservation where cart_id = $1', [orderId]),
    tx.query<{ id: string; contained: boolean }[]>(
      `select product_id as id, true as contained from order_line where order_id = $1 and kind = 'membership'
       union select used.membership_id, false from discount_use used join order_line on order_line.id = line_id
       where order_id = $1 and used.membership_id is not null`,
      [orderId],
    ),
  ]);
  const counted = memberships.filter(({ contained }) => contained || given === undefined);
  return {
    eventIds: [...new Set([eventId, ...events.map(({ id }) => id)])],
    memberships: [...new Set([...(given ?? []), ...counted.map(({ id }) => id)])],
  };
}

/**
 * The drafts of a cart with tickets that were reduced for more events than the cart has now: holds end, and leave the cart an hour later.
 * It does not matter whether the discount is given to others still.
 * @returns in the order of the ids of their events
 */
export const partsWithTooFewEvents = (tx: Tx, cartId: string): Promise<{ readonly id: string; readonly eventId: string }[]> =>
  tx.query(
    `select distinct part.id, part.event_id as "eventId"
     from discount_use used join order_line on order_line.id = line_id join discount on discount.id = discount_id
       join reservation part on part.id = order_line.reservation_id and part.is_draft
     where order_id = $1 and discount.kind = 'events' and discount.least > (select count(distinct event_id) from reservation
       where cart_id = $1 and (discount.event_ids = array[]::uuid[] or event_id = any(discount.event_ids)))
     order by part.event_id`,
    [cartId],
  );

/**
 * The memberships for which tickets of a cart are reduced, without the one that is removed from it.
 * @param lineId of what is removed
 * @returns undefined when it is no membership
 */
export async function membershipsWithout(tx: Tx, cartId: string, lineId: string): Promise<string[] | undefined> {
  const [removed] = await tx.query<{ id: string }[]>(
    `select product_id as id from order_line where id = $1 and order_id = $2 and kind = 'membership'`,
    [lineId, cartId],
  );
  if (!removed) return undefined;
  const { memberships } = await buyingOf(tx, cartId, '');
  return memberships.filter((id) => id !== removed.id);
}

/** A choice of tickets, with what discounts depend on beside it. */
interface Choice {
  readonly eventId: string;
  readonly buying?: Partial<Buying> | undefined;
}

/**
 * A choice with what discounts depend on beside it. Nothing is read where the event has no such discount.
 * @param orderId of the cart, or of a draft that is changed; null: nothing is held yet
 */
export async function withBuying<One extends Choice>(choice: One, offer: Offer, orderId: string | null, read: ReadingIn): Promise<One> {
  const isAsked = offer.discounts.some(({ kind }) => kind === 'events' || kind === 'members');
  if (!isAsked || orderId === null) return choice;
  return { ...choice, buying: await read((tx) => buyingOf(tx, orderId, choice.eventId, choice.buying?.memberships)) };
}
