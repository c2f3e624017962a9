import type { AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { outboxInsert } from '#webhooks';
import { windowEndSql } from './scan-statement.js';

/**
 * Undoes the last scan of a ticket on behalf of staff, of any device and without time limit: S→K, once.
 *
 * $1 ticket · $2 user · $3 name of the user · $4 reason · $5 language, time zone and request id as JSON · $6 tenant. No row: the ticket
 * is not scanned, or its scan was undone in the meantime.
 */
export const staffUndoStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'staff_undo',
  text: `
with found as (
    select t.id, t.first_name, t.last_name, t.reservation_id, t.event_id, t.scanned_at, p.name as price_name, pr.name as product_name,
      e.name as event_name, e.starts_at, coalesce(a.name, a.street_address || ', ' || a.address_locality) as place,
      e.starts_at - make_interval(mins => e.scan_opens_minutes_before) as opens_at,
      ${windowEndSql(assumed)} as closes_at
    from {tenant}.ticket t
    join {tenant}.event e on e.id = t.event_id
    join {tenant}.price p on p.id = t.price_id
    join {tenant}.product pr on pr.id = p.product_id
    left join {tenant}.postal_address a on a.id = e.postal_address_id
    where t.id = $1::uuid
  ), released as (
    update {tenant}.ticket t set status = 'K', scanned_at = null, scanned_by = null, gate_id = null, left_at = null,
      sequence = t.sequence + 1
    from found where t.id = found.id and t.status = 'S' and t.scanned_at is not distinct from found.scanned_at
    returning t.id, t.sequence, t.seat
  ), scan as (
    select l.id from {tenant}.scan_log l where l.action = 'scan' and l.outcome = 'accepted' and l.ticket_id = $1::uuid
    order by l.recorded_at desc, l.id desc limit 1
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, user_id, ticket_id, event_id, undoes, reason, ticket_sequence)
    select 'undo', 'undone', $2::uuid, f.id, f.event_id,
      (select scan.id from scan where not exists (select 1 from {tenant}.scan_log u where u.undoes = scan.id)), $4, r.sequence
    from released r join found f on f.id = r.id
  ), happened as (
    select r.id as subject_id, r.sequence, json_build_object(
      'facts', json_build_object(
        'outcome', 'undone', 'language', $5::json ->> 'language', 'timeZone', $5::json ->> 'timeZone',
        'requestId', $5::json ->> 'requestId',
        'ticket', json_build_object('uuid', f.id, 'status', 'K', 'firstName', f.first_name, 'lastName', f.last_name,
          'price', f.price_name, 'product', f.product_name, 'scannedBy', null, 'scannedByName', null, 'scannedAt', null),
        'event', json_build_object('uuid', f.event_id, 'name', f.event_name, 'place', f.place, 'startsAt', ${utcSql('f.starts_at')},
          'opensAt', ${utcSql('f.opens_at')}, 'closesAt', ${utcSql('f.closes_at')}),
        'reservation', json_build_object('uuid', f.reservation_id, 'ticketsCount', (
          select count(*) from {tenant}.ticket o where o.reservation_id = f.reservation_id and o.admission and o.status <> 'R'))),
      'seat', r.seat, 'at', ${utcSql('now()')}, 'deviceId', $2::text, 'deviceName', $3::text, 'reason', $4::text) as facts
    from released r join found f on f.id = r.id
  ), told as (
    ${outboxInsert('ticket.scan_undone', 'happened', '$6')}
  )
select r.id from released r`,
});
