import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import { reentrySql, renewedSql } from './entry-rule-sql.js';
import { doorFacts, groupNames, hereSql, passesSql } from './gate-sql.js';
import {
  doorSql,
  eventFacts,
  loggedFacts,
  priorSql,
  refusedAdmissionSql,
  reservationFacts,
  ticketColumns,
  ticketFacts,
  ticketJoins,
} from './scan-statement.js';

const statusAfter = "case when exists (select 1 from claimed c where c.id = j.id) then 'S' else j.status end";

/** SQL: facts about a moved ticket for its webhook. */
const movedFacts = `json_build_object('outcome', 'accepted', 'language', $10::json ->> 'language', 'timeZone', $10::json ->> 'timeZone',
        'requestId', $10::json ->> 'requestId', 'ticket', ${ticketFacts('w', "'S'", 'w.scanned_by', 'w.scanned_by_name', 'w.scanned_at')},
        'event', ${eventFacts('w')}, 'reservation', ${reservationFacts('w')})`;

/**
 * Moves several tickets of the reservation of a code at once: all that the device asks for, or none. The code's own ticket goes first, then
 * the others in their order; tickets that were given to somebody else stay out.
 *
 * $1 to $14 as in `attemptStatement` with a gate, $6 (attempt id) is never null · $15 number of tickets. Each moved ticket has its row in
 * the log; the first has the attempt id and the facts, the others the MD5 of attempt id and ticket id as their ids.
 *
 * The tickets are locked before they are counted, in the order of their ids, so that of simultaneous requests none counts a ticket that
 * another one moves. No row, `unknown` and null facts mean the same as in `attemptStatement`.
 */
export const groupStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'attempt_group',
  text: `
with ${priorSql('$6', '$7', '$4')}, ${doorSql}, ${hereSql('$13')}, found as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id = $1::uuid and $9::text is null
  ), member as materialized (
    select t.id, t.status, t.left_at, t.position, t.event_id, t.price_id, p.product_id, ${reentrySql('e', 'p')} as reentry,
      ${renewedSql('t', 'p', "$10::json ->> 'timeZone'")} as renewed
    from {tenant}.ticket t join {tenant}.price p on p.id = t.price_id join {tenant}.event e on e.id = t.event_id
    where t.reservation_id = (select reservation_id from found) and t.event_id = (select event_id from found) and t.admission
      and t.status in ('K', 'S') and (t.id = $1::uuid or t.holder_key is null)
      and exists (select 1 from door) and not exists (select 1 from prior)
    order by t.id for no key update of t
  ), fit as (
    select m.*, case when $14 = 'exit' then 'left' when m.status = 'K' then 'accepted' else 'readmitted' end as outcome
    from member m cross join found
    where case when $14 = 'exit' then m.status = 'S' and m.left_at is null
      else (m.status = 'K' or m.renewed or m.left_at is not null and m.reentry) and not exists (
        select 1 from here where not ${passesSql('here', 'm')}) end
  ), chosen as (
    select f.*, row_number() over (order by f.id = $1::uuid desc, f.position, f.id) = 1 as leads
    from fit f order by f.id = $1::uuid desc, f.position, f.id limit $15::int
  ), judged as (
    select found.*, (select count(*)::int from fit) as available, case
      when $9::text is not null then $9::text
      when $13::uuid is not null and not exists (select 1 from here) then 'unknown_gate'
      ${refusedAdmissionSql}
      when $14 <> 'exit' and now() < found.opens_at then 'too_early'
      when $14 <> 'exit' and now() > found.closes_at then 'too_late'
      when $14 <> 'exit' and exists (select 1 from here where not ${passesSql('here', 'found')}) then 'wrong_gate'
      when (select count(*) from chosen) < $15::int then 'not_enough'
      when $14 = 'exit' then 'left'
      else 'accepted' end as verdict
    from door left join found on true
    where not exists (select 1 from prior)
  ), claimed as (
    update {tenant}.ticket t set status = 'S', gate_id = $13::uuid, sequence = t.sequence + 1,
      scanned_at = case c.outcome when 'left' then t.scanned_at else (select now()) end,
      scanned_by = case c.outcome when 'left' then t.scanned_by else $2 end,
      left_at = case c.outcome when 'left' then (select now()) end
    from chosen c cross join judged j where t.id = c.id and j.verdict in ('accepted', 'left') and t.admission and $4 = 'scan'
    returning t.id, t.sequence, t.seat, c.outcome, c.leads
  ), answered as (
    select j.verdict, j.id as ticket_id, j.event_id, json_build_object(
      'outcome', j.verdict, 'language', $10::json ->> 'language', 'timeZone', $10::json ->> 'timeZone',
      'requestId', $10::json ->> 'requestId',
      'ticket', ${ticketFacts('j', statusAfter, 'j.scanned_by', 'j.scanned_by_name', 'j.scanned_at')},
      'event', ${eventFacts('j')},
      'reservation', ${reservationFacts('j')},
      'door', ${doorFacts(
        'j',
        '(select c.outcome from claimed c where c.id = o.id)',
        '$14',
        `, 'available', j.available, 'moved', (select coalesce(json_agg(c.id order by c.leads desc, c.id), '[]') from claimed c)`,
      )}) as facts
    from judged j where j.verdict <> 'unknown'
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, scan_id, device_time, request_hash, facts, gate_id,
      direction, ticket_sequence)
    select $4, coalesce(c.outcome, a.verdict), $2, coalesce(c.id, a.ticket_id), a.event_id,
      case when coalesce(c.leads, true) then $6::uuid else md5($6::text || c.id::text)::uuid end, $8::timestamptz,
      case when coalesce(c.leads, true) then $7::bytea end, case when coalesce(c.leads, true) then ${loggedFacts('$6')} end,
      $13::uuid, $14::text, c.sequence
    from answered a left join claimed c on true
  ), moved as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id in (select id from claimed where outcome = 'accepted')
  ), happened as (
    select c.id as subject_id, c.sequence, json_build_object('facts', ${movedFacts}, 'seat', c.seat, 'at', ${utcSql('now()')},
      'deviceId', d.id, 'deviceName', d.name) as facts
    from claimed c join moved w on w.id = c.id cross join door d
  ), told as (
    ${outboxInsert('ticket.scanned', 'happened', '$11')}
  )
select coalesce(prior.facts, answered.facts) as facts, prior.holder, prior.facts is not null as replayed,
  coalesce(prior.same, true) as same, exists (select 1 from judged where verdict = 'unknown') as unknown,
  ${groupNames("coalesce(prior.facts, answered.facts) -> 'reservation' ->> 'uuid'")} as names
from door left join prior on true left join answered on true`,
});
