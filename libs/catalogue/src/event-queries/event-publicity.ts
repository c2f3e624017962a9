/**
 * SQL condition: staff cancelled the event. It is then unpublished but stays visible on pages and agendas, so that people learn of the
 * cancellation.
 * @param event its alias in the statement
 * @param schema prefix of table names, `{tenant}.` in qualified statements
 */
export function cancelledEventSql(event: string, schema = ''): string {
  return `(not ${event}.published and exists (select 1 from ${schema}event_cancellation c where c.event_id = ${event}.id))`;
}

/** SQL condition: the event has no date, so nothing is sold for it on public pages. @param event its alias in the statement */
export function isPostponedSql(event: string): string {
  return `(${event}.alteration is not distinct from 'postponed')`;
}

/** SQL condition: everybody may see the event, because it is or was published and is not private. Parameters as `cancelledEventSql`. */
export function publicEventSql(event: string, schema = ''): string {
  return `(${event}.published or ${cancelledEventSql(event, schema)}) and not ${event}.is_private`;
}
