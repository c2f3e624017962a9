import type { Tx } from '#tenancy';
import { countsSql, lapsedSql } from './remaining.js';

/**
 * Everything scarce is a counter that is raised only while it fits: the places of an event, what an event has used of the stock of a price
 * of admission, and the stock of goods, which all events share. Locks are always taken in one order: the event (which also guards its own
 * stocks), the prices of goods by id, memberships, reservations, tickets. Who holds the event's lock alone may change which of its
 * reservations count.
 *
 * Whether a hold is over is asked at the time of the statement, not of the transaction: one that waited for the lock for longer than the
 * hold lasted would take it for a living one, beside somebody who has counted it as over.
 */

/** How many of each price. */
export type Quantities = ReadonlyMap<string, number>;

/** What a reservation takes. */
export interface Lines {
  /** Take a place of the event each. */
  readonly admission: Quantities;
  /** Take stock only. */
  readonly goods: Quantities;
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
  /** Prices of which the stock sufficed, those without a limit included. */
  readonly taken: readonly string[];
}

/**
 * Takes places of an event, and stock of prices of admission for this event, by one statement: while it is done and committed everybody
 * else who books the event waits. The prices are share-locked, so that a stock that is lowered meanwhile counts. Then takes goods.
 * @returns undefined, and nothing taken, when the event's places are not all there
 */
export async function takeLines(tx: Tx, eventId: string, { admission, goods }: Lines): Promise<TakenEvent | undefined> {
  const [event] = await tx.query<TakenEvent[]>(
    `with place as (
       update event set booked = booked + $2::int where id = $1 and ($2::int = 0 or booked + $2::int <= capacity)
       returning published, max_per_user),
     offered as (
       select price.id, price.stock, wanted.count from place cross join unnest($3::uuid[], $4::int[]) as wanted (id, count)
       join price on price.id = wanted.id for share of price),
     taken as (
       insert into event_price as counter (event_id, price_id, sold)
       select $1::uuid, id, count from offered where stock is null or count <= stock
       on conflict (event_id, price_id) do update set sold = counter.sold + excluded.sold
         where counter.sold + excluded.sold <= (select coalesce(stock, 2147483647) from offered where id = excluded.price_id)
       returning price_id)
     select published, max_per_user as maximum, array(select price_id from taken) as taken from place`,
    [eventId, total(admission), [...admission.keys()], [...admission.values()]],
  );
  if (!event || event.taken.length < admission.size) return event;
  return { ...event, taken: [...event.taken, ...(await takeStock(tx, goods))] };
}

/** Takes from the shared stocks of prices, in the order of their ids, until one does not suffice. @returns the prices taken */
export async function takeStock(tx: Tx, quantities: Quantities): Promise<string[]> {
  const taken: string[] = [];
  for (const [priceId, count] of inOrder(quantities)) {
    const [rows] = await tx.query<[unknown[], number]>(
      'update price set sold = sold + $2 where id = $1 and (stock is null or sold + $2 <= stock) returning id',
      [priceId, count],
    );
    if (rows.length === 0) break;
    taken.push(priceId);
  }
  return taken;
}

/** Gives places and stock back. The event must be locked. */
export async function giveBack(tx: Tx, eventId: string, { admission, goods }: Lines): Promise<void> {
  if (admission.size > 0) {
    await tx.query(
      `with place as (update event set booked = booked - $2::int where id = $1)
       update event_price set sold = sold - freed.count from unnest($3::uuid[], $4::int[]) as freed (id, count)
       where event_price.event_id = $1 and event_price.price_id = freed.id`,
      [eventId, total(admission), [...admission.keys()], [...admission.values()]],
    );
  }
  await giveStockBack(tx, goods);
}

export async function giveStockBack(tx: Tx, quantities: Quantities): Promise<void> {
  for (const [priceId, count] of inOrder(quantities)) await tx.query('update price set sold = sold - $2 where id = $1', [priceId, count]);
}

/** How many of each price a person holds for an event already; holds that are over do not count. */
export async function heldBy(tx: Tx, eventId: string, emailKey: string, except?: string): Promise<Lines> {
  return linesOf(
    await tx.query<LineRow[]>(
      `select ticket.price_id as id, ticket.admission, count(*)::int as count from ticket
       join reservation on reservation.id = ticket.reservation_id
       where reservation.event_id = $1 and reservation.email_key = $2 and ${countsSql}
         and (reservation.expires_at is null or reservation.expires_at > statement_timestamp()) and reservation.id is distinct from $3::uuid
       group by 1, 2`,
      [eventId, emailKey, except ?? null],
    ),
  );
}

/** Events with holds that are over, of this event or of these goods, in the order in which to lock them. */
export async function eventsWithLapsed(tx: Tx, eventId: string, goods: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `select distinct reservation.event_id as id from reservation join ticket on ticket.reservation_id = reservation.id
     where ${lapsedSql} and ticket.status <> 'R'
       and (reservation.event_id = $1 or (not ticket.admission and ticket.price_id = any($2))) order by 1`,
    [eventId, goods],
  );
  return rows.map(({ id }) => id);
}

/** Gives back what an event's holds that are over have taken; they stay what they are, without it. @returns their number */
export async function releaseLapsed(tx: Tx, eventId: string): Promise<number> {
  if (!(await lockEvent(tx, eventId))) return 0;
  const rows = await tx.query<(LineRow & { reservationId: string })[]>(
    `select reservation.id as "reservationId", ticket.price_id as id, ticket.admission, count(*)::int as count from reservation
     join ticket on ticket.reservation_id = reservation.id and ticket.status <> 'R'
     where reservation.event_id = $1 and ${lapsedSql} group by 1, 2, 3`,
    [eventId],
  );
  await giveBack(tx, eventId, linesOf(rows));
  const ids = [...new Set(rows.map(({ reservationId }) => reservationId))];
  if (ids.length > 0) await tx.query('update reservation set released_at = now() where id = any($1)', [ids]);
  return ids.length;
}

/** What a reservation has that is not cancelled. */
export async function linesOfReservation(tx: Tx, reservationId: string): Promise<Lines> {
  return linesOf(
    await tx.query<LineRow[]>(
      `select price_id as id, admission, count(*)::int as count from ticket where reservation_id = $1 and status <> 'R' group by 1, 2`,
      [reservationId],
    ),
  );
}

/** Some of one price. */
export interface LineRow {
  readonly id: string;
  readonly admission: boolean;
  readonly count: number;
}

/** Sums up by kind and price. */
export function linesOf(rows: readonly LineRow[]): Lines {
  const [admission, goods] = [new Map<string, number>(), new Map<string, number>()];
  for (const row of rows) {
    const sums = row.admission ? admission : goods;
    sums.set(row.id, (sums.get(row.id) ?? 0) + row.count);
  }
  return { admission, goods };
}

/** One order for everybody, so that nobody waits crosswise. */
function inOrder(quantities: Quantities): [string, number][] {
  return [...quantities].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
