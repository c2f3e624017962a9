import { eventEndSql, type AssumedDuration } from '#catalogue';
import type { PreparedStatement } from '#tenancy';
import { doorSql, windowEndSql } from '../statements/scan-statement.js';

/**
 * The ticket that a printed reference names: the beginning of the UUID of its reservation or of the ticket. Tickets of the event at this
 * door count first, then those of running and coming events, so that a scan can say for which event they are. Of a reservation, the ticket
 * that can move in the direction comes first, and tickets that were given to somebody else come after those of the buyer.
 *
 * $1 event · $2 device · $3 key · $4 and $5 the first and the last UUID that begin with the reference · $6 direction (entry or exit).
 *
 * No row: the key is not (or no longer) valid. What was not found is a row of the scan log, like an unknown code. Raw SQL: one prepared
 * statement checks the key, looks and logs.
 */
export const referenceStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'reference',
  text: `
with ${doorSql}, named as (
    select t.id from {tenant}.ticket t where t.reservation_id between $4::uuid and $5::uuid
    union select t.id from {tenant}.ticket t where t.id between $4::uuid and $5::uuid
  ), candidate as (
    select t.id, t.signing_key_id, t.code_version, t.reservation_id, t.event_id = $1::uuid as here, t.admission,
      t.holder_key is null as own, t.position,
      case when t.status = 'S' and t.left_at is null then case when $6::text = 'exit' then 0 else 3 end
        when t.status = 'K' then 1 when t.status = 'S' then 2 when t.status = 'R' then 5 else 4 end as turn
    from named n join {tenant}.ticket t on t.id = n.id join {tenant}.event e on e.id = t.event_id
    where exists (select 1 from door where role <> 'kiosk') and (t.event_id = $1::uuid
      or e.published and greatest(${eventEndSql('e', assumed)}, ${windowEndSql(assumed)}) >= now())
  ), near as (
    select c.* from candidate c where c.here = (select bool_or(x.here) from candidate x)
  ), found as (
    select n.* from near n where (select count(distinct x.reservation_id) from near x) = 1
    order by n.admission desc, n.own desc, n.turn, n.position, n.id limit 1
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id)
    select 'check', 'unknown', door.id from door where door.role <> 'kiosk' and not exists (select 1 from near)
  )
select door.role <> 'kiosk' as permitted, door.role = 'scan' as "getsCode", exists (select 1 from near) as known,
  f.id as "ticketId", f.signing_key_id as "signingKeyId", f.code_version as "codeVersion"
from door left join found f on true`,
});
