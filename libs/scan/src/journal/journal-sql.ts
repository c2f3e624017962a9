import type { AssumedDuration } from '#catalogue';
import { utcSql, venueDayStartSql } from '#kernel';
import { reentrySql, renewedSql } from '../statements/entry-rule-sql.js';
import { laterExitId } from '../statements/later-exit.js';
import { eventFacts, notActiveSql, ticketColumns, ticketJoins } from '../statements/scan-statement.js';

/** SQL that the statements of journal lines share. The parameters are those of `journalStatement`. */

const timeZone = "$19::json ->> 'timeZone'";
const lineMoment = '(select at from moment)';

const overtakenSql = `(p.entry_rule = 'daily' and t.status = 'S' and t.scanned_at >= ${venueDayStartSql(timeZone, 1, lineMoment)})`;

/** SQL: members of a ticket `t` with the price `p` and the event `e` that decide about another entry. */
export const entryRuleColumns = `${reentrySql('e', 'p')} as reentry, ${renewedSql('t', 'p', timeZone, lineMoment)} as renewed,
      ${overtakenSql} as overtaken`;

/**
 * Conditions of a verdict on the entry of a ticket that came in before: again, where it may. A line of an earlier day than the last entry
 * of a ticket for each day changes nothing. @param t alias with the members of `entryRuleColumns`
 */
export const secondEntrySql = (t: string): string => `when ${t}.overtaken then 'seen'
        when ${t}.renewed or ${t}.left_at is not null and ${t}.reentry then 'readmitted'`;

/** Which attempt is answered already, the moment of the line, and its ticket. */
export const lineReadsSql = (assumed: AssumedDuration): string => `prior as (
    select l.result, l.line_hash = $7::bytea as same from {tenant}.scan_line l where l.device_id = $2 and l.scan_id = $4::uuid
  ), online as (
    select l.outcome from {tenant}.scan_log l where l.device_id = $2 and l.action = 'scan' and l.scan_id = $4::uuid
  ), moment as (
    select least($15::timestamptz, now()) as at
  ), found as (${ticketColumns(assumed, renewedSql('t', 'p', timeZone, lineMoment))}, t.sequence,
      ${overtakenSql} as overtaken
    from {tenant}.ticket t ${ticketJoins}
    where t.id = $1::uuid and $17::text is null
  )`;

/** Conditions of a verdict: lines that move no ticket, whatever their direction. */
export const unmovedLineSql = `when exists (select 1 from online) then 'replayed'
      when $17::text is not null then $17::text
      when found.id is null and exists (select 1 from {tenant}.membership c where c.id = $1::uuid) then 'membership'
      when found.id is null then 'unknown'
      when $11 <> 'admitted' then 'seen'
      when found.code_version <> $18::int then 'revoked'
      when not found.admission then 'not_admission'
      when found.status = 'R' or found.reservation_status = 'C' then 'was_cancelled'
      when found.event_id <> $21::uuid then 'wrong_event'
      ${notActiveSql}`;

/** Members of the facts of a line: what determines the wording of an answer. */
export const lineWordingSql = `'language', $19::json ->> 'language', 'timeZone', $19::json ->> 'timeZone',
        'requestId', $19::json ->> 'requestId'`;

/**
 * SQL: whether somebody goes out with a ticket. An exit that is more than a minute older than the last entry was before that entry, which
 * counts.
 *
 * @param t alias of the ticket @param at SQL: the moment of the line
 */
export const goesOutSql = (t: string, at: string): string =>
  `${t}.status = 'S' and ${t}.left_at is null and (${t}.scanned_at > ${at} + interval '1 minute' + $16::int * interval '1 ms') is not true`;

/**
 * SQL: the exit after which somebody who came in is outside: one that the server knows since the last entry, else the first that it refused
 * because it did not know of this entry. Only exits of a journal count, whose holder a person let out; each once, unless it was undone.
 * No row: the entry is the last movement. An exit that waits for its entry is compared as in `goesOutSql`.
 *
 * @param e alias of the entry with `outcome`, `at`, and the ticket's `left_at` and `gate_id` @param ticket SQL
 */
export const wayOutSql = (e: string, ticket: string): string => `
    select w.* from (
      select 0 as rank, ${e}.left_at as at, ${e}.gate_id, null::uuid as scan_id, coalesce((
        select l.device_id from {tenant}.scan_log l where l.ticket_id = ${ticket} and l.action = 'scan' and l.outcome = 'left'
        order by l.ticket_sequence desc nulls last, l.recorded_at desc, l.id desc limit 1), $2) as device_id
      where ${e}.left_at > ${e}.at + interval '1 minute' + $16::int * interval '1 ms'
      union all
      select 1, k.happened_at, l.gate_id, ${laterExitId('l')}, l.device_id
      from {tenant}.scan_log l join {tenant}.scan_line k on k.device_id = l.device_id and k.scan_id = l.scan_id
      where l.ticket_id = ${ticket} and l.action = 'scan' and l.outcome = 'not_inside' and k.verdict = 'admitted' and k.state = 'refused'
        and ${e}.at <= k.happened_at + interval '1 minute' + k.clock_error_ms * interval '1 ms'
        and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id)
        and not exists (select 1 from {tenant}.scan_log x
          where x.device_id = l.device_id and x.action = 'scan' and x.scan_id = ${laterExitId('l')})
    ) w where ${e}.outcome in ('accepted', 'readmitted') order by w.rank, w.at, w.scan_id limit 1`;

/** Member of an answer: since when the ticket is cancelled. @param a alias with `verdict` */
export const cancelledSql = (a: string): string =>
  `'cancelledAt', case when ${a}.verdict = 'was_cancelled' then ${utcSql(`${a}.cancelled_at`)} end`;

/** Member of an answer: the event of a ticket that came in at the door of another one. @param a alias with `verdict` */
export const ownEventSql = (a: string): string => `'event', case when ${a}.verdict = 'wrong_event' then ${eventFacts(a)} end`;

/** The last entry of a ticket that was not undone, with its time and the error of that time. */
export const lastEntrySql = (ticket: string): string => `
    select l.device_id, l.gate_id, coalesce(k.happened_at, l.recorded_at) as at, coalesce(k.clock_error_ms, 0) as error_ms, l.scan_id
    from {tenant}.scan_log l left join {tenant}.scan_line k on k.device_id = l.device_id and k.scan_id = l.scan_id
    where l.ticket_id = ${ticket} and l.action = 'scan' and l.outcome in ('accepted', 'readmitted')
      and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id)
    order by l.ticket_sequence desc nulls last, l.recorded_at desc, l.id desc limit 1`;

/** The other entry of a ticket that came in twice, as the answer has it. @param x alias with `entry_*` */
export const otherEntrySql = (x: string): string => `json_build_object('device', ${x}.entry_device,
        'deviceName', (select s.name from {tenant}.scanning_device s where s.id = ${x}.entry_device), 'gate', ${x}.entry_gate,
        'gateName', (select g.name from {tenant}.gate g where g.id = ${x}.entry_gate), 'scanId', ${x}.entry_scan,
        'at', ${utcSql(`${x}.entry_at`)}, 'errorMs', ${x}.entry_error)`;

/** What the attempt itself is answered when it arrives after its line. @param a alias with `verdict` */
export const attemptOutcomeSql = (a: string): string => `case ${a}.verdict when 'double_entry' then 'already_scanned'
          when 'was_cancelled' then 'cancelled' when 'membership' then 'malformed' else ${a}.verdict end`;

/** Keeps the line with its answer. @param a source with `id`, `event_id`, `at`, `state` and `result` */
export const keptLineSql = (a: string): string => `kept as (
    insert into {tenant}.scan_line (device_id, scan_id, sequence, line, line_hash, chained, ticket_id, event_id, gate_id, direction,
      verdict, mode, position, device_time, happened_at, clock_error_ms, state, result)
    select $2, $4::uuid, $5::bigint, $6::text, $7::bytea,
      (select p.line_hash is not distinct from $8::bytea from {tenant}.scan_line p where p.device_id = $2 and p.sequence = $5::bigint - 1
        order by p.recorded_at desc, p.id desc limit 1),
      a.id, a.event_id, $9::uuid, $10::text, $11::text, $12::text, $13::text, $14::timestamptz, a.at, $16::int, a.state, a.result
    from ${a} a
  )`;

/**
 * The row of the ledger about somebody who came in with a ticket for another event. The ticket stays expected; the row belongs to the event
 * at whose door it happened. Exits move nobody who came in that way.
 *
 * @param a source with `id`, `event_id`, `at` and `verdict`
 */
export const wrongEventSql = (a: string): string => `misplaced as (
    insert into {tenant}.scan_conflict (kind, ticket_id, event_id, line_device_id, line_scan_id, first_device_id, first_gate_id, first_at,
      first_error_ms, later_at, later_error_ms)
    select 'wrong_event', a.id, coalesce((select e.id from {tenant}.event e where e.id = $21::uuid), a.event_id), $2, $4::uuid, $2,
      $9::uuid, a.at, $16::int, a.at, $16::int
    from ${a} a where a.verdict = 'wrong_event' and $10 = 'entry'
  )`;

/** One row of the ledger. @param x alias with `entry_*` @param isFirst SQL: whether the line is the earlier entry */
export const conflictSql = (ticket: string, event: string, attempt: string, at: string, x: string, isFirst: string): string => `
    insert into {tenant}.scan_conflict (ticket_id, event_id, line_device_id, line_scan_id, first_device_id, first_gate_id, first_at,
      first_error_ms, later_device_id, later_gate_id, later_at, later_error_ms)
    select ${ticket}, ${event}, $2, ${attempt},
      case when ${isFirst} then $2 else ${x}.entry_device end, case when ${isFirst} then $9::uuid else ${x}.entry_gate end,
      least(${at}, ${x}.entry_at), case when ${isFirst} then $16::int else ${x}.entry_error end,
      case when ${isFirst} then ${x}.entry_device else $2 end, case when ${isFirst} then ${x}.entry_gate else $9::uuid end,
      greatest(${at}, ${x}.entry_at), case when ${isFirst} then ${x}.entry_error else $16::int end`;
