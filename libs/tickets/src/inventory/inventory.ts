import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { noteEndedSql } from '../holds/ended-holds.js';
import { lockEventsSql, sharingSql } from '../places/free-places.js';
import { lapsedSql } from '../places/taken.js';
import { proposalsLostSql } from './waiting.js';

/**
 * Places and stock are counters that a conditional update raises only up to their limit: the booked places of an event, the stock of an
 * admission price used by one event, the booked places of the dates that share them, and the stock of goods, which all events share. Locks
 * are always taken in this order: events by id (each also guards its own stocks), the series whose places they share by id, prices of goods
 * by id, memberships, codes, reservations, tickets. Who needs several events locks them all at once, with their series (`lockEvents`):
 * otherwise two dates of a series would wait for each other. Who sells several events in one transaction does so for each in turn, so two
 * of those may wait for each other with goods and codes: the database ends one of them, and `retryOnDeadlock` repeats it. Only the holder
 * of the event's lock may change which of its reservations count. The
 * database counts the places of a series with each change of `event.booked` (migration 88). Whether dates share places changes only while
 * nobody has locked an event (`SeriesPoolsService`).
 *
 * Expiry is compared with `statement_timestamp()`, not with the start of the transaction: a transaction that waited for the lock beyond the
 * end of a hold would still count the hold as valid, while others already count it as expired.
 */

/** Quantity by price id. */
export type Quantities = ReadonlyMap<string, number>;

/** Quantities that a reservation takes. */
export interface Lines {
  /** Each takes a place of the event. */
  readonly admission: Quantities;
  /** Each takes stock only. */
  readonly goods: Quantities;
}

/** The sum of all quantities. */
export function total(quantities: Quantities): number {
  return [...quantities.values()].reduce((sum, quantity) => sum + quantity, 0);
}

/** The quantity of one price. */
export function quantityOf({ admission, goods }: Lines, priceId: string): number {
  return (admission.get(priceId) ?? 0) + (goods.get(priceId) ?? 0);
}

/** Locks an event and what it shares, so that no other transaction takes or frees its places. @returns false when it does not exist */
export async function lockEvent(tx: Tx, eventId: string): Promise<boolean> {
  return (await queryPrepared(tx, lockStatement, [eventId])).length > 0;
}

const lockStatement: PreparedStatement = { name: 'event-lock', text: lockEventsSql('id = $1') };

/** Locks all events that a transaction takes or frees places of, and what they share, before it does anything else with them. */
export async function lockEvents(tx: Tx, eventIds: readonly string[]): Promise<void> {
  await tx.query(lockEventsSql('id = any($1)'), [eventIds]);
}

/** Takes shared stock of prices, in the order of their ids, until one has too little. @returns the ids of the prices taken */
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

/** Returns places and stock to the counters. The event must be locked. */
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

/** Returns shared stock of prices, in the order of their ids. */
export async function giveStockBack(tx: Tx, quantities: Quantities): Promise<void> {
  for (const [priceId, count] of inOrder(quantities)) await tx.query('update price set sold = sold - $2 where id = $1', [priceId, count]);
}

/** Ids of the events with expired holds that occupy this event's places, also those that it shares, or these goods, in locking order. */
export async function eventsWithLapsed(tx: Tx, eventId: string, goods: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `select distinct reservation.event_id as id from reservation join ticket on ticket.reservation_id = reservation.id
     where ${lapsedSql} and ticket.status <> 'R'
       and (reservation.event_id = $1 or reservation.event_id in (select dates.id from event one, lateral (${sharingSql('one')}) dates
           where one.id = $1) or (not ticket.admission and ticket.price_id = any($2))) order by 1`,
    [eventId, goods],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the places and stock of an event's expired holds; the holds keep their state. Offers of a waiting list end with them.
 * @returns the number of holds released
 */
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
  if (ids.length > 0) {
    await tx.query(
      `with lost as (${proposalsLostSql('$1')}), ended as (${noteEndedSql('$1')}) update reservation set released_at = now()
        where id = any($1)`,
      [ids],
    );
  }
  return ids.length;
}

/** Quantities of a reservation's tickets that are not cancelled. */
export async function linesOfReservation(tx: Tx, reservationId: string): Promise<Lines> {
  return linesOf(
    await tx.query<LineRow[]>(
      `select price_id as id, admission, count(*)::int as count from ticket where reservation_id = $1 and status <> 'R' group by 1, 2`,
      [reservationId],
    ),
  );
}

/** Whether lines have more of a price than others. */
export function takesMore(lines: Lines, held: Lines = { admission: new Map(), goods: new Map() }): boolean {
  const isMore = (some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): boolean =>
    [...some].some(([id, count]) => count > (others.get(id) ?? 0));
  return isMore(lines.admission, held.admission) || isMore(lines.goods, held.goods);
}

/** A quantity of one price. */
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

/** Sorts by price id, so that concurrent transactions lock in the same order and do not deadlock. */
function inOrder(quantities: Quantities): [string, number][] {
  return [...quantities].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
