import { eventEndSql, type AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import { keyIsUsable, type PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';

/** The device, provided that its key is valid at this moment: no row, no scan. */
export const doorSql = `
  door as (
    select d.id, d.name from {tenant}.scanning_device d join shared.api_key k on k.id = $3 and k.device_id = d.id
    where d.id = $2 and d.archived_at is null and ${keyIsUsable}
  )`;

/**
 * The first answer under an attempt id, if there is one, with the holder's names, which the log does not store.
 *
 * @param scanId the parameter that carries the attempt id @param hash of the request @param action SQL
 */
export const priorSql = (scanId: string, hash: string, action: string): string => `prior as (
    select l.facts, l.request_hash = ${hash}::bytea as same,
      json_build_object('firstName', coalesce(t.first_name, m.first_name), 'lastName', coalesce(t.last_name, m.last_name)) as holder
    from {tenant}.scan_log l
    left join {tenant}.ticket t on t.id = l.ticket_id
    left join {tenant}.membership m on m.id = l.membership_id
    where ${scanId}::uuid is not null and l.device_id = $2 and l.action = ${action} and l.scan_id = ${scanId}
  )`;

/** The facts that the log stores, without names of people. A replay reads those from the ticket or the membership (`priorSql`). */
export const loggedFacts = (scanId: string): string => `case when ${scanId}::uuid is not null then (facts::jsonb
      #- '{ticket,firstName}' #- '{ticket,lastName}' #- '{membership,firstName}' #- '{membership,lastName}')::json end`;

export const ticketFacts = (
  source: string,
  status: string,
  scannedBy: string,
  scannedByName: string,
  scannedAt: string,
  fulfilledAt = `${source}.fulfilled_at`,
  fulfilledByName = `${source}.fulfilled_by_name`,
): string => `
  case when ${source}.id is not null then json_build_object(
    'uuid', ${source}.id, 'status', ${status}, 'firstName', ${source}.first_name, 'lastName', ${source}.last_name,
    'price', ${source}.price_name, 'product', ${source}.product_name,
    'scannedBy', ${scannedBy}, 'scannedByName', ${scannedByName}, 'scannedAt', ${utcSql(scannedAt)},
    'fulfilledAt', ${utcSql(fulfilledAt)}, 'fulfilledByName', ${fulfilledByName}) end`;

export const eventFacts = (source: string): string => `
  case when ${source}.id is not null then json_build_object(
    'uuid', ${source}.event_id, 'name', ${source}.event_name, 'place', ${source}.place, 'startsAt', ${utcSql(`${source}.starts_at`)},
    'opensAt', ${utcSql(`${source}.opens_at`)}, 'closesAt', ${utcSql(`${source}.closes_at`)}) end`;

/** The reservation's admission tickets that are not cancelled (docs/decisions.md, section 5). */
export const reservationFacts = (source: string): string => `
  case when ${source}.id is not null then json_build_object('uuid', ${source}.reservation_id, 'ticketsCount', (
    select count(*) from {tenant}.ticket o where o.reservation_id = ${source}.reservation_id and o.admission and o.status <> 'R')) end`;

/** SQL of the moment at which the scan window of the event `e` closes; null: never. */
export const windowEndSql = (assumed: AssumedDuration): string =>
  `${eventEndSql('e', assumed)} + make_interval(mins => e.scan_closes_minutes_after)`;

/** State of the judged ticket after an attempt ($4: scan or check) that no concurrent attempt preceded. */
const statusOnceScanned = "case when $4 = 'scan' and j.verdict = 'accepted' then 'S' else j.status end";
const statusOnceUndone = "case when j.verdict = 'undone' and j.undo is null then 'K' else j.status end";

export const ticketColumns = (assumed: AssumedDuration): string => `
    select t.id, t.status, t.first_name, t.last_name, t.reservation_id, t.event_id, t.scanned_at, t.scanned_by, s.name as scanned_by_name,
      t.admission, t.fulfilled_at, t.fulfilled_by, t.fulfilled_by_name, t.code_version,
      greatest(t.amount, r.amount) as amount, r.status as reservation_status, p.name as price_name, pr.name as product_name,
      e.name as event_name, e.starts_at, coalesce(a.name, a.street_address || ', ' || a.address_locality) as place,
      e.starts_at - make_interval(mins => e.scan_opens_minutes_before) as opens_at,
      ${windowEndSql(assumed)} as closes_at`;

export const ticketJoins = `
    join {tenant}.reservation r on r.id = t.reservation_id
    join {tenant}.event e on e.id = t.event_id
    join {tenant}.price p on p.id = t.price_id
    join {tenant}.product pr on pr.id = p.product_id
    left join {tenant}.postal_address a on a.id = e.postal_address_id
    left join {tenant}.scanning_device s on s.id = t.scanned_by`;

/**
 * One attempt: one statement decides, updates and logs.
 *
 * $1 ticket or null · $2 device · $3 key · $4 action (check or scan) · $5 event of this entrance or null · $6 attempt id or null · $7
 * request hash · $8 device time or null · $9 fault of the code (missing, malformed, forged) or null · $10 language, time zone and request
 * id as JSON · $11 tenant · $12 number of transfers in the code: a code from before a transfer is revoked.
 *
 * No row: the key is not (or no longer) valid. `unknown`: there is no such ticket and nothing was logged; `cardStatement` runs next.
 * Otherwise null `facts`: a concurrent attempt updated the row first, or this attempt id is being answered; run the statement again to
 * see the result. `replayed`: this attempt id was answered before, with these facts and, stored separately, these names of the `holder`.
 *
 * The conditional update decides which scan is first: concurrent scans wait for the row lock, find the ticket scanned, and update
 * nothing.
 */
export const attemptStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'attempt',
  text: `
with ${priorSql('$6', '$7', '$4')}, ${doorSql}, found as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id = $1::uuid and $9::text is null
  ), judged as (
    select found.*, case
      when $9::text is not null then $9::text
      when found.id is null then 'unknown'
      when found.code_version <> $12::int then 'revoked'
      when not found.admission then 'not_admission'
      when found.status = 'R' or found.reservation_status = 'C' then 'cancelled'
      when found.event_id <> $5::uuid then 'wrong_event'
      when found.status in ('C', 'N') and (found.reservation_status = 'U' or found.amount > 0) then 'not_paid'
      when found.status in ('C', 'N') then 'not_active'
      when found.status = 'S' then 'already_scanned'
      when now() < found.opens_at then 'too_early'
      when now() > found.closes_at then 'too_late'
      else 'accepted' end as verdict
    from door left join found on true
    where not exists (select 1 from prior)
  ), claimed as (
    update {tenant}.ticket t set status = 'S', scanned_at = now(), scanned_by = $2, sequence = t.sequence + 1
    from judged where t.id = judged.id and judged.verdict = 'accepted' and $4 = 'scan' and t.status = 'K' and t.admission
      and t.code_version = $12::int
    returning t.id, t.sequence, t.seat
  ), answered as (
    select j.verdict, j.id as ticket_id, j.event_id, json_build_object(
      'outcome', j.verdict, 'language', $10::json ->> 'language', 'timeZone', $10::json ->> 'timeZone',
      'requestId', $10::json ->> 'requestId',
      'ticket', ${ticketFacts('j', statusOnceScanned, 'j.scanned_by', 'j.scanned_by_name', 'j.scanned_at')},
      'event', ${eventFacts('j')},
      'reservation', ${reservationFacts('j')}) as facts
    from judged j
    where j.verdict <> 'unknown' and (not (j.verdict = 'accepted' and $4 = 'scan') or exists (select 1 from claimed))
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, scan_id, device_time, request_hash, facts)
    select $4, verdict, $2, ticket_id, event_id, $6, $8::timestamptz,
      case when $6::uuid is not null then $7::bytea end, ${loggedFacts('$6')}
    from answered
  ), happened as (
    select c.id as subject_id, c.sequence, json_build_object('facts', a.facts, 'seat', c.seat, 'at', ${utcSql('now()')},
      'deviceId', d.id, 'deviceName', d.name) as facts
    from claimed c join answered a on a.ticket_id = c.id cross join door d
  ), told as (
    ${outboxInsert('ticket.scanned', 'happened', '$11')}
  )
select coalesce(prior.facts, answered.facts) as facts, prior.holder, prior.facts is not null as replayed,
  coalesce(prior.same, true) as same, exists (select 1 from judged where verdict = 'unknown') as unknown
from door left join prior on true left join answered on true`,
});

/**
 * For undo statements: the last act of this kind (`act`), its undo if there is one (`undo`), and the ticket (`found`). $1 ticket or null
 * · $2 device · $4 attempt id of the act or null · $9 fault of the code or null.
 */
export const lastActSql = (action: 'scan' | 'fulfil', outcome: 'accepted' | 'fulfilled', assumed: AssumedDuration): string => `act as (
    select l.id, l.ticket_id from {tenant}.scan_log l
    where l.action = '${action}' and l.outcome = '${outcome}' and $9::text is null and case
      when $4::uuid is not null then l.device_id = $2 and l.scan_id = $4
      else l.ticket_id = $1::uuid end
    order by l.recorded_at desc, l.id desc limit 1
  ), undo as (
    select l.id, l.device_id from {tenant}.scan_log l join act on l.undoes = act.id
  ), found as (${ticketColumns(assumed)}
    from {tenant}.ticket t ${ticketJoins}
    where t.id = coalesce((select ticket_id from act), case when $4::uuid is null then $1::uuid end) and $9::text is null
  )`;

/**
 * Undoes the last scan of a ticket: by the same device, within $7 minutes, once.
 *
 * $1 ticket or null · $2 device · $3 key · $4 attempt id of the scan or null · $5 reason · $6 device time or null · $7 minutes · $8
 * language, time zone and request id as JSON · $9 fault of the code or null · $10 tenant · $11 number of transfers in the code or null.
 * No row and null facts mean the same as above.
 */
export const undoStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'undo',
  text: `
with ${doorSql}, ${lastActSql('scan', 'accepted', assumed)}, judged as (
    select found.*, act.id as act, undo.id as undo, case
      when $9::text is not null then $9::text
      when found.id is null then case when $4::uuid is null then 'unknown' else 'unknown_scan' end
      when found.code_version <> $11::int then 'revoked'
      when undo.device_id = $2 then 'undone'
      when undo.id is not null or found.status <> 'S' then 'not_scanned'
      when found.scanned_by is distinct from $2 then 'other_device'
      when found.scanned_at < now() - make_interval(mins => $7::int) then 'undo_expired'
      else 'undone' end as verdict
    from door left join found on true left join act on true left join undo on true
  ), released as (
    update {tenant}.ticket t set status = 'K', scanned_at = null, scanned_by = null, sequence = t.sequence + 1
    from judged where t.id = judged.id and judged.verdict = 'undone' and judged.undo is null
      and t.status = 'S' and t.scanned_by = $2 and t.scanned_at = judged.scanned_at
    returning t.id, t.sequence, t.seat
  ), answered as (
    select j.verdict, j.id as ticket_id, j.event_id, j.undo is not null and j.verdict = 'undone' as replayed,
      case when j.verdict = 'undone' and j.undo is null then j.act end as undoes, json_build_object(
      'outcome', j.verdict, 'language', $8::json ->> 'language', 'timeZone', $8::json ->> 'timeZone',
      'requestId', $8::json ->> 'requestId',
      'ticket', ${ticketFacts('j', statusOnceUndone, 'j.scanned_by', 'j.scanned_by_name', 'j.scanned_at')},
      'event', ${eventFacts('j')},
      'reservation', ${reservationFacts('j')}) as facts
    from judged j
    where j.verdict <> 'undone' or j.undo is not null or exists (select 1 from released)
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, undoes, device_time, reason)
    select 'undo', verdict, $2, ticket_id, event_id, undoes, $6::timestamptz, $5 from answered
  ), happened as (
    select r.id as subject_id, r.sequence, json_build_object('facts', a.facts, 'seat', r.seat, 'at', ${utcSql('now()')},
      'deviceId', d.id, 'deviceName', d.name, 'reason', $5::text) as facts
    from released r join answered a on a.ticket_id = r.id cross join door d
  ), told as (
    ${outboxInsert('ticket.scan_undone', 'happened', '$10')}
  )
select answered.facts, coalesce(answered.replayed, false) as replayed, true as same, false as unknown from door left join answered on true`,
});
