import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import { eventFacts, knownDoorSql, loggedFacts, reservationFacts, ticketFacts } from '../statements/scan-statement.js';
import {
  attemptOutcomeSql,
  cancelledSql,
  conflictSql,
  goesOutSql,
  keptLineSql,
  lastEntrySql,
  lineReadsSql,
  lineWordingSql,
  otherEntrySql,
  ownEventSql,
  secondEntrySql,
  unmovedLineSql,
  wayOutSql,
  wrongEventSql,
} from './journal-sql.js';

const statusAfter = "case when d.verdict in ('accepted', 'readmitted', 'left') then 'S' else d.status end";

/**
 * Records one line of a device's journal, and moves its ticket when the device let somebody in or out.
 *
 * $1 ticket or null · $2 device · $3 key · $4 attempt id · $5 sequence · $6 the line · $7 its hash · $8 hash of the line before or null ·
 * $9 gate or null · $10 direction · $11 verdict · $12 mode · $13 position or null · $14 device time · $15 corrected time · $16 clock error
 * in milliseconds · $17 fault of the code or null · $18 number of transfers in the code or null · $19 language, time zone and request id as
 * JSON · $20 tenant · $21 event of the door or null.
 *
 * No row: the key is not (or no longer) valid. Null `result`: a concurrent request moved the ticket first, or answers this line; run the
 * statement again. The line is kept in every other case. The log gets facts, so that the attempt itself is answered like a repeat when it
 * arrives after its line. One statement a line, so that no lock is held longer than for a scan.
 *
 * An exit that is refused as `not_inside` changes the sequence of its ticket, and every movement compares that: of an entry and an exit
 * that arrive at once, the second one knows of the first.
 */
export const journalStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'journal_line',
  text: `
with ${knownDoorSql}, ${lineReadsSql(assumed)}, entry as (${lastEntrySql('$1::uuid')}
  ), judged as (
    select found.*, moment.at, case
      ${unmovedLineSql}
      when $10 = 'exit' then case when ${goesOutSql('found', 'moment.at')} then 'left' else 'not_inside' end
      when found.status = 'K' then 'accepted'
      ${secondEntrySql('found')}
      else 'double_entry' end as verdict
    from door cross join moment left join found on true
    where not exists (select 1 from prior)
  ), way_out as (
    select w.* from (select j.*, j.verdict as outcome from judged j) e cross join lateral (${wayOutSql('e', 'e.id')}) w
  ), noticed as (
    update {tenant}.ticket t set sequence = t.sequence + 1
    from judged j where t.id = j.id and j.verdict = 'not_inside' and t.sequence = j.sequence
    returning t.id
  ), claimed as (
    update {tenant}.ticket t set status = 'S', sequence = t.sequence + case when exists (select 1 from way_out) then 2 else 1 end,
      gate_id = case when exists (select 1 from way_out) then (select gate_id from way_out) else $9::uuid end,
      scanned_at = case j.verdict when 'left' then t.scanned_at else j.at end,
      scanned_by = case j.verdict when 'left' then t.scanned_by else $2 end,
      left_at = case j.verdict when 'left' then j.at else (select at from way_out) end
    from judged j where t.id = j.id and t.admission and t.sequence = j.sequence and case j.verdict
      when 'accepted' then t.status = 'K'
      when 'readmitted' then t.status = 'S' and (t.left_at is not null or j.renewed)
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
    where j.verdict not in ('accepted', 'readmitted', 'left', 'not_inside') or exists (select 1 from claimed)
      or exists (select 1 from noticed)
  ), answered as (
    select d.*, json_build_object('scan_id', $4::uuid, 'sequence', $5::bigint, 'state', d.state,
      'reason', case when d.state = 'refused' or d.verdict = 'double_entry' then d.verdict end,
      'outcome', (select outcome from online), 'happenedAt', ${utcSql('d.at')}, ${cancelledSql('d')}, ${ownEventSql('d')},
      'other', case when d.verdict = 'double_entry' then ${otherEntrySql('d')} end) as result,
      json_build_object('outcome', ${attemptOutcomeSql('d')},
        ${lineWordingSql},
        'ticket', ${ticketFacts('d', statusAfter, 'd.scanned_by', 'd.scanned_by_name', 'd.scanned_at')},
        'event', ${eventFacts('d')}, 'reservation', ${reservationFacts('d')}) as facts
    from decided d
  ), ${keptLineSql('answered')}, logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, scan_id, device_time, gate_id, direction,
      ticket_sequence, facts)
    select 'scan', a.verdict, $2, a.id, a.event_id, $4::uuid, $14::timestamptz, $9::uuid, $10::text,
      (select c.sequence from claimed c) - (select count(*)::int from way_out), ${loggedFacts('$4')}
    from answered a where a.verdict not in ('replayed', 'seen')
    union all
    select 'scan', 'left', w.device_id, c.id, a.event_id, w.scan_id, null, w.gate_id, 'exit', c.sequence, null
    from claimed c join answered a on a.id = c.id cross join way_out w
  ), ledger as (${conflictSql('a.id', 'a.event_id', '$4::uuid', 'a.at', 'a', "a.state = 'applied'")}
    from answered a where a.verdict = 'double_entry' and a.entry_at is not null
  ), ${wrongEventSql('answered')}, happened as (
    select c.id as subject_id, c.sequence, json_build_object('facts', a.facts, 'seat', c.seat, 'at', ${utcSql('a.at')},
      'deviceId', d.id, 'deviceName', d.name) as facts
    from claimed c join answered a on a.id = c.id and a.verdict = 'accepted' cross join door d
  ), told as (
    ${outboxInsert('ticket.scanned', 'happened', '$20')}
  )
select coalesce(prior.result, answered.result) as result, coalesce(prior.same, true) as same
from door left join prior on true left join answered on true`,
});
