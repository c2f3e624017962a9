import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { doorSql } from '../statements/scan-statement.js';

/** The most conflicts that a device gets. */
const mostConflicts = 50;

const entry = (which: 'first' | 'later'): string => `json_build_object(
        'device_name', (select d.name from {tenant}.scanning_device d where d.id = c.${which}_device_id),
        'gate', (select g.name from {tenant}.gate g where g.id = c.${which}_gate_id),
        'at', ${utcSql(`c.${which}_at`)}, 'error_ms', c.${which}_error_ms)`;

/**
 * What the list of an event has for one device alone: the last double entries and tickets for other events that concern it, the newest
 * first.
 *
 * $1 event · $2 device · $3 key. No row: the key is not (or no longer) valid. `ticket`: the id, of which the device gets the hash.
 */
export const ownStatement: PreparedStatement = {
  name: 'pack_own',
  text: `
with ${doorSql}, concerning as (
    select c.* from {tenant}.scan_conflict c
    where c.event_id = $1::uuid and (c.first_device_id = $2 or c.later_device_id = $2)
    order by c.found_at desc, c.id limit ${mostConflicts}
  ), mine as (
    select c.*, t.reservation_id, e.name as event_name, e.starts_at
    from concerning c left join {tenant}.ticket t on t.id = c.ticket_id left join {tenant}.event e on e.id = t.event_id
  )
select d.may_search_tickets as "maySearch",
  (select coalesce(json_agg(json_build_object('id', c.id, 'ticket', c.ticket_id,
      'reference', upper(left(c.reservation_id::text, 8)), 'kind', c.kind,
      'event', json_build_object('name', c.event_name, 'start', ${utcSql('c.starts_at')}),
      'first', ${entry('first')}, 'later', ${entry('later')},
      'decision', c.decision) order by c.found_at desc, c.id), '[]') from mine c) as conflicts
from door join {tenant}.scanning_device d on d.id = door.id`,
};
