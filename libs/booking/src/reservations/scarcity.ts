import type { Tx } from '#tenancy';

/**
 * Everything scarce: the capacity of an event and the stock of a price, each a counter that is raised only while it fits. Locks are
 * always taken in one order: the event, its prices by id, memberships, reservations, tickets. Who holds the event's lock alone may change
 * which of its reservations count.
 *
 * Whether a hold is over is asked at the time of the statement, not of the transaction: one that waited for the lock for longer than the
 * hold lasted would take it for a living one, beside somebody who has counted it as over.
 */

/** How many of each price. */
export type Quantities = ReadonlyMap<string, number>;

/** The tickets that count: not cancelled, and of no hold whose places were given back. */
export const countsSql = `ticket.status <> 'R' and reservation.released_at is null`;
/** A hold that is over and still in the counters. */
const lapsedSql = `reservation.status in ('R', 'U', 'F') and reservation.expires_at <= statement_timestamp()
  and reservation.released_at is null`;

/**
 * SQL of how many places, of an event or of the stock of a price, a counter still has for holds that are over. Who shows what is left takes
 * them off: they are free at once, whether or not a job has run.
 * @param owner what the event or the price is called in the query
 * @param prefix stands before the names of tables, in statements for the door `{tenant}.`
 */
export function lapsedPlaces(column: 'event_id' | 'price_id', owner: string, prefix = ''): string {
  return `(select count(*)::int from ${prefix}ticket join ${prefix}reservation on reservation.id = ticket.reservation_id
    where ticket.${column} = ${owner}.id and ticket.status <> 'R' and ${lapsedSql})`;
}

export function total(quantities: Quantities): number {
  return [...quantities.values()].reduce((sum, quantity) => sum + quantity, 0);
}

/** Locks an event: from here on nobody else takes or frees places of it. @returns false when there is none */
export async function lockEvent(tx: Tx, eventId: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>('select 1 from event where id = $1 for no key update', [eventId]);
  return rows.length > 0;
}

/** An event of which places were taken, as it stands under its lock. */
export interface TakenEvent {
  readonly published: boolean;
  /** How many tickets one person may have; null: any number. */
  readonly maximum: number | null;
  /** Whether the stocks sufficed as well; nothing was taken of any of them when one does not. */
  readonly stocked: boolean;
}

/**
 * Takes places of an event and from the stocks of prices, in the order of their ids. With one price that is one statement: while it is
 * done and committed everybody else who books the event waits.
 * @returns undefined, and nothing taken, when the event's places are not all there
 */
export async function takePlaces(tx: Tx, eventId: string, quantities: Quantities): Promise<TakenEvent | undefined> {
  const [first, ...others] = inOrder(quantities) as [[string, number], ...[string, number][]];
  const [event] = await tx.query<TakenEvent[]>(
    `with place as (
       update event set booked = booked + $2 where id = $1 and booked + $2 <= capacity returning published, max_per_user),
     sold as (
       update price set sold = sold + $4 where id = $3 and exists (select 1 from place) and (stock is null or sold + $4 <= stock)
       returning id)
     select published, max_per_user as maximum, exists (select 1 from sold) as stocked from place`,
    [eventId, total(quantities), ...first],
  );
  if (!event?.stocked || (await takeStock(tx, new Map(others)))) return event;
  await giveStockBack(tx, new Map([first]));
  return { ...event, stocked: false };
}

/** Takes from the stocks of prices, in the order of their ids. @returns false, and nothing taken, when one does not suffice */
export async function takeStock(tx: Tx, quantities: Quantities): Promise<boolean> {
  const taken = new Map<string, number>();
  for (const [priceId, count] of inOrder(quantities)) {
    const [rows] = await tx.query<[unknown[], number]>(
      'update price set sold = sold + $2 where id = $1 and (stock is null or sold + $2 <= stock) returning id',
      [priceId, count],
    );
    if (rows.length === 0) {
      await giveStockBack(tx, taken);
      return false;
    }
    taken.set(priceId, count);
  }
  return true;
}

/** Gives places and stock back. The event must be locked. */
export async function giveBack(tx: Tx, eventId: string, quantities: Quantities): Promise<void> {
  if (total(quantities) === 0) return;
  await tx.query('update event set booked = booked - $2 where id = $1', [eventId, total(quantities)]);
  await giveStockBack(tx, quantities);
}

export async function giveStockBack(tx: Tx, quantities: Quantities): Promise<void> {
  for (const [priceId, count] of inOrder(quantities))
    await tx.query('update price set sold = sold - $2 where id = $1', [priceId, count]);
}

/** How many of each price a person holds for an event already; holds that are over do not count. */
export async function heldBy(tx: Tx, eventId: string, emailKey: string, except?: string): Promise<Quantities> {
  const rows = await tx.query<{ id: string; count: number }[]>(
    `select ticket.price_id as id, count(*)::int as count from ticket join reservation on reservation.id = ticket.reservation_id
     where reservation.event_id = $1 and reservation.email_key = $2 and ${countsSql}
       and (reservation.expires_at is null or reservation.expires_at > statement_timestamp()) and reservation.id is distinct from $3::uuid
     group by 1`,
    [eventId, emailKey, except ?? null],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** What is left, with the places of holds that are over counted as free. */
export interface Left {
  /** Of the event. */
  readonly places: number;
  /** Of each price; stock null: no limit. */
  readonly prices: readonly { readonly priceId: string; readonly name: string; readonly stock: number | null }[];
}

/** What is left of an event and of these prices, in the order of their ids as given, at one moment. */
export async function leftOf(tx: Tx, eventId: string, priceIds: readonly string[]): Promise<Left> {
  const rows = await tx.query<{ id: string; name: string; places: number; stock: number | null }[]>(
    `with lapsed as (
       select ticket.event_id, ticket.price_id from ticket join reservation on reservation.id = ticket.reservation_id
       where ${lapsedSql} and ticket.status <> 'R' and (ticket.event_id = $1 or ticket.price_id = any($2)))
     select price.id, price.name,
       (event.capacity - event.booked + (select count(*) from lapsed where lapsed.event_id = event.id))::int as places,
       (price.stock - price.sold + (select count(*) from lapsed where lapsed.price_id = price.id))::int as stock
     from event cross join price where event.id = $1 and price.id = any($2)`,
    [eventId, priceIds],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const prices = priceIds.flatMap((priceId) => {
    const row = byId.get(priceId);
    return row ? [{ priceId, name: row.name, stock: row.stock }] : [];
  });
  return { places: rows[0]?.places ?? 0, prices };
}

/** Events with holds that are over, of this event or of these prices, in the order in which to lock them. */
export async function eventsWithLapsed(tx: Tx, eventId: string | null, priceIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `select distinct reservation.event_id as id from reservation join ticket on ticket.reservation_id = reservation.id
     where ${lapsedSql} and ticket.status <> 'R' and (reservation.event_id = $1 or ticket.price_id = any($2)) order by 1`,
    [eventId, priceIds],
  );
  return rows.map(({ id }) => id);
}

/** Gives back the places of an event's holds that are over; they stay what they are, without their places. @returns their number */
export async function releaseLapsed(tx: Tx, eventId: string): Promise<number> {
  if (!(await lockEvent(tx, eventId))) return 0;
  const rows = await tx.query<{ id: string; price_id: string; count: number }[]>(
    `select reservation.id, ticket.price_id, count(*)::int as count from reservation
     join ticket on ticket.reservation_id = reservation.id and ticket.status <> 'R'
     where reservation.event_id = $1 and ${lapsedSql} group by 1, 2`,
    [eventId],
  );
  const freed = new Map<string, number>();
  for (const { price_id: id, count } of rows) freed.set(id, (freed.get(id) ?? 0) + count);
  await giveBack(tx, eventId, freed);
  const ids = [...new Set(rows.map(({ id }) => id))];
  if (ids.length > 0) await tx.query('update reservation set released_at = now() where id = any($1)', [ids]);
  return ids.length;
}

/** How many tickets of each price a reservation has that are not cancelled. */
export async function quantitiesOf(tx: Tx, reservationId: string): Promise<Quantities> {
  const rows = await tx.query<{ id: string; count: number }[]>(
    `select price_id as id, count(*)::int as count from ticket where reservation_id = $1 and status <> 'R' group by 1`,
    [reservationId],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** One order for everybody, so that nobody waits crosswise. */
function inOrder(quantities: Quantities): [string, number][] {
  return [...quantities].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
