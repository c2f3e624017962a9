import type { AssumedDuration } from '#catalogue';
import type { PreparedStatement } from '#tenancy';
import {
  doorSql,
  eventFacts,
  loggedFacts,
  notActiveSql,
  priorSql,
  reservationFacts,
  ticketColumns,
  ticketFacts,
  ticketJoins,
} from './scan-statement.js';
import { lastActSql } from './undo-statement.js';

/** Facts about the goods `j` for the answer. @param circumstances the parameter that carries language, time zone and request id */
const facts = (circumstances: string, fulfilledAt: string, fulfilledByName: string): string => `json_build_object(
      'outcome', j.verdict, 'language', ${circumstances}::json ->> 'language', 'timeZone', ${circumstances}::json ->> 'timeZone',
      'requestId', ${circumstances}::json ->> 'requestId',
      'ticket', ${ticketFacts('j', 'j.status', 'j.scanned_by', 'j.scanned_by_name', 'j.scanned_at', fulfilledAt, fulfilledByName)},
      'event', ${eventFacts('j')},
      'reservation', ${reservationFacts('j')})`;

/**
 * Hands goods out: one statement decides, updates and logs. The conditional update decides which of several requests is first.
 *
 * $1 ticket or null · $2 device · $3 key · $4 event at this counter or null · $5 attempt id or null · $6 request hash · $7 device time or
 * null · $8 fault of the code (missing, malformed, forged) or null · $9 language, time zone and request id as JSON · $10 number of
 * transfers in the code. No row, `unknown`,
 * null facts and `replayed` mean the same as in `attemptStatement`.
 */
export const fulfilStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'fulfil',
  text: `
with ${priorSql('$5', '$6', "'fulfil'")}, ${doorSql}, found as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id = $1::uuid and $8::text is null
  ), judged as (
    select found.*, case
      when door.role = 'kiosk' then 'not_permitted'
      when $8::text is not null then $8::text
      when found.id is null then 'unknown'
      when found.code_version <> $10::int then 'revoked'
      when found.admission then 'admission'
      when found.status = 'R' or found.reservation_status = 'C' or found.withdrawn_at is not null and found.fulfilled_at is null
        then 'cancelled'
      when found.event_id <> $4::uuid then 'wrong_event'
      ${notActiveSql}
      when found.fulfilled_at is not null then 'already_fulfilled'
      else 'fulfilled' end as verdict
    from door left join found on true
    where not exists (select 1 from prior)
  ), handed as (
    update {tenant}.ticket t set fulfilled_at = now(), fulfilled_by = $2, fulfilled_by_name = door.name, sequence = t.sequence + 1
    from judged cross join door
    where t.id = judged.id and judged.verdict = 'fulfilled' and t.status = 'K' and not t.admission and t.fulfilled_at is null
      and t.withdrawn_at is null and ($10::int is null or t.code_version = $10::int)
    returning t.id, t.fulfilled_at, t.fulfilled_by_name
  ), answered as (
    select j.verdict, j.id as ticket_id, j.event_id,
      ${facts('$9', 'coalesce(h.fulfilled_at, j.fulfilled_at)', 'coalesce(h.fulfilled_by_name, j.fulfilled_by_name)')} as facts
    from judged j left join handed h on h.id = j.id
    where j.verdict <> 'unknown' and (j.verdict <> 'fulfilled' or h.id is not null)
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, scan_id, device_time, request_hash, facts)
    select 'fulfil', verdict, $2, ticket_id, event_id, $5, $7::timestamptz,
      case when $5::uuid is not null then $6::bytea end, ${loggedFacts('$5')}
    from answered
  )
select coalesce(prior.facts, answered.facts) as facts, prior.holder, prior.facts is not null as replayed,
  coalesce(prior.same, true) as same, exists (select 1 from judged where verdict = 'unknown') as unknown
from door left join prior on true left join answered on true`,
});

/** Null once this undo is done. */
const stillGiven = (column: string): string => `case when j.verdict <> 'undone' or j.undo is not null then ${column} end`;

/**
 * Undoes handing out: by the same device, within $7 minutes, once.
 *
 * $1 ticket or null · $2 device · $3 key · $4 attempt id of the handing out or null · $5 reason · $6 device time or null · $7 minutes ·
 * $8 language, time zone and request id as JSON · $9 fault of the code or null · $10 number of transfers in the code or null.
 */
export const undoFulfilStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'undo_fulfil',
  text: `
with ${doorSql}, ${lastActSql('fulfil', "'fulfilled'", assumed)}, judged as (
    select found.*, act.id as act, undo.id as undo, case
      when door.role = 'kiosk' then 'not_permitted'
      when $9::text is not null then $9::text
      when found.id is null then case when $4::uuid is null then 'unknown' else 'unknown_scan' end
      when found.code_version <> $10::int then 'revoked'
      when undo.device_id = $2 then 'undone'
      when undo.id is not null or found.fulfilled_at is null then 'not_fulfilled'
      when found.fulfilled_by is distinct from $2 then 'other_device'
      when found.fulfilled_at < now() - make_interval(mins => $7::int) then 'undo_expired'
      else 'undone' end as verdict
    from door left join found on true left join act on true left join undo on true
  ), taken as (
    update {tenant}.ticket t set fulfilled_at = null, fulfilled_by = null, fulfilled_by_name = null, sequence = t.sequence + 1
    from judged where t.id = judged.id and judged.verdict = 'undone' and judged.undo is null
      and t.fulfilled_by = $2 and t.fulfilled_at = judged.fulfilled_at
    returning t.id
  ), answered as (
    select j.verdict, j.id as ticket_id, j.event_id, j.undo is not null and j.verdict = 'undone' as replayed,
      case when j.verdict = 'undone' and j.undo is null then j.act end as undoes,
      ${facts('$8', stillGiven('j.fulfilled_at'), stillGiven('j.fulfilled_by_name'))} as facts
    from judged j
    where j.verdict <> 'undone' or j.undo is not null or exists (select 1 from taken)
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, undoes, device_time, reason)
    select 'undo_fulfil', verdict, $2, ticket_id, event_id, undoes, $6::timestamptz, $5 from answered
  )
select answered.facts, coalesce(answered.replayed, false) as replayed, true as same, false as unknown from door left join answered on true`,
});

/** Hands goods out on behalf of staff. $1 ticket · $2 user · $3 name of the user. No row: there is nothing to hand out. */
export const staffFulfilStatement: PreparedStatement = {
  name: 'staff_fulfil',
  text: `
with handed as (
    update {tenant}.ticket t set fulfilled_at = now(), fulfilled_by = $2, fulfilled_by_name = $3, sequence = t.sequence + 1
    where t.id = $1::uuid and t.status = 'K' and not t.admission and t.fulfilled_at is null and t.withdrawn_at is null
    returning t.id, t.event_id
  )
insert into {tenant}.scan_log (action, outcome, user_id, ticket_id, event_id)
select 'fulfil', 'fulfilled', $2, id, event_id from handed returning ticket_id`,
};

/**
 * Undoes handing out on behalf of staff, of any device and without time limit. $1 ticket · $2 user · $3 reason. No row: the goods are not
 * handed out. `withdrawn`: the buyer withdrew from them.
 */
export const staffUndoFulfilStatement: PreparedStatement = {
  name: 'staff_undo_fulfil',
  text: `
with found as (
    select t.id, t.fulfilled_at from {tenant}.ticket t where t.id = $1::uuid
  ), given as (
    select l.id from {tenant}.scan_log l where l.action = 'fulfil' and l.outcome = 'fulfilled' and l.ticket_id = $1::uuid
    order by l.recorded_at desc, l.id desc limit 1
  ), taken as (
    update {tenant}.ticket t set fulfilled_at = null, fulfilled_by = null, fulfilled_by_name = null, sequence = t.sequence + 1
    from found where t.id = found.id and t.fulfilled_at = found.fulfilled_at
    returning t.id, t.event_id, t.withdrawn_at
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, user_id, ticket_id, event_id, undoes, reason)
    select 'undo_fulfil', 'undone', $2, t.id, t.event_id,
      (select given.id from given where not exists (select 1 from {tenant}.scan_log u where u.undoes = given.id)), $3
    from taken t
  )
select withdrawn_at is not null as withdrawn from taken`,
};
