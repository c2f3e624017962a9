import { eventEndSql, type AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { windowEndSql } from '../statements/scan-statement.js';

/** The most gates, and the most devices, of a list: their numbers have one byte. */
export const mostNumbers = 250;

/** The hours after the end of the event for which its list is valid. */
const leaseHours = 6;

/** The most tickets of a whole list that has the times of all cancellations. In larger ones, they take too much: those have 12 hours. */
const mostTimes = 5000;

/** SQL: the number of the transaction that wrote a row, from the 32 bits that the row has of it. */
export const writtenBy = (row: string): string => `m.xmax - ((m.xmax - ${row}.xmin::text::bigint) & 4294967295)`;

/** SQL: the state of a ticket in the list (`packStates`). */
export const packStateSql = `case when not t.admission then 6 when t.status = 'R' or r.status = 'C' then 5
        when t.status in ('C', 'N') and (r.status = 'U' or greatest(t.amount, r.amount) > 0) then 3
        when t.status in ('C', 'N') then 4
        when t.status = 'K' then 0 when t.left_at is null then 1 else 2 end`;

/**
 * SQL: the first eight bytes of HMAC-SHA256(salt, 16 bytes of the id). HMAC is two SHA-256, which PostgreSQL has itself.
 *
 * @param inner, outer parameters: the salt as a block of 64 bytes, each byte combined with 0x36 and with 0x5c
 */
export const ticketHashSql = (id: string, inner: string, outer: string): string =>
  `substr(sha256(${outer}::bytea || sha256(${inner}::bytea || uuid_send(${id}))), 1, 8)`;

/** SQL: a number of `bytes` bytes, big-endian. */
const bytesSql = (number: string, bytes: number): string => `substr(int8send(${number}), ${9 - bytes})`;

/**
 * Everything that the list of an event holds, and the position of this moment. PostgreSQL makes the arrays, in the order of the hashes, so
 * that a list of 10,000 tickets takes the event loop a millisecond.
 *
 * $1 event · $2 null: all tickets; else those that transactions from this number on wrote, or whose reservation they wrote · $3, $4 the
 * salt (see `ticketHashSql`). Null `event`: there is no such event.
 *
 * Numbers of transactions in rows have 32 bits; the full number follows from the current one, because a position is a day old at most. A
 * transaction of the position may still run: what it writes has a number from `xmin` on, also in a subtransaction. `recent` holds which of
 * these rows the list has: 24 bytes each: the hash, the transactions of the ticket and of the reservation.
 */
export const packStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'pack',
  text: `
with moment as (
    select pg_snapshot_xmin(c.now)::text::bigint as xmin, pg_snapshot_xmax(c.now)::text::bigint as xmax
    from (select pg_current_snapshot() as now) c
  ), event as (
    select e.id, e.name, e.starts_at, e.ends_at, e.reentry, e.cut_off_policy, e.door_note, e.minimum_age,
      coalesce(a.name, a.street_address || ', ' || a.address_locality) as place,
      e.starts_at - make_interval(mins => e.scan_opens_minutes_before) as opens_at, ${windowEndSql(assumed)} as closes_at,
      ${eventEndSql('e', assumed)} + interval '${leaseHours} hours' as lease_end
    from {tenant}.event e left join {tenant}.postal_address a on a.id = e.postal_address_id where e.id = $1::uuid
  ), sold as materialized (
    select t.id, t.price_id, t.reservation_id, t.gate_id, t.scanned_by, t.code_version, ${packStateSql} as state,
      case when t.status = 'S' then coalesce(t.left_at, t.scanned_at) end as moved_at,
      case when t.admission and (t.status = 'R' or r.status = 'C') then coalesce(t.cancelled_at, r.cancelled_at) end as cancelled_at,
      greatest(t.amount, r.amount) as amount,
      ${writtenBy('t')} as written, ${writtenBy('r')} as reserved
    from moment m cross join {tenant}.ticket t join {tenant}.reservation r on r.id = t.reservation_id and r.event_id = $1::uuid
    where t.event_id = $1::uuid and not r.is_draft
  ), kind as (
    select p.id, p.name as price, p.door_note, p.entry_rule, q.name as product, p.product_id,
      row_number() over (order by q.name, p.name, p.id) - 1 as at
    from {tenant}.price p join {tenant}.product q on q.id = p.product_id where p.id in (select s.price_id from sold s)
  ), way as (
    select g.id, g.name, row_number() over (order by g.position, g.name, g.id) - 1 as at
    from {tenant}.gate g where g.event_id is null or g.event_id = $1::uuid order by g.position, g.name, g.id limit ${mostNumbers}
  ), mover as (
    select d.id, d.name, row_number() over (order by d.created_at, d.id) - 1 as at
    from {tenant}.scanning_device d where d.id in (select s.scanned_by from sold s) order by d.created_at, d.id limit ${mostNumbers}
  ), counted as (
    select s.gate_id, (count(*) filter (where s.state <= 2))::int as valid,
      (count(*) filter (where s.state in (1, 2)))::int as admitted, (count(*) filter (where s.state = 1))::int as inside
    from sold s group by s.gate_id
  ), party as (
    select s.reservation_id, row_number() over (order by s.reservation_id) as number
    from sold s where $2::bigint is null group by s.reservation_id having count(*) > 1
  ), listed as (
    select ${ticketHashSql('s.id', '$3', '$4')} as hash, kind.at as type, s.state,
      case when s.moved_at is not null then way.at end as gate, case when s.moved_at is not null then mover.at end as device,
      s.code_version & 255 as transfers, coalesce(floor(extract(epoch from case
        when s.cancelled_at is null then s.moved_at
        when $2::bigint is not null or (select count(*) from sold) <= ${mostTimes} or s.cancelled_at > (select now()) - interval '12 hours'
          then s.cancelled_at end)), 0)::bigint as moment,
      coalesce(party.number, 0) as party, case when s.state = 3 and s.amount > 0 then s.amount::text end as due, s.written, s.reserved
    from sold s join kind on kind.id = s.price_id left join way on way.id = s.gate_id left join mover on mover.id = s.scanned_by
      left join party on party.reservation_id = s.reservation_id
    where $2::bigint is null or s.written >= $2::bigint or s.reserved >= $2::bigint
    order by 1
  ), arrays as (
    select string_agg(l.hash, ''::bytea) as hashes, string_agg(${bytesSql('l.type', 2)}, ''::bytea) as type,
      string_agg(${bytesSql('l.state', 1)}, ''::bytea) as state, string_agg(${bytesSql('coalesce(l.gate, 255)', 1)}, ''::bytea) as gate,
      string_agg(${bytesSql('coalesce(l.device, 255)', 1)}, ''::bytea) as device,
      string_agg(${bytesSql('l.transfers', 1)}, ''::bytea) as transfers, string_agg(${bytesSql('l.moment', 4)}, ''::bytea) as moment,
      json_object_agg(encode(l.hash, 'hex'), l.due order by l.hash) filter (where l.due is not null) as due,
      case when max(l.party) <= 65535 then string_agg(${bytesSql('l.party', 2)}, ''::bytea) end as party,
      string_agg(case when $2::bigint is not null or greatest(l.written, l.reserved) >= m.xmin
        then l.hash || int8send(l.written) || int8send(l.reserved) end, ''::bytea) as recent
    from listed l cross join moment m
  )
select (select json_build_object('uuid', e.id, 'name', e.name, 'place', e.place, 'startsAt', ${utcSql('e.starts_at')},
      'endsAt', ${utcSql('e.ends_at')}, 'opensAt', ${utcSql('e.opens_at')}, 'closesAt', ${utcSql('e.closes_at')},
      'leaseEnd', ${utcSql('e.lease_end')}, 'reentry', e.reentry, 'policy', e.cut_off_policy, 'note', e.door_note,
      'age', e.minimum_age) from event e) as event,
  '{tenant}.ticket'::regclass::oid::text as "table", m.xmin::text as xmin, m.xmax::text as xmax, ${utcSql('now()')} as "serverTime",
  (select coalesce(json_agg(json_build_object('uuid', w.id, 'name', w.name, 'types', case
      when exists (select 1 from {tenant}.gate_rule u where u.gate_id = w.id) then (
        select coalesce(json_agg(k.at order by k.at), '[]') from kind k where exists (
          select 1 from {tenant}.gate_rule u where u.gate_id = w.id and (u.product_id = k.product_id or u.price_id = k.id))) end)
    order by w.at), '[]') from way w) as gates,
  (select coalesce(json_agg(case k.entry_rule
      when 'once' then json_build_object('uuid', k.id, 'price', k.price, 'product', k.product, 'note', k.door_note)
      else json_build_object('uuid', k.id, 'price', k.price, 'product', k.product, 'note', k.door_note, 'entry', k.entry_rule) end
    order by k.at), '[]')
    from kind k) as types,
  (select coalesce(json_agg(json_build_object('uuid', d.id, 'name', d.name) order by d.at), '[]') from mover d) as devices,
  json_build_object('expected', coalesce((select sum(valid) from counted), 0), 'admitted', coalesce((select sum(admitted) from counted), 0),
    'inside', coalesce((select sum(inside) from counted), 0),
    'gates', (select coalesce(json_agg(coalesce(c.inside, 0) order by w.at), '[]') from way w left join counted c on c.gate_id = w.id)
  ) as counts,
  (select count(*)::text || ':' || coalesce(sum(hashtext(c.id::text || c.xmin::text)), 0) from {tenant}.scan_conflict c
    where c.event_id = $1::uuid) as ledger,
  (select count(*)::int from sold) as count,
  a.hashes, a.type, a.state, a.gate, a.device, a.transfers, a.moment, a.party, a.due, a.recent
from moment m cross join arrays a`,
});
