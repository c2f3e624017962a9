/** What a device got, with names of guests: outcomes of the action `download` in the scan log. */
export const downloads = ['names_file', 'ticket_list', 'ticket_search'] as const;
export type Download = (typeof downloads)[number];

/**
 * SQL: a row of the scan log, where staff see who got names of guests. For statements with `event`, a row of which says that the device may
 * have them. @param what SQL of the kind
 */
export const downloadSql = (what: string): string => `downloaded as (
    insert into {tenant}.scan_log (action, outcome, device_id, event_id) select 'download', ${what}, $2, event.id from event
  )`;
