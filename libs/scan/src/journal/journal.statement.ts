import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import {
  eventFacts,
  knownDoorSql,
  loggedFacts,
  notActiveSql,
  reservationFacts,
  ticketColumns,
  ticketFacts,
  ticketJoins,
} from '../statements/scan-statement.js';

const statusAfter = "case when d.verdict in ('accepted', 'readmitted', 'left') then 'S' else d.status end";

/**
 * Records one line of a device's journal, and moves its ticket when the device let somebody in or out.
 *
 * $1 ticket or null · $2 device · $3 key · $4 attempt id · $5 sequence · $6 the line · $7 its hash · $8 hash of the line before or null ·
 * $9 gate or null · $10 direction · $11 verdict · $12 mode · $13 position or null · $14 device time · $15 corrected time · $16 clock error
 * in milliseconds · $17 fault of the code or null · $18 number of transfers in the code or null · $19 language, time zone and request id as
 * JSON · $20 tenant.
 *
 * No row: the key is not (or no longer) valid. Null `result`: a concurrent request moved the ticket first, or answers this line; run the
 * statement again. The line is kept in every other case. The log gets facts, so that the attempt itself is answered like a repeat when it
 * arrives after its line. One statement a line, so that no lock is held longer than for a scan.
 */
export const journalStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'journal_line',
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
  ), entry as (
    select l.device_id, l.gate_id, coalesce(k.happened_at, l.recorded_at) as at, coalesce(k.clock_error_ms, 0) as error_ms, l.scan_id
    from {tenant}.scan_log l left join {tenant}.scan_line k on k.device_id = l.device_id and k.scan_id = l.scan_id
    where l.ticket_id = $1::uuid and l.action = 'scan' and l.outcome in ('accepted', 'readmitted')
      and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id)
    order by l.ticket_sequence desc nulls last, l.recorded_at desc, l.id desc limit 1
  ), judged as (
    select found.*, moment.at, case
      when exists (select 1 from online) then 'replayed'
      when $17::text is not null then $17::text
      when found.id is null then 'unknown'
      when $11 <> 'admitted' then 'seen'
      when found.code_version <> $18::int then 'revoked'
      when not found.admission then 'not_admission'
      when found.status = 'R' or found.reservation_status = 'C' then 'was_cancelled'
      ${notActiveSql}
      when $10 = 'exit' then case when found.status = 'S' and found.left_at is null then 'left' else 'not_inside' end
      when found.status = 'K' then 'accepted'
      when found.left_at is not null and found.reentry then 'readmitted'
      else 'double_entry' end as verdict
    from door cross join moment left join found on true
    where not exists (select 1 from prior)
  ), claimed as (
    update {tenant}.ticket t set status = 'S', gate_id = $9::uuid, sequence = t.sequence + 1,
      scanned_at = case j.verdict when 'left' then t.scanned_at else j.at end,
      scanned_by = case j.verdict when 'left' then t.scanned_by else $2 end,
      left_at = case j.verdict when 'left' then j.at end
    from judged j where t.id = j.id and t.admission and case j.verdict
      when 'accepted' then t.status = 'K'
      when 'readmitted' then t.status = 'S' and t.left_at is not null
      when 'left' then t.status = 'S' and t.left_at is null end
    returning t.id, t.sequence, t.seat
  ), decided as (
    select j.*, case
      when j.verdict in ('accepted', 'readmitted', 'left', 'seen') then 'applied'
      when j.verdict in ('replayed', 'was_cancelled') then j.verdict
      when j.verdict = 'double_entry' then case when entry.at > j.at then 'applied' else 'duplicate_of' end
      else 'refused' end as state, entry.at as entry_at, entry.device_id as entry_device, entry.gate_id as entry_gate,
      entry.error_ms as entry_error, entry.scan_id as entry_scan
    from judged j left join entry on j.verdict = 'double_entry'
    where j.verdict not in ('accepted', 'readmitted', 'left') or exists (select 1 from claimed)
  ), answered as (
    select d.*, json_build_object('scan_id', $4::uuid, 'sequence', $5::bigint, 'state', d.state,
      'reason', case when d.state = 'refused' or d.verdict = 'double_entry' then d.verdict end,
      'outcome', (select outcome from online), 'happenedAt', ${utcSql('d.at')},
      'other', case when d.verdict = 'double_entry' then json_build_object('device', d.entry_device,
        'deviceName', (select s.name from {tenant}.scanning_device s where s.id = d.entry_device), 'gate', d.entry_gate,
        'gateName', (select g.name from {tenant}.gate g where g.id = d.entry_gate), 'scanId', d.entry_scan,
        'at', ${utcSql('d.entry_at')}, 'errorMs', d.entry_error) end) as result,
      json_build_object('outcome', case d.verdict when 'double_entry' then 'already_scanned' when 'was_cancelled' then 'cancelled'
          when 'membership' then 'malformed' else d.verdict end,
        'language', $19::json ->> 'language', 'timeZone', $19::json ->> 'timeZone', 'requestId', $19::json ->> 'requestId',
        'ticket', ${ticketFacts('d', statusAfter, 'd.scanned_by', 'd.scanned_by_name', 'd.scanned_at')},
        'event', ${eventFacts('d')}, 'reservation', ${reservationFacts('d')}) as facts
    from decided d
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
    select 'scan', a.verdict, $2, a.id, a.event_id, $4::uuid, $14::timestamptz, $9::uuid, $10::text, (select sequence from claimed),
      ${loggedFacts('$4')}
    from answered a where a.verdict not in ('replayed', 'seen')
  ), ledger as (
    insert into {tenant}.scan_conflict (ticket_id, event_id, line_device_id, line_scan_id, first_device_id, first_gate_id, first_at,
      first_error_ms, later_device_id, later_gate_id, later_at, later_error_ms)
    select a.id, a.event_id, $2, $4::uuid,
      case when a.state = 'applied' then $2 else a.entry_device end, case when a.state = 'applied' then $9::uuid else a.entry_gate end,
      least(a.at, a.entry_at), case when a.state = 'applied' then $16::int else a.entry_error end,
      case when a.state = 'applied' then a.entry_device else $2 end, case when a.state = 'applied' then a.entry_gate else $9::uuid end,
      greatest(a.at, a.entry_at), case when a.state = 'applied' then a.entry_error else $16::int end
    from answered a where a.verdict = 'double_entry' and a.entry_at is not null
  ), happened as (
    select c.id as subject_id, c.sequence, json_build_object('facts', a.facts, 'seat', c.seat, 'at', ${utcSql('a.at')},
      'deviceId', d.id, 'deviceName', d.name) as facts
    from claimed c join answered a on a.id = c.id and a.verdict = 'accepted' cross join door d
  ), told as (
    ${outboxInsert('ticket.scanned', 'happened', '$20')}
  )
select coalesce(prior.result, answered.result) as result, coalesce(prior.same, true) as same
from door left join prior on true left join answered on true`,
});
