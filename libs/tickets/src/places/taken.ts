/** SQL: whether a reservation is an expired hold that the counters still include. */
export const lapsedSql = `reservation.status in ('R', 'U', 'F') and reservation.expires_at <= statement_timestamp()
  and reservation.released_at is null`;
/** SQL: whether a reservation is a hold of buyers on the pages who neither paid nor confirmed. The counters include it. */
export const heldSql = `reservation.network is not null and reservation.status in ('R', 'U', 'F') and reservation.released_at is null`;

/**
 * SQL: number of tickets of holds that the counters include. With expired ones, add it to what is left: their places are free at once,
 * whether or not a job has run.
 * @param condition SQL condition on `ticket`
 * @param holds SQL condition on `reservation`
 * @param prefix precedes the table names; `{tenant}.` in the prepared statements for scanning
 */
export function heldTickets(condition: string, holds: string, prefix: string): string {
  return `(select count(*)::int from ${prefix}ticket join ${prefix}reservation on reservation.id = ticket.reservation_id
    where ${condition} and ticket.status <> 'R' and ${holds})`;
}

/** SQL: number of taken places of an event. @param event alias of its row @param holds that do not count, as for `heldTickets` */
export function takenSeatsSql(event: string, prefix = '', holds = lapsedSql): string {
  return `(${event}.booked - ${heldTickets(`ticket.event_id = ${event}.id and ticket.admission`, holds, prefix)})`;
}
