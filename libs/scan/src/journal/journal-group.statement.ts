import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import {
  knownDoorSql,
  eventFacts,
  loggedFacts,
  notActiveSql,
  reservationFacts,
  ticketColumns,
  ticketFacts,
  ticketJoins,
} from '../statements/scan-statement.js';

const statusAfter = "case when exists (select 1 from claimed c where c.id = a.id) then 'S' else a.status end";
const language = `'language', $19::json ->> 'language', 'timeZone', $19::json ->> 'timeZone', 'requestId', $19::json ->> 'requestId'`;
/** SQL: the attempt id of a ticket that moved together with others, as in `groupStatement`. */
const attemptId = 'case when c.leads then $4::uuid else md5($4::text || c.id::text)::uuid end';

/**
 * Records a line of a journal with which several people of a reservation came in or went out under one code: $1 to $20 as in
 * `journalStatement` · $21 number of tickets. Nothing that happened is rejected: tickets that may move do, that of the code first, then
 * the others in their order. For people beyond these, tickets that came in elsewhere stand in the ledger, each once.
 *
 * Each ticket has its row in the log: the first one, which moves if any does, has the attempt id, the others ids made from it. Tickets are
 * locked in the order of their ids and compared with what the rest of the statement reads; when one moved meanwhile, `result` is null and
 * the statement is run again.
 */
export const journalGroupStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'journal_group',
  text: `
with ${knownDoorSql}, prior as (
    select l.result, l.line_hash = $7::bytea as same from {tenant}.scan_line l where l.device_id = $2 and l.scan_id = $4::uuid
  ), online as (
    select l.outcome from {tenant}.scan_log l where l.device_id = $2 and l.action = 'scan' and l.scan_id = $4::uuid
  ), moment as (
    select least($15::timestamptz, now()) as at
  ), found as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id = $1::uuid and $17::text is null
  ), seen as (
    select t.id, t.sequence from {tenant}.ticket t where t.reservation_id = (select reservation_id from found)
  ), member as materialized (
    select t.id, t.status, t.left_at, t.position, t.sequence from {tenant}.ticket t
    where t.reservation_id = (select reservation_id from found) and t.event_id = (select event_id from found) and t.admission
      and t.status in ('K', 'S') and (t.id = $1::uuid or t.holder_key is null) and $11 = 'admitted'
      and exists (select 1 from door) and not exists (select 1 from prior) and not exists (select 1 from online)
    order by t.id for no key update of t
  ), fit as (
    select m.id, m.position, case
        when $10 = 'exit' then case when m.status = 'S' and m.left_at is null then 'left' end
        when m.status = 'K' then 'accepted'
        when m.left_at is not null and found.reentry then 'readmitted'
        else 'double_entry' end as outcome
    from member m cross join found
  ), chosen as (
    select f.*, row_number() over (order by f.outcome = 'double_entry', f.id = $1::uuid desc, f.position, f.id) = 1 as leads
    from fit f where f.outcome is not null
    order by f.outcome = 'double_entry', f.id = $1::uuid desc, f.position, f.id limit $21::int
  ), judged as (
    select found.*, moment.at, exists (
        select 1 from member m join seen s on s.id = m.id where s.sequence <> m.sequence) as again, case
      when exists (select 1 from online) then 'replayed'
      when $17::text is not null then $17::text
      when found.id is null then 'unknown'
      when $11 <> 'admitted' then 'seen'
      when found.code_version <> $18::int then 'revoked'
      when not found.admission then 'not_admission'
      when found.status = 'R' or found.reservation_status = 'C' then 'was_cancelled'
      ${notActiveSql}
      when not exists (select 1 from chosen) then 'not_inside'
      when (select c.outcome from chosen c where c.leads) = 'double_entry' then 'double_entry'
      when $10 = 'exit' then 'left'
      else 'accepted' end as verdict
    from door cross join moment left join found on true
    where not exists (select 1 from prior)
  ), acting as (
    select c.*, ${attemptId} as scan_id from chosen c cross join judged j
    where j.verdict in ('accepted', 'left', 'double_entry') and not j.again
  ), claimed as (
    update {tenant}.ticket t set status = 'S', gate_id = $9::uuid, sequence = t.sequence + 1,
      scanned_at = case c.outcome when 'left' then t.scanned_at else j.at end,
      scanned_by = case c.outcome when 'left' then t.scanned_by else $2 end,
      left_at = case c.outcome when 'left' then j.at end
    from acting c cross join judged j where t.id = c.id and c.outcome <> 'double_entry'
    returning t.id, t.sequence, t.seat, c.outcome
  ), double as (
    select c.*, entry.*, j.at as line_at, entry.at > j.at as is_first
    from acting c cross join judged j cross join lateral (
      select l.device_id as entry_device, l.gate_id as entry_gate, coalesce(k.happened_at, l.recorded_at) as at,
        coalesce(k.clock_error_ms, 0) as error_ms, l.scan_id as entry_scan
      from {tenant}.scan_log l left join {tenant}.scan_line k on k.device_id = l.device_id and k.scan_id = l.scan_id
      where l.ticket_id = c.id and l.action = 'scan' and l.outcome in ('accepted', 'readmitted')
        and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id)
      order by l.ticket_sequence desc nulls last, l.recorded_at desc, l.id desc limit 1) entry
    where c.outcome = 'double_entry'
  ), shown_double as (
    select d.* from double d order by d.leads desc, d.position, d.id limit 1
  ), decided as (
    select j.*, case
        when j.verdict in ('accepted', 'left', 'seen') then 'applied'
        when j.verdict in ('replayed', 'was_cancelled') then j.verdict
        when j.verdict = 'double_entry' then case when (select is_first from shown_double) then 'applied' else 'duplicate_of' end
        else 'refused' end as state, (select count(*) from acting) as moving,
      (select coalesce(json_agg(c.id order by c.leads desc, c.id), '[]') from acting c where c.outcome <> 'double_entry') as moved
    from judged j where not j.again
  ), answered as (
    select d.*, json_build_object('scan_id', $4::uuid, 'sequence', $5::bigint, 'state', d.state,
      'reason', case when d.state = 'refused' then d.verdict when exists (select 1 from acting c where c.outcome = 'double_entry')
          then 'double_entry' when d.verdict in ('accepted', 'left') and d.moving < $21::int then 'not_enough' end,
      'outcome', (select outcome from online), 'happenedAt', ${utcSql('d.at')}, 'moved', d.moved,
      'other', (select json_build_object('device', x.entry_device,
        'deviceName', (select s.name from {tenant}.scanning_device s where s.id = x.entry_device), 'gate', x.entry_gate,
        'gateName', (select g.name from {tenant}.gate g where g.id = x.entry_gate), 'scanId', x.entry_scan,
        'at', ${utcSql('x.at')}, 'errorMs', x.error_ms) from shown_double x)) as result
    from decided d
  ), explained as (
    select a.*, json_build_object('outcome', case a.verdict when 'double_entry' then 'already_scanned' when 'was_cancelled' then 'cancelled'
          when 'membership' then 'malformed' else a.verdict end, ${language}, 'moved', a.moved,
        'ticket', ${ticketFacts('a', statusAfter, 'a.scanned_by', 'a.scanned_by_name', 'a.scanned_at')},
        'event', ${eventFacts('a')}, 'reservation', ${reservationFacts('a')}) as facts
    from answered a
  ), kept as (
    insert into {tenant}.scan_line (device_id, scan_id, sequence, line, line_hash, chained, ticket_id, event_id, gate_id, direction,
      verdict, mode, position, device_time, happened_at, clock_error_ms, state, result)
    select $2, $4::uuid, $5::bigint, $6::text, $7::bytea,
      (select p.line_hash is not distinct from $8::bytea from {tenant}.scan_line p where p.device_id = $2 and p.sequence = $5::bigint - 1
        order by p.recorded_at desc, p.id desc limit 1),
      a.id, a.event_id, $9::uuid, $10::text, $11::text, $12::text, $13::text, $14::timestamptz, a.at, $16::int, a.state, a.result
    from answered a
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, scan_id, device_time, gate_id, direction,
      ticket_sequence, facts)
    select 'scan', coalesce(c.outcome, a.verdict), $2, coalesce(c.id, a.id), a.event_id, coalesce(c.scan_id, $4::uuid), $14::timestamptz,
      $9::uuid, $10::text, (select x.sequence from claimed x where x.id = c.id),
      case when coalesce(c.leads, true) then ${loggedFacts('$4')} end
    from explained a left join acting c on true where a.verdict not in ('replayed', 'seen')
  ), ledger as (
    insert into {tenant}.scan_conflict (ticket_id, event_id, line_device_id, line_scan_id, first_device_id, first_gate_id, first_at,
      first_error_ms, later_device_id, later_gate_id, later_at, later_error_ms)
    select x.id, a.event_id, $2, x.scan_id,
      case when x.is_first then $2 else x.entry_device end, case when x.is_first then $9::uuid else x.entry_gate end,
      least(x.line_at, x.at), case when x.is_first then $16::int else x.error_ms end,
      case when x.is_first then x.entry_device else $2 end, case when x.is_first then x.entry_gate else $9::uuid end,
      greatest(x.line_at, x.at), case when x.is_first then x.error_ms else $16::int end
    from double x cross join answered a
  ), entered as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id in (select id from claimed where outcome = 'accepted')
  ), happened as (
    select c.id as subject_id, c.sequence, json_build_object('facts', json_build_object('outcome', 'accepted', ${language},
        'ticket', ${ticketFacts('w', "'S'", 'd.id', 'd.name', 'a.at')}, 'event', ${eventFacts('w')},
        'reservation', ${reservationFacts('w')}),
      'seat', c.seat, 'at', ${utcSql('a.at')}, 'deviceId', d.id, 'deviceName', d.name) as facts
    from claimed c join entered w on w.id = c.id cross join answered a cross join door d
  ), told as (
    ${outboxInsert('ticket.scanned', 'happened', '$20')}
  )
select coalesce(prior.result, answered.result) as result, coalesce(prior.same, true) as same
from door left join prior on true left join answered on true`,
});
