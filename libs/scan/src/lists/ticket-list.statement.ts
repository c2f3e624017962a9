import { foldedColumnSql, utcSql } from '#kernel';
import type { DoorStatement } from '#tenancy';
import { doorSql } from '../scan-statement.js';

/** What lists are ordered by; the names of the wire. */
export const ticketOrders = ['last_name', 'first_name', 'email', 'price', 'product', 'status', 'reservation_datetime'] as const; // prettier-ignore
export type TicketOrder = (typeof ticketOrders)[number];

const byName = `concat_ws(' ', ${foldedColumnSql('g.last_name')}, ${foldedColumnSql('g.first_name')})`;

const orderKeys: Readonly<Record<TicketOrder, string>> = {
  last_name: byName,
  first_name: `concat_ws(' ', ${foldedColumnSql('g.first_name')}, ${foldedColumnSql('g.last_name')})`,
  email: 'lower(g.email)',
  price: foldedColumnSql('g.price'),
  product: foldedColumnSql('g.product'),
  status: 'g.status',
  reservation_datetime: utcSql('g.reserved_at'),
};

const orderKey = `case $6::text ${ticketOrders.map((name) => `when '${name}' then ${orderKeys[name]}`).join(' ')} end`;

/**
 * A page of the tickets of an event, for a device that may search them.
 *
 * $1 event · $2 device · $3 key · $4 and $5 one element for each word that is searched: a pattern for what people read, and one for the beginning
 * of an identifier; a ticket is found when every word is in it · $6 order · $7 whether descending · $8 tickets a page · $9 tickets before it.
 *
 * No row: the key does not work (any more). A ticket without names has those of its buyer. Prices and products are folded once, not once a
 * ticket. Raw SQL: one prepared statement checks the key, the permission and the event and reads the page.
 */
export const ticketListStatement: DoorStatement = {
  name: 'ticket_list',
  text: `
with ${doorSql}, event as (
    select e.id from {tenant}.event e
    where e.id = $1::uuid and exists (select 1 from door join {tenant}.scanning_device d on d.id = door.id and d.may_search_tickets)
  ), sold as (
    select p.id, p.name as price, r.name as product, ${foldedColumnSql('p.name')} || E'\\n' || ${foldedColumnSql('r.name')} as searched
    from {tenant}.price p join {tenant}.product r on r.id = p.product_id
    where p.id in (select t.price_id from {tenant}.ticket t where t.event_id = $1::uuid)
  ), named as (
    select t.id, t.status, t.signing_key_id, t.reservation_id, r.email, r.created_at as reserved_at, s.price, s.product, s.searched,
      case when t.first_name = '' and t.last_name = '' then r.first_name else t.first_name end as first_name,
      case when t.first_name = '' and t.last_name = '' then r.last_name else t.last_name end as last_name,
      concat_ws(E'\\n', t.first_name, t.last_name, r.first_name, r.last_name, r.email) as told
    from {tenant}.ticket t
    join {tenant}.reservation r on r.id = t.reservation_id and r.event_id = $1::uuid
    join sold s on s.id = t.price_id
    where t.event_id = $1::uuid and exists (select 1 from event)
  ), guest as (
    select n.* from named n
    cross join lateral (select case when cardinality($4::text[]) > 0 then n.searched || E'\\n' || ${foldedColumnSql('n.told')} end as text offset 0) folded
    where not exists (
      select 1 from unnest($4::text[], $5::text[]) as word (within, starts)
      where folded.text not like word.within and n.id::text not like word.starts and n.reservation_id::text not like word.starts)
  ), page as (
    select g.*, ${byName} as by_name, case when $7::boolean then null else ${orderKey} end as ascending,
      case when $7::boolean then ${orderKey} end as descending
    from guest g order by ascending, descending desc, by_name, g.id limit $8::int offset $9::bigint
  )
select (select d.may_search_tickets from {tenant}.scanning_device d where d.id = door.id) as "maySearch",
  exists (select 1 from event) as "hasEvent", (select count(*)::int from guest) as total,
  (select coalesce(json_agg(json_build_object('id', p.id, 'status', p.status, 'signingKeyId', p.signing_key_id, 'reservationId', p.reservation_id,
      'email', p.email, 'reservedAt', ${utcSql('p.reserved_at')}, 'price', p.price, 'product', p.product, 'firstName', p.first_name, 'lastName', p.last_name)
    order by p.ascending, p.descending desc, p.by_name, p.id), '[]') from page p) as tickets
from door`,
};
