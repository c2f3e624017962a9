import { eventEndSql, type AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import { keyIsUsable, type PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import { reentrySql, renewedSql } from './entry-rule-sql.js';
import { doorFacts, groupNames, hereSql, passesSql } from './gate-sql.js';
import { deviceIsOpen } from './opening-sql.js';

const doorWith = (condition: string): string => `
  door as (
    select d.id, d.name, d.role, d.team_code_id from {tenant}.scanning_device d join shared.api_key k on k.id = $3 and k.device_id = d.id
    where d.id = $2 and d.archived_at is null and ${keyIsUsable}${condition}
  )`;

/** The device, provided that its key is valid and that it may work at this moment: no row, no scan. */
export const doorSql = doorWith(` and ${deviceIsOpen}`);

/** The same for devices that are locked or outside their opening hours, too: they still send what they did before. */
export const knownDoorSql = doorWith('');

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
/** Outcomes that move the ticket when the action is a scan. */
const moves = "j.verdict in ('accepted', 'readmitted', 'left')";

/** SQL: the time zone of the tenant in the parameter of scans. */
const timeZone = "$10::json ->> 'timeZone'";

/** @param renewed SQL: see `renewedSql`; statements that let nobody in need none */
export const ticketColumns = (assumed: AssumedDuration, renewed = 'false'): string => `
    select t.id, t.status, t.first_name, t.last_name, t.reservation_id, t.event_id, t.scanned_at, t.scanned_by, s.name as scanned_by_name,
      t.admission, t.fulfilled_at, t.fulfilled_by, t.fulfilled_by_name, t.code_version, t.left_at, t.gate_id,
      t.withdrawn_at, coalesce(t.cancelled_at, r.cancelled_at) as cancelled_at, t.price_id, p.product_id,
      ${reentrySql('e', 'p')} as reentry, ${renewed} as renewed, e.door_note as event_note, e.minimum_age,
      p.door_note as price_note,
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

/** What differs between devices that name a gate or a direction and those that do not. */
interface Door {
  readonly name: string;
  /** Further CTEs before `judged`. */
  readonly reads: string;
  readonly unknownGate: string;
  /** Branches of the verdict on a valid ticket that was scanned before. */
  readonly scanned: string;
  readonly refusesGate: string;
  /** Columns that a movement sets. */
  readonly sets: string;
  readonly gate: string;
  readonly direction: string;
  readonly facts: string;
  readonly names: string;
}

/** Conditions of a verdict: a ticket of an order that is not paid or not confirmed. */
export const notActiveSql = `when found.status in ('C', 'N') and (found.reservation_status = 'U' or found.amount > 0) then 'not_paid'
      when found.status in ('C', 'N') then 'not_active'`;

/** Conditions of a verdict: a ticket that lets nobody in at any time, alone or in a group. Parameters as in `attemptStatement`. */
export const refusedAdmissionSql = `when $1::uuid is not null and $12::int is null and door.role = 'kiosk' then 'not_permitted'
      when found.id is null then 'unknown'
      when found.code_version <> $12::int then 'revoked'
      when not found.admission then 'not_admission'
      when found.status = 'R' or found.reservation_status = 'C' then 'cancelled'
      when found.event_id <> $5::uuid then 'wrong_event'
      ${notActiveSql}`;

/** Every attempt of such a device is an entry. It sees the answers of the specification alone. */
const plainDoor: Door = {
  name: 'attempt',
  reads: '',
  unknownGate: '',
  scanned: "when found.status = 'S' and not found.renewed and (found.left_at is null or not found.reentry) then 'already_scanned'",
  refusesGate: '',
  sets: 'scanned_at = now(), scanned_by = $2, left_at = null',
  gate: 'null::uuid',
  direction: 'null::text',
  facts: '',
  names: '',
};

const gatedDoor: Door = {
  name: 'attempt_at_gate',
  reads: `${hereSql('$13')}, `,
  unknownGate: "when $13::uuid is not null and not exists (select 1 from here) then 'unknown_gate'",
  scanned: `when $14 = 'exit' then case when found.status = 'S' and found.left_at is null then 'left' else 'not_inside' end
      when found.status = 'S' and not found.renewed and found.left_at is null then 'already_scanned'
      when found.status = 'S' and not found.renewed and not found.reentry then 'no_reentry'`,
  refusesGate: `when exists (select 1 from here where not ${passesSql('here', 'found')}) then 'wrong_gate'`,
  sets: `scanned_at = case judged.verdict when 'left' then t.scanned_at else (select now()) end,
      scanned_by = case judged.verdict when 'left' then t.scanned_by else $2 end,
      left_at = case judged.verdict when 'left' then (select now()) end`,
  gate: '$13::uuid',
  direction: '$14::text',
  facts: `, 'door', ${doorFacts('j', "case when o.id = j.id and $4 = 'scan' then j.verdict end", '$14')}`,
  names: `, ${groupNames("coalesce(prior.facts, answered.facts) -> 'reservation' ->> 'uuid'")} as names`,
};

/**
 * One attempt: one statement decides, updates and logs.
 *
 * $1 ticket or null · $2 device · $3 key · $4 action (check or scan) · $5 event of this entrance or null · $6 attempt id or null · $7
 * request hash · $8 device time or null · $9 fault of the code (missing, malformed, forged) or null · $10 language, time zone and request
 * id as JSON · $11 tenant · $12 number of transfers in the code: a code from before a transfer is
 * revoked; null: the ticket was named by its id, which guests at a kiosk may not. `gated`: $13 gate or null · $14
 * direction (entry or exit).
 *
 * No row: the key is not (or no longer) valid. `unknown`: there is no such ticket and nothing was logged; `cardStatement` runs next.
 * Otherwise null `facts`: a concurrent attempt updated the row first, or this attempt id is being answered; run the statement again to
 * see the result. `replayed`: this attempt id was answered before, with these facts and, stored separately, these names of the `holder`.
 *
 * The conditional update decides which scan is first: concurrent scans wait for the row lock, find the ticket scanned, and update
 * nothing. The same holds for exits and entries after an exit. Two texts, so that devices without gates do not pay for them.
 */
export const attemptStatement = (assumed: AssumedDuration, gated = false): PreparedStatement => {
  const at = gated ? gatedDoor : plainDoor;
  return {
    name: at.name,
    text: `
with ${priorSql('$6', '$7', '$4')}, ${doorSql}, ${at.reads}found as (${ticketColumns(assumed, renewedSql('t', 'p', timeZone))}
    from {tenant}.ticket t ${ticketJoins}
    where t.id = $1::uuid and $9::text is null
  ), judged as (
    select found.*, case
      when $9::text is not null then $9::text
      ${at.unknownGate}
      ${refusedAdmissionSql}
      ${at.scanned}
      when now() < found.opens_at then 'too_early'
      when now() > found.closes_at then 'too_late'
      ${at.refusesGate}
      when found.status = 'S' then 'readmitted'
      else 'accepted' end as verdict
    from door left join found on true
    where not exists (select 1 from prior)
  ), claimed as (
    update {tenant}.ticket t set status = 'S', gate_id = ${at.gate}, sequence = t.sequence + 1, ${at.sets}
    from judged where t.id = judged.id and $4 = 'scan' and t.admission
      and ($12::int is null or t.code_version = $12::int) and case judged.verdict
      when 'accepted' then t.status = 'K'
      when 'readmitted' then t.status = 'S' and (t.left_at is not null or judged.renewed and t.scanned_at = judged.scanned_at)
      when 'left' then t.status = 'S' and t.left_at is null end
    returning t.id, t.sequence, t.seat
  ), answered as (
    select j.verdict, j.id as ticket_id, j.event_id, json_build_object(
      'outcome', j.verdict, 'language', $10::json ->> 'language', 'timeZone', $10::json ->> 'timeZone',
      'requestId', $10::json ->> 'requestId',
      'ticket', ${ticketFacts('j', statusOnceScanned, 'j.scanned_by', 'j.scanned_by_name', 'j.scanned_at')},
      'event', ${eventFacts('j')},
      'reservation', ${reservationFacts('j')}${at.facts}) as facts
    from judged j
    where j.verdict <> 'unknown' and (not (${moves} and $4 = 'scan') or exists (select 1 from claimed))
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, ticket_id, event_id, scan_id, device_time, request_hash, facts, gate_id,
      direction, ticket_sequence)
    select $4, verdict, $2, ticket_id, event_id, $6, $8::timestamptz,
      case when $6::uuid is not null then $7::bytea end, ${loggedFacts('$6')}, ${at.gate}, ${at.direction}, (select sequence from claimed)
    from answered
  ), happened as (
    select c.id as subject_id, c.sequence, json_build_object('facts', a.facts, 'seat', c.seat, 'at', ${utcSql('now()')},
      'deviceId', d.id, 'deviceName', d.name) as facts
    from claimed c join answered a on a.ticket_id = c.id and a.verdict = 'accepted' cross join door d
  ), told as (
    ${outboxInsert('ticket.scanned', 'happened', '$11')}
  )
select coalesce(prior.facts, answered.facts) as facts, prior.holder, prior.facts is not null as replayed,
  coalesce(prior.same, true) as same, exists (select 1 from judged where verdict = 'unknown') as unknown${at.names}
from door left join prior on true left join answered on true`,
  };
};
