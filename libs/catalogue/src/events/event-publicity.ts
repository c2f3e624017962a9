/**
 * SQL of the condition that staff cancelled an event. It is unpublished then, and stays on pages and agendas: who comes back to them must learn
 * of it.
 * @param event its alias in the statement
 * @param schema before the names of tables, `{tenant}.` in qualified statements
 */
export function cancelledEventSql(event: string, schema = ''): string {
  return `(not ${event}.published and exists (select 1 from ${schema}event_cancellation c where c.event_id = ${event}.id))`;
}

/** SQL of the condition that everybody may see an event: it is or was announced, and is not private. Parameters as `cancelledEventSql`. */
export function publicEventSql(event: string, schema = ''): string {
  return `(${event}.published or ${cancelledEventSql(event, schema)}) and not ${event}.is_private`;
}
