import { reservedSql } from './code-uses.js';
import { heldTickets, lapsedSql, takenSeatsSql } from './taken.js';

/** SQL: the series with whose other dates an event shares places, as `pool`; no row for most events. @param event alias of its row */
const poolSql = (event: string, prefix: string): string =>
  `${prefix}event_series pool where pool.id = ${event}.series_id and pool.capacity is not null`;

/** SQL: something of the pool of an event; null for events without a series, for which no row is looked up. */
const ofPoolSql = (event: string, prefix: string, value: string): string =>
  `case when ${event}.series_id is not null then (select ${value} from ${poolSql(event, prefix)}) end`;

/** SQL: ids of the dates that share their places with an event, as a query; it is one of them. None when it has its own places only. */
export const sharingSql = (event: string, prefix = ''): string =>
  `select dates.id from ${prefix}event dates where dates.series_id = (select pool.id from ${poolSql(event, prefix)})`;

/** SQL: number of places that an event has at most, its own and those that it shares. */
export const capacitySql = (event: string, prefix = ''): string => `least(${event}.capacity, ${ofPoolSql(event, prefix, 'pool.capacity')})`;

/**
 * SQL: free places of an event by the counters: of its own places and of those that it shares, whichever is less. Expired holds that were
 * not released yet count as taken, and so do the places that codes keep. Negative when a capacity was lowered below what is booked.
 * @param code SQL of the id of a code whose places are free
 */
export const openPlacesSql = (event: string, prefix = '', code?: string): string =>
  `least(${event}.capacity - ${event}.booked - ${reservedSql(event, prefix, code)},
    ${ofPoolSql(event, prefix, 'pool.capacity - pool.booked')})`;

/**
 * SQL: free places of an event's own capacity.
 * @param holds that do not count, as for `heldTickets`
 * @param code as for `openPlacesSql`
 */
export const ownFreePlacesSql = (event: string, prefix = '', holds = lapsedSql, code?: string): string =>
  `(${event}.capacity - ${takenSeatsSql(event, prefix, holds)} - ${reservedSql(event, prefix, code)})`;

/** SQL: the same as `openPlacesSql`, but expired holds are free. @param holds that do not count, as for `heldTickets` */
export function freePlacesSql(event: string, prefix = '', holds = lapsedSql, code?: string): string {
  return `least(${ownFreePlacesSql(event, prefix, holds, code)}, ${sharedFreePlacesSql(event, prefix, holds)})`;
}

/** SQL: free places of those that an event shares; null when it shares none. */
function sharedFreePlacesSql(event: string, prefix = '', holds = lapsedSql): string {
  const held = heldTickets(`ticket.event_id in (${sharingSql(event, prefix)}) and ticket.admission`, holds, prefix);
  return ofPoolSql(event, prefix, `pool.capacity - pool.booked + ${held}`);
}

/** SQL: free places of those that an event shares, where they are fewer than its own; else null. */
export const fewerSharedSql = (event: string): string => `case when ${event}.series_id is not null then
  (select greatest(0, shared.free) from (select ${sharedFreePlacesSql(event)} as free) shared
   where shared.free < ${ownFreePlacesSql(event)}) end`;

/** SQL: whether an event has no free place. Looks at holds only when a counter has reached its capacity. */
export function fullSql(event: string, prefix = '', holds = lapsedSql): string {
  return `(${openPlacesSql(event, prefix)} <= 0 and ${freePlacesSql(event, prefix, holds)} <= 0)`;
}

/** SQL: whether the places that an event shares are scarce: less than one in so many is left. */
export const poolIsScarceSql = (event: string, part: number): string =>
  `exists (select from ${poolSql(event, '')} and (pool.capacity - pool.booked) * ${part} < pool.capacity)`;

/**
 * SQL: locks events, then the series whose places they share, each in the order of their ids: the order of all transactions. All events
 * are locked before the first series, because the series wait for them (`array`).
 * @param condition on `event`
 * @param column what it returns for each event
 */
export const lockEventsSql = (condition: string, column = 'id'): string => `with
  locked as (select id, series_id from event where ${condition} order by id for no key update),
  pools as (select id from event_series where id = any(array(select series_id from locked)) and capacity is not null
    order by id for no key update)
  select ${column}, (select count(*) from pools) as pools from locked`;
