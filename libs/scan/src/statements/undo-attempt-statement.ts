import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import { doorSql, eventFacts, knownDoorSql, reservationFacts, ticketColumns, ticketFacts, ticketJoins } from './scan-statement.js';
import { laterExitId } from './later-exit.js';
import { beforeAct, movements } from './undo-statement.js';

const statusAfter = (source: string): string =>
  `case when exists (select 1 from released x where x.id = ${source}.id) and ${source}.act_outcome = 'accepted' then 'K'
      else ${source}.status end`;

const factsOf = (source: string, outcome: string): string => `json_build_object(
      'outcome', ${outcome}, 'language', $7::json ->> 'language', 'timeZone', $7::json ->> 'timeZone',
      'requestId', $7::json ->> 'requestId',
      'ticket', ${ticketFacts(source, statusAfter(source), `${source}.scanned_by`, `${source}.scanned_by_name`, `${source}.scanned_at`)},
      'event', ${eventFacts(source)}, 'reservation', ${reservationFacts(source)})`;

/** What differs between a request and a line of a journal. */
interface Sender {
  readonly name: string;
  /** A journal is taken also from a device that is locked or outside its opening hours. */
  readonly door: string;
  readonly begins: string;
  /** The moment of the undo, for the time limit. */
  readonly at: string;
  readonly unless: string;
  /** SQL: the verdict on an attempt that moved nothing. */
  readonly unmoved: string;
  readonly keeps: string;
  readonly result: string;
}

const request: Sender = {
  name: 'undo_attempt',
  door: doorSql,
  begins: '',
  at: 'now()',
  unless: '',
  unmoved: "'unknown_scan'",
  keeps: '',
  result: `select answered.facts, coalesce(not answered.fresh and answered.verdict = 'undone', false) as replayed, true as same,
  false as unknown from door left join answered on true`,
};

const lineState = `case when a.verdict <> 'undone' then 'refused' when a.fresh then 'applied' else 'replayed' end`;

const line: Sender = {
  name: 'undo_line',
  door: knownDoorSql,
  begins: `, prior as (
    select l.result, l.line_hash = $12::bytea as same from {tenant}.scan_line l where l.device_id = $2 and l.scan_id = $9::uuid
  )`,
  at: 'least($16::timestamptz, now())',
  unless: 'where not exists (select 1 from prior)',
  unmoved: "case when exists (select 1 from doubled) then 'undone' else 'unknown_scan' end",
  keeps: `, stated as (
    select a.*, ${lineState} as state, least($16::timestamptz, now()) as at from answered a
  ), shown as (
    select s.*, json_build_object('scan_id', $9::uuid, 'sequence', $10::bigint, 'state', s.state,
      'reason', case when s.state = 'refused' then case s.verdict when 'unknown_scan' then 'unknown' else s.verdict end end,
      'outcome', case when s.state = 'replayed' then 'undone' end, 'happenedAt', ${utcSql('s.at')}, 'other', null) as result
    from stated s
  ), kept as (
    insert into {tenant}.scan_line (device_id, scan_id, sequence, line, line_hash, chained, ticket_id, event_id, direction, verdict, mode,
      position, device_time, happened_at, clock_error_ms, state, result)
    select $2, $9::uuid, $10::bigint, $11::text, $12::bytea,
      (select p.line_hash is not distinct from $13::bytea from {tenant}.scan_line p where p.device_id = $2 and p.sequence = $10::bigint - 1
        order by p.recorded_at desc, p.id desc limit 1),
      a.ticket_id, a.event_id, 'entry', 'undone', $14::text, $15::text, $5::timestamptz, a.at, $17::int, a.state, a.result
    from shown a
  )`,
  result: `select coalesce(prior.result, shown.result) as result, coalesce(prior.same, true) as same
from door left join prior on true left join shown on true`,
};

/**
 * Takes back everything that an attempt of this device moved: all of its tickets or none. Each returns to the state of the movement before.
 * When one of them moved again since, none is taken back (`superseded`). Tickets that somebody took back before stay as they are.
 *
 * An exit that was refused as `not_inside` and whose holder a person let out moved nothing yet: taken back, it does not count when the
 * entry before it arrives. When it counts already, it is taken back like every exit.
 *
 * An entry of the journal that stands in the ledger of double entries moved no ticket of its own: a line that takes it back says in the
 * ledger that its holder was turned away, unless staff decided already.
 *
 * $1 attempt id · $2 device · $3 key · $4 reason · $5 device time or null · $6 minutes · $7 language, time zone and request id as JSON ·
 * $8 tenant. For a line of a journal also: $9 attempt id of the line · $10 sequence · $11 the line · $12 its hash · $13 hash of the line
 * before or null · $14 mode · $15 position or null · $16 corrected time, by which the minutes count · $17 clock error in milliseconds.
 *
 * Tickets are locked in the order of their ids and compared with what the rest of the statement reads. No row, null facts and null result
 * mean the same as in `attemptStatement` and `journalStatement`.
 */
export const undoAttemptStatement = (assumed: AssumedDuration, inJournal = false): PreparedStatement => {
  const by = inJournal ? line : request;
  return {
    name: by.name,
    text: `
with ${by.door}${by.begins}, lead as (
    select coalesce(l.facts -> 'door' -> 'moved', l.facts -> 'moved') as moved from {tenant}.scan_log l
    where l.device_id = $2 and l.action = 'scan' and l.scan_id = $1::uuid and l.outcome in (${movements})
  ), let_out as (
    select ${laterExitId('l')} as later_id from {tenant}.scan_log l
    join {tenant}.scan_line k on k.device_id = l.device_id and k.scan_id = l.scan_id and k.verdict = 'admitted' and k.state = 'refused'
    where l.device_id = $2 and l.action = 'scan' and l.scan_id = $1::uuid and l.outcome = 'not_inside'
  ), counted as (
    select l.id from {tenant}.scan_log l join let_out o on o.later_id = l.scan_id where l.device_id = $2 and l.action = 'scan'
  ), act as (
    select l.id, l.ticket_id, l.outcome, l.ticket_sequence, l.recorded_at, l.scan_id = $1::uuid or o.later_id is not null as leads,
      u.id as undo, u.device_id as undone_by
    from {tenant}.scan_log l left join {tenant}.scan_log u on u.undoes = l.id left join let_out o on true
    where l.device_id = $2 and l.action = 'scan' and (l.outcome in (${movements})
      or o.later_id is not null and not exists (select 1 from counted)) and l.scan_id in (
      select $1::uuid union all
      select x.later_id from let_out x union all
      select md5($1::text || m.id)::uuid from lead cross join json_array_elements_text(lead.moved) as m (id))
  ), found as (${ticketColumns(assumed)}, t.sequence
    from {tenant}.ticket t ${ticketJoins}
    where t.id in (select ticket_id from act)
  ), member as materialized (
    select t.id, t.sequence from {tenant}.ticket t
    where t.id in (select ticket_id from act where undo is null) and exists (select 1 from door)
    order by t.id for no key update of t
  ), each_one as (
    select found.*, act.id as act, act.outcome as act_outcome, act.leads, act.undo,
      entry.recorded_at as entry_at, entry.device_id as entry_device, entry.gate_id as entry_gate, way_out.recorded_at as exit_at,
      way_out.gate_id as exit_gate, act.undo is null and member.sequence is distinct from found.sequence as moves, case
        when act.undo is not null and act.undone_by = $2 then 'undone'
        when act.undo is not null then 'not_scanned'
        when act.outcome = 'not_inside' then case
          when door.role <> 'supervisor' and act.recorded_at < ${by.at} - make_interval(mins => $6::int) then 'undo_expired'
          else 'undone' end
        when found.status <> 'S' then 'not_scanned'
        when exists (
          select 1 from {tenant}.scan_log l
          where l.ticket_id = found.id and l.action = 'scan' and l.outcome in (${movements})
            and l.ticket_sequence > act.ticket_sequence and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id))
          then 'superseded'
        when door.role <> 'supervisor'
          and case when act.outcome = 'left' then found.left_at else found.scanned_at end < ${by.at} - make_interval(mins => $6::int)
          then 'undo_expired'
        else 'undone' end as verdict
    from act join found on found.id = act.ticket_id cross join door left join member on member.id = act.ticket_id
      left join lateral ${beforeAct("'accepted', 'readmitted'")} entry on true left join lateral ${beforeAct("'left'")} way_out on true
  ), doubled as (
    select c.id, c.ticket_id, c.event_id from {tenant}.scan_conflict c where c.line_device_id = $2 and c.line_scan_id = $1::uuid
  ), judged as (
    select case
        when door.role = 'kiosk' then 'not_permitted'
        when not exists (select 1 from each_one) then ${by.unmoved}
        else coalesce((select e.verdict from each_one e where e.undo is null and e.verdict <> 'undone' order by e.leads desc, e.id limit 1),
          case when exists (select 1 from each_one e where e.verdict = 'undone') then 'undone' else 'not_scanned' end) end as verdict,
      not exists (select 1 from each_one) or exists (select 1 from each_one e where e.undo is null) as fresh,
      exists (select 1 from each_one e where e.moves) as again
    from door ${by.unless}
  ), released as (
    update {tenant}.ticket t set sequence = t.sequence + 1,
      status = case e.act_outcome when 'accepted' then 'K' when 'not_inside' then t.status else 'S' end,
      scanned_at = case e.act_outcome when 'readmitted' then e.entry_at when 'accepted' then null else t.scanned_at end,
      scanned_by = case e.act_outcome when 'readmitted' then e.entry_device when 'accepted' then null else t.scanned_by end,
      left_at = case e.act_outcome when 'readmitted' then e.exit_at when 'not_inside' then t.left_at end,
      gate_id = case e.act_outcome when 'left' then e.entry_gate when 'readmitted' then e.exit_gate when 'not_inside' then t.gate_id end
    from each_one e join member m on m.id = e.id cross join judged j
    where t.id = e.id and e.undo is null and j.verdict = 'undone' and not j.again
    returning t.id, t.sequence, t.seat
  ), answered as (
    select j.verdict, j.fresh, coalesce(e.id, d.ticket_id) as ticket_id, coalesce(e.event_id, d.event_id) as event_id,
      ${factsOf('e', 'j.verdict')} as facts
    from judged j left join each_one e on e.leads left join doubled d on j.verdict = 'undone'
    where not (j.verdict = 'undone' and j.fresh and j.again)
  ), settled as (
    update {tenant}.scan_conflict c set decision = 'was_refused', decisions = c.decisions + 1
    from answered a cross join doubled d where c.id = d.id and a.verdict = 'undone' and a.fresh and c.decision is null
    returning c.id, c.decisions
  ), noted as (
    insert into {tenant}.scan_conflict_decision (conflict_id, number, decision, note, device_id)
    select s.id, s.decisions, 'was_refused', $4, $2 from settled s
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, undoes, device_time, reason, ticket_sequence)
    select 'undo', a.verdict, $2, coalesce(r.id, a.ticket_id), a.event_id, e.act, $5::timestamptz, $4, r.sequence
    from answered a left join released r on true left join each_one e on e.id = r.id
  ), happened as (
    select r.id as subject_id, r.sequence, json_build_object('facts', ${factsOf('e', "'undone'")}, 'seat', r.seat,
      'at', ${utcSql('now()')}, 'deviceId', d.id, 'deviceName', d.name, 'reason', $4::text) as facts
    from released r join each_one e on e.id = r.id and e.act_outcome = 'accepted' cross join door d
  ), told as (
    ${outboxInsert('ticket.scan_undone', 'happened', '$8')}
  )${by.keeps}
${by.result}`,
  };
};
