import { currentTenant, type Tx } from '#tenancy';

/** A part of a cart: the tickets for one event. */
export interface CartPart {
  readonly id: string;
  readonly eventId: string;
  readonly isDraft: boolean;
  readonly createdAt: Date;
  /** Number of tickets. */
  readonly tickets: number;
}

/**
 * Locks a cart until the transaction ends, so that nothing is added to it while it is completed. A cart has no row of its own: it is what
 * its reservations have in common. Call it before anything else is locked.
 */
export async function lockCart(tx: Tx, cartId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} cart ${cartId}`]);
}

/** Whether the contact form of a cart was sent. */
export async function isCompleted(tx: Tx, cartId: string): Promise<boolean> {
  const [row] = await tx.query<{ isCompleted: boolean }[]>(
    `select exists (select 1 from reservation where cart_id = $1 and not is_draft)
       or exists (select 1 from membership where cart_id = $1) as "isCompleted"`,
    [cartId],
  );
  return row?.isCompleted === true;
}

/** The parts of a cart in the order in which they were added. */
export function partsOf(tx: Tx, cartId: string): Promise<CartPart[]> {
  return tx.query<CartPart[]>(
    `select id, event_id as "eventId", is_draft as "isDraft", created_at as "createdAt",
       (select count(*)::int from ticket where ticket.reservation_id = reservation.id) as tickets
     from reservation where cart_id = $1 order by created_at, id`,
    [cartId],
  );
}
