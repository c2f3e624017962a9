import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import { doorSql, eventFacts, reservationFacts, ticketColumns, ticketFacts, ticketJoins } from './scan-statement.js';

/**
 * For undo statements: the last act of this kind (`act`), its undo if there is one (`undo`), and the ticket (`found`). $1 ticket or null
 * · $2 device · $4 attempt id of the act or null · $9 fault of the code or null.
 *
 * @param first SQL of an order of the acts `l` that comes before their time
 */
export const lastActSql = (action: 'scan' | 'fulfil', outcomes: string, assumed: AssumedDuration, first = ''): string => `act as (
    select l.id, l.ticket_id, l.outcome, l.device_id, l.recorded_at, l.ticket_sequence from {tenant}.scan_log l
    where l.action = '${action}' and l.outcome in (${outcomes}) and $9::text is null and case
      when $4::uuid is not null then l.device_id = $2 and l.scan_id = $4
      else l.ticket_id = $1::uuid end
    order by ${first}l.recorded_at desc, l.id desc limit 1
  ), undo as (
    select l.id, l.device_id from {tenant}.scan_log l join act on l.undoes = act.id
  ), found as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id = coalesce((select ticket_id from act), case when $4::uuid is null then $1::uuid end) and $9::text is null
  )`;

/** SQL: outcomes that move a ticket. */
export const movements = "'accepted', 'readmitted', 'left'";

/**
 * SQL: first the movements `l` that nobody undid. A ticket that is not scanned has nothing to undo: then the last movement says whether
 * this request repeats its undo.
 */
const standingFirst = `(not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id)
      and exists (select 1 from {tenant}.ticket x where x.id = l.ticket_id and x.status = 'S')) desc, `;

/** SQL: the last movement of the ticket of `act` before it that was not undone, among these outcomes. */
export const beforeAct = (outcomes: string): string => `(
      select l.device_id, l.recorded_at, l.gate_id from {tenant}.scan_log l
      where l.ticket_id = act.ticket_id and act.outcome <> 'accepted' and l.action = 'scan' and l.outcome in (${outcomes})
        and coalesce(l.ticket_sequence, 0) < act.ticket_sequence and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id)
      order by l.ticket_sequence desc nulls last, l.recorded_at desc, l.id desc limit 1)`;

/** State of the judged ticket after its first entry was undone; exits and entries after an exit leave the ticket scanned. */
const statusOnceUndone =
  "case when j.verdict = 'undone' and j.undo is null and coalesce(j.act_outcome, 'accepted') = 'accepted' then 'K' else j.status end";

/**
 * Undoes the last movement of a ticket (entry or exit) that was not undone: by the same device, within $7 minutes, once. The ticket
 * returns to the state of the movement before. When none is left, it repeats the answer to the device that undid the last one. A
 * supervisor's device undoes movements of every device at any time; a kiosk undoes none.
 *
 * $1 ticket or null · $2 device · $3 key · $4 null (`undoAttemptStatement` undoes by the attempt) · $5 reason · $6 device time or null ·
 * $7 minutes · $8 language, time zone and request id as JSON · $9 fault of the code or null · $10 tenant · $11 number of transfers in the
 * code or null.
 * No row and null facts mean the same as in `attemptStatement`.
 */
export const undoStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'undo',
  text: `
with ${doorSql}, ${lastActSql('scan', movements, assumed, standingFirst)}, entry as (
    select e.* from act cross join lateral ${beforeAct("'accepted', 'readmitted'")} e
  ), exit as (
    select e.* from act cross join lateral ${beforeAct("'left'")} e
  ), judged as (
    select found.*, act.id as act, act.outcome as act_outcome, undo.id as undo, case
      when door.role = 'kiosk' then 'not_permitted'
      when $9::text is not null then $9::text
      when found.id is null then 'unknown'
      when found.code_version <> $11::int then 'revoked'
      when undo.device_id = $2 then 'undone'
      when undo.id is not null or found.status <> 'S' then 'not_scanned'
      when door.role <> 'supervisor' and coalesce(act.device_id, found.scanned_by) is distinct from $2 then 'other_device'
      when exists (
        select 1 from {tenant}.scan_log l
        where l.ticket_id = found.id and l.action = 'scan' and l.outcome in (${movements})
          and l.ticket_sequence > act.ticket_sequence and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id))
        then 'superseded'
      when door.role <> 'supervisor'
        and case when act.outcome = 'left' then found.left_at else found.scanned_at end < now() - make_interval(mins => $7::int)
        then 'undo_expired'
      else 'undone' end as verdict
    from door left join found on true left join act on true left join undo on true
  ), released as (
    update {tenant}.ticket t set sequence = t.sequence + 1,
      status = case when j.act_outcome is distinct from 'readmitted' and j.act_outcome is distinct from 'left' then 'K' else 'S' end,
      scanned_at = case j.act_outcome when 'left' then t.scanned_at when 'readmitted' then (select recorded_at from entry) end,
      scanned_by = case j.act_outcome when 'left' then t.scanned_by when 'readmitted' then (select device_id from entry) end,
      left_at = case j.act_outcome when 'readmitted' then (select recorded_at from exit) end,
      gate_id = case j.act_outcome when 'left' then (select gate_id from entry) when 'readmitted' then (select gate_id from exit) end
    from judged j where t.id = j.id and j.verdict = 'undone' and j.undo is null
      and t.status = 'S' and t.scanned_by is not distinct from j.scanned_by and t.scanned_at = j.scanned_at
      and t.left_at is not distinct from j.left_at
    returning t.id, t.sequence, t.seat
  ), answered as (
    select j.verdict, j.id as ticket_id, j.event_id, j.act_outcome, j.undo is not null and j.verdict = 'undone' as replayed,
      case when j.verdict = 'undone' and j.undo is null then j.act end as undoes, json_build_object(
      'outcome', j.verdict, 'language', $8::json ->> 'language', 'timeZone', $8::json ->> 'timeZone',
      'requestId', $8::json ->> 'requestId',
      'ticket', ${ticketFacts('j', statusOnceUndone, 'j.scanned_by', 'j.scanned_by_name', 'j.scanned_at')},
      'event', ${eventFacts('j')},
      'reservation', ${reservationFacts('j')}) as facts
    from judged j
    where j.verdict <> 'undone' or j.undo is not null or exists (select 1 from released)
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, undoes, device_time, reason, ticket_sequence)
    select 'undo', verdict, $2, ticket_id, event_id, undoes, $6::timestamptz, $5, (select sequence from released) from answered
  ), happened as (
    select r.id as subject_id, r.sequence, json_build_object('facts', a.facts, 'seat', r.seat, 'at', ${utcSql('now()')},
      'deviceId', d.id, 'deviceName', d.name, 'reason', $5::text) as facts
    from released r join answered a on a.ticket_id = r.id and coalesce(a.act_outcome, 'accepted') = 'accepted' cross join door d
  ), told as (
    ${outboxInsert('ticket.scan_undone', 'happened', '$10')}
  )
select answered.facts, coalesce(answered.replayed, false) as replayed, true as same, false as unknown from door left join answered on true`,
});
