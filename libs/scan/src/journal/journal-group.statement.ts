import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import {
  knownDoorSql,
  eventFacts,
  loggedFacts,
  reservationFacts,
  ticketColumns,
  ticketFacts,
  ticketJoins,
} from '../statements/scan-statement.js';
import {
  attemptOutcomeSql,
  cancelledSql,
  conflictSql,
  goesOutSql,
  keptLineSql,
  entryRuleColumns,
  lastEntrySql,
  lineReadsSql,
  lineWordingSql,
  otherEntrySql,
  ownEventSql,
  unmovedLineSql,
  wayOutSql,
  wrongEventSql,
} from './journal-sql.js';

const statusAfter = "case when exists (select 1 from claimed c where c.id = a.id) then 'S' else a.status end";
/** SQL: the attempt id of a ticket that moved together with others, as in `groupStatement`. */
const attemptId = 'case when c.leads then $4::uuid else md5($4::text || c.id::text)::uuid end';

/**
 * Records a line of a journal with which several people of a reservation came in or went out under one code: $1 to $21 as in
 * `journalStatement` · $22 number of tickets. Nothing that happened is rejected: tickets that may move do, that of the code first, then
 * the others in their order. For people beyond these, tickets that came in elsewhere stand in the ledger, each once.
 *
 * Each ticket has its row in the log: the first one, which moves if any does, has the attempt id, the others ids made from it. Tickets are
 * locked in the order of their ids and compared with what the rest of the statement reads; when one moved meanwhile, `result` is null and
 * the statement is run again.
 */
export const journalGroupStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'journal_group',
  text: `
with ${knownDoorSql}, ${lineReadsSql(assumed)}, seen as (
    select t.id, t.sequence from {tenant}.ticket t where t.reservation_id = (select reservation_id from found)
  ), member as materialized (
    select t.id, t.status, t.scanned_at, t.left_at, t.gate_id, t.position, t.sequence, ${entryRuleColumns}
    from {tenant}.ticket t join {tenant}.price p on p.id = t.price_id join {tenant}.event e on e.id = t.event_id
    where t.reservation_id = (select reservation_id from found) and t.event_id = (select event_id from found) and t.admission
      and t.status in ('K', 'S') and (t.id = $1::uuid or t.holder_key is null) and $11 = 'admitted'
      and exists (select 1 from door) and not exists (select 1 from prior) and not exists (select 1 from online)
    order by t.id for no key update of t
  ), fit as (
    select m.id, m.position, m.left_at, m.gate_id, moment.at, case
        when $10 = 'exit' then case when ${goesOutSql('m', 'moment.at')} then 'left' end
        when m.status = 'K' then 'accepted'
        when m.overtaken then null
        when m.renewed or m.left_at is not null and m.reentry then 'readmitted'
        else 'double_entry' end as outcome
    from member m cross join found cross join moment
  ), chosen as (
    select f.*, row_number() over (order by f.outcome = 'double_entry', f.id = $1::uuid desc, f.position, f.id) = 1 as leads
    from fit f where f.outcome is not null
    order by f.outcome = 'double_entry', f.id = $1::uuid desc, f.position, f.id limit $22::int
  ), judged as (
    select found.*, moment.at, exists (
        select 1 from member m join seen s on s.id = m.id where s.sequence <> m.sequence) as again, case
      ${unmovedLineSql}
      when not exists (select 1 from chosen) then 'not_inside'
      when (select c.outcome from chosen c where c.leads) = 'double_entry' then 'double_entry'
      when $10 = 'exit' then 'left'
      else 'accepted' end as verdict
    from door cross join moment left join found on true
    where not exists (select 1 from prior)
  ), acting as (
    select c.*, ${attemptId} as scan_id from chosen c cross join judged j
    where j.verdict in ('accepted', 'left', 'double_entry') and not j.again
  ), way_out as (
    select c.id, w.* from acting c cross join lateral (${wayOutSql('c', 'c.id')}) w
  ), noticed as (
    update {tenant}.ticket t set sequence = t.sequence + 1
    from judged j where t.id = j.id and j.verdict = 'not_inside' and t.sequence = j.sequence and not j.again
    returning t.id
  ), claimed as (
    update {tenant}.ticket t set status = 'S', sequence = t.sequence + case when w.id is null then 1 else 2 end,
      gate_id = case when w.id is null then $9::uuid else w.gate_id end,
      scanned_at = case c.outcome when 'left' then t.scanned_at else j.at end,
      scanned_by = case c.outcome when 'left' then t.scanned_by else $2 end,
      left_at = case c.outcome when 'left' then j.at else w.at end
    from acting c left join way_out w on w.id = c.id cross join judged j where t.id = c.id and c.outcome <> 'double_entry'
    returning t.id, t.sequence, t.seat, c.outcome
  ), double as (
    select c.*, entry.device_id as entry_device, entry.gate_id as entry_gate, entry.at as entry_at, entry.error_ms as entry_error,
      entry.scan_id as entry_scan, j.at as line_at, entry.at > j.at as is_first
    from acting c cross join judged j cross join lateral (${lastEntrySql('c.id')}) entry
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
    from judged j where not j.again and (j.verdict <> 'not_inside' or exists (select 1 from noticed))
  ), answered as (
    select d.*, json_build_object('scan_id', $4::uuid, 'sequence', $5::bigint, 'state', d.state,
      'reason', case when d.state = 'refused' then d.verdict when exists (select 1 from acting c where c.outcome = 'double_entry')
          then 'double_entry' when d.verdict in ('accepted', 'left') and d.moving < $22::int then 'not_enough' end,
      'outcome', (select outcome from online), 'happenedAt', ${utcSql('d.at')}, ${cancelledSql('d')}, ${ownEventSql('d')}, 'moved', d.moved,
      'other', (select ${otherEntrySql('x')} from shown_double x)) as result
    from decided d
  ), explained as (
    select a.*, json_build_object('outcome', ${attemptOutcomeSql('a')}, ${lineWordingSql}, 'moved', a.moved,
        'ticket', ${ticketFacts('a', statusAfter, 'a.scanned_by', 'a.scanned_by_name', 'a.scanned_at')},
        'event', ${eventFacts('a')}, 'reservation', ${reservationFacts('a')}) as facts
    from answered a
  ), ${keptLineSql('answered')}, logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, scan_id, device_time, gate_id, direction,
      ticket_sequence, facts)
    select 'scan', coalesce(c.outcome, a.verdict), $2, coalesce(c.id, a.id), a.event_id, coalesce(c.scan_id, $4::uuid), $14::timestamptz,
      $9::uuid, $10::text, (select x.sequence from claimed x where x.id = c.id) - (select count(*)::int from way_out w where w.id = c.id),
      case when coalesce(c.leads, true) then ${loggedFacts('$4')} end
    from explained a left join acting c on true where a.verdict not in ('replayed', 'seen')
    union all
    select 'scan', 'left', w.device_id, x.id, a.event_id, w.scan_id, null, w.gate_id, 'exit', x.sequence, null
    from claimed x join way_out w on w.id = x.id cross join answered a
  ), ledger as (${conflictSql('x.id', 'a.event_id', 'x.scan_id', 'x.line_at', 'x', 'x.is_first')}
    from double x cross join answered a
  ), ${wrongEventSql('answered')}, entered as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id in (select id from claimed where outcome = 'accepted')
  ), happened as (
    select c.id as subject_id, c.sequence, json_build_object('facts', json_build_object('outcome', 'accepted', ${lineWordingSql},
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
