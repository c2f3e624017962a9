import type { Tx } from '#tenancy';

/** A part of a cart: the tickets for one event. */
export interface CartPart {
  readonly id: string;
  readonly eventId: string;
  readonly isDraft: boolean;
  readonly createdAt: Date;
  /** Number of tickets. */
  readonly tickets: number;
  /** Its hold has ended. */
  readonly lapsed: boolean;
  /** Discounts of the venue depend on what else the cart contains. */
  readonly isDependent: boolean;
}

/** The parts of a cart in the order in which they were added. */
export function partsOf(tx: Tx, cartId: string): Promise<CartPart[]> {
  return tx.query<CartPart[]>(
    `select id, event_id as "eventId", is_draft as "isDraft", created_at as "createdAt",
       coalesce(expires_at <= statement_timestamp(), false) or released_at is not null as lapsed,
       exists (select from discount where kind in ('events', 'members') and not disabled) as "isDependent",
       (select count(*)::int from ticket where ticket.reservation_id = reservation.id) as tickets
     from reservation where cart_id = $1 order by created_at, id`,
    [cartId],
  );
}
