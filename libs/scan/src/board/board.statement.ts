import { eventEndSql, type AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';

/** Minutes of the chart. */
export const boardMinutes = 120;
/** Rows of the log that are read at most, of all events together: more than a large place writes in the time of the chart. */
const mostRows = 20_000;
/** Gates and devices that are shown at most. */
const mostGates = 50;
const mostDevices = 100;
/** People wait at a gate when entries follow each other within this time; longer pauses do not count as work. */
const pauseSeconds = 60;
const paceMinutes = 10;

/** Phones report every 30 seconds. */
const silentSeconds = 120;
/** A report of an earlier evening does not count. */
const contactHours = 12;

const since = `now() - interval '${boardMinutes} minutes'`;

/**
 * The door of an event, all of one moment. $1 event. No row: there is no such event.
 *
 * Entries are those of the log that nobody undid, at the time of the journal line for devices that had no connection. One statement with a
 * bound, because open pages repeat it every few seconds; it uses only indexes that scans write anyway.
 */
export const boardStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'door_board',
  text: `
with event as (
    select e.id, e.name, e.starts_at, ${eventEndSql('e', assumed)} as ends_at, e.cut_off_policy from {tenant}.event e where e.id = $1::uuid
  ), counted as (
    select t.gate_id, count(*)::int as valid, (count(*) filter (where t.status = 'S'))::int as admitted,
      (count(*) filter (where t.status = 'S' and t.left_at is null))::int as inside
    from {tenant}.ticket t join event on event.id = t.event_id
    where t.admission and t.status in ('K', 'S') group by t.gate_id
  ), kind as (
    select distinct t.price_id from {tenant}.ticket t join event on event.id = t.event_id and event.cut_off_policy = 'one_device'
    where t.admission and t.status in ('K', 'S')
  ), recent as materialized (
    select l.id, l.action, l.outcome, l.device_id, l.scan_id, l.gate_id, l.undoes, l.event_id, l.recorded_at
    from {tenant}.scan_log l where l.recorded_at > ${since} order by l.recorded_at desc, l.id desc limit ${mostRows}
  ), attempt as (
    select r.outcome, r.device_id, r.gate_id, r.recorded_at, k.happened_at is not null as is_line,
      coalesce(k.happened_at, r.recorded_at) as at
    from recent r join event on event.id = r.event_id
    left join {tenant}.scan_line k on k.device_id = r.device_id and k.scan_id = r.scan_id
    where r.action = 'scan' and not exists (select 1 from recent u where u.undoes = r.id)
  ), entry as (
    select a.outcome, a.gate_id, a.at from attempt a where a.outcome in ('accepted', 'readmitted') and a.at > ${since}
  ), minute as (
    select e.gate_id, floor(extract(epoch from e.at) / 60)::int as minute, count(*)::int as entries,
      (count(*) filter (where e.outcome = 'accepted'))::int as first
    from entry e group by 1, 2
  ), step as (
    select e.gate_id, extract(epoch from e.at - lag(e.at) over (partition by e.gate_id order by e.at))::float8 as seconds
    from entry e where e.at > now() - interval '${paceMinutes} minutes'
  ), pace as (
    select s.gate_id, avg(s.seconds) as seconds from step s where s.seconds <= ${pauseSeconds} group by s.gate_id having count(*) >= 3
  ), refusal as (
    select a.outcome as reason, count(*)::int as count from attempt a
    where not a.is_line and a.outcome not in ('accepted', 'readmitted', 'left') and a.recorded_at > now() - interval '1 hour'
    group by a.outcome
  ), used as (
    select a.device_id, max(a.recorded_at) as last_at, (count(*) filter (where a.outcome in ('accepted', 'readmitted')))::int as entries,
      (array_agg(a.gate_id order by a.recorded_at desc))[1] as gate_id
    from attempt a where a.device_id is not null group by a.device_id
  ), device as (
    select s.id, s.name, s.role, s.locked_at is not null as locked,
      case when s.archived_at is not null then 'archived' when s.wiped_at is not null then 'wiped' end as gone,
      coalesce(c.gate_id, u.gate_id) as gate_id, coalesce(u.entries, 0) as entries, u.last_at, c.device_id is not null as has_contact,
      c.seen_at, c.app_version, c.battery, c.charging, c.unsent, c.clock_offset_ms, c.clock_error_ms, c.network
    from {tenant}.scanning_device s left join used u on u.device_id = s.id
    left join {tenant}.device_contact c on c.device_id = s.id and c.event_id = $1::uuid
      and c.seen_at > now() - interval '${contactHours} hours'
    where u.device_id is not null or c.device_id is not null
    order by greatest(u.last_at, c.seen_at) desc, s.id limit ${mostDevices}
  )
select json_build_object('id', event.id, 'name', event.name, 'startsAt', ${utcSql('event.starts_at')},
    'endsAt', ${utcSql('event.ends_at')}) as event,
  ${utcSql('now()')} as now, floor(extract(epoch from now()) / 60)::int as minute,
  (select coalesce(json_agg(json_build_object('gate', c.gate_id, 'valid', c.valid, 'admitted', c.admitted, 'inside', c.inside)), '[]')
    from counted c) as counted,
  (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by g.position, g.name, g.id), '[]') from (
    select g.id, g.name, g.position from {tenant}.gate g where g.event_id is null or g.event_id = event.id
    order by g.position, g.name, g.id limit ${mostGates}) g) as gates,
  (select coalesce(json_agg(json_build_object('gate', m.gate_id, 'minute', m.minute, 'entries', m.entries, 'first', m.first)), '[]')
    from minute m) as minutes,
  (select coalesce(json_agg(json_build_object('gate', p.gate_id, 'seconds', p.seconds)), '[]') from pace p) as pace,
  (select coalesce(json_agg(json_build_object('reason', r.reason, 'count', r.count) order by r.count desc, r.reason), '[]')
    from refusal r) as refusals,
  (select count(*)::int from {tenant}.scan_conflict c where c.event_id = event.id and c.decision is null) as undecided,
  case when event.cut_off_policy = 'one_device' then (
    select coalesce(json_agg(json_build_object('product', q.name, 'price', p.name, 'deviceId', l.device_id, 'device', s.name,
      'gate', g.name, 'until', ${utcSql('l.ends_at')}) order by q.name, p.name, p.id), '[]')
    from kind k join {tenant}.price p on p.id = k.price_id join {tenant}.product q on q.id = p.product_id
    left join {tenant}.door_lease l on l.event_id = event.id and l.price_id = p.id and l.ends_at > now()
    left join {tenant}.scanning_device s on s.id = l.device_id left join {tenant}.gate g on g.id = l.gate_id) end as leases,
  (select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'role', d.role, 'locked', d.locked,
      'gone', d.gone, 'gate', d.gate_id,
      'entries', d.entries, 'lastAt', ${utcSql('d.last_at')}, 'contact', case when d.has_contact then json_build_object(
        'at', ${utcSql('d.seen_at')}, 'silent', d.seen_at < now() - interval '${silentSeconds} seconds', 'version', d.app_version,
        'battery', d.battery, 'charging', d.charging, 'unsent', d.unsent, 'clockOffsetMs', d.clock_offset_ms,
        'clockErrorMs', d.clock_error_ms, 'network', d.network) end) order by d.name, d.id), '[]') from device d) as devices
from event`,
});
