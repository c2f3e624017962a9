import type { PreparedStatement } from '#tenancy';
import { doorSql } from '../statements/scan-statement.js';
import { downloadSql } from '../lists/downloads.js';
import { nameSql } from '../lists/ticket-list.statement.js';
import { packStateSql, writtenBy } from '../pack-data/pack.statement.js';
import { positionSql } from '../status/status.statement.js';

/**
 * Names of tickets, to be sealed. $1 event · $2 as in `packStatement`. One text, a line of JSON for each ticket, so that it is parsed in
 * slices: id, key, number of transfers, first name, last name.
 */
export const holdersStatement: PreparedStatement = {
  name: 'pack_holders',
  text: `
with m as (
    select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax
  )
select coalesce(string_agg(json_build_array(t.id, t.signing_key_id, t.code_version, ${nameSql('first')}, ${nameSql('last')})::text,
    E'\\n'), '') as lines
from m cross join {tenant}.ticket t join {tenant}.reservation r on r.id = t.reservation_id and r.event_id = $1::uuid
where t.event_id = $1::uuid and not r.is_draft and ($2::bigint is null
  or ${writtenBy('t')} >= $2::bigint
  or ${writtenBy('r')} >= $2::bigint)`,
};

/**
 * All tickets of an event with names and addresses, for a device that may search them. $1 event · $2 device · $3 key. No row: the key is
 * not (or no longer) valid. One text, a line of JSON for each ticket: id, first name, last name, address, reference, price, state.
 */
export const namesStatement: PreparedStatement = {
  name: 'pack_names',
  text: `
with ${doorSql}, event as (
    select e.id from {tenant}.event e
    where e.id = $1::uuid and exists (select 1 from door join {tenant}.scanning_device d on d.id = door.id and d.may_search_tickets)
  ), guest as (
    select json_build_array(t.id, ${nameSql('first')}, ${nameSql('last')},
      coalesce(t.holder_email, r.email), upper(left(r.id::text, 8)), p.name, ${packStateSql})::text as line, t.id
    from event join {tenant}.ticket t on t.event_id = event.id
    join {tenant}.reservation r on r.id = t.reservation_id and r.event_id = event.id
    join {tenant}.price p on p.id = t.price_id
    where not r.is_draft
  )
select (select d.may_search_tickets from {tenant}.scanning_device d where d.id = door.id) as "maySearch",
  exists (select 1 from event) as "hasEvent", ${positionSql} as position,
  (select coalesce(string_agg(g.line, E'\\n' order by g.id), '') from guest g) as lines
from door`,
};

/** Writes into the scan log that a device got the names of an event. $1 event · $2 device. */
export const namesDownloadStatement: PreparedStatement = {
  name: 'names_download',
  text: `
with event as (select e.id from {tenant}.event e where e.id = $1::uuid), ${downloadSql("'names_file'")}
select 1 as written from event`,
};
