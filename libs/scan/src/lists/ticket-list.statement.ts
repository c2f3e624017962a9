import { foldedColumnSql, utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { doorSql } from '../statements/scan-statement.js';
import { downloadSql } from './downloads.js';

/** Allowed orders of the list; these names are in the API. */
export const ticketOrders = ['last_name', 'first_name', 'email', 'price', 'product', 'status', 'reservation_datetime'] as const;
export type TicketOrder = (typeof ticketOrders)[number];

/** SQL: first or last name of a ticket; that of the buyer when the ticket has none. */
export const nameSql = (part: 'first' | 'last'): string =>
  `case when t.first_name = '' and t.last_name = '' then r.${part}_name else t.${part}_name end`;

const orderKeys: Readonly<Record<TicketOrder, string>> = {
  last_name: 'g.by_name',
  first_name: `concat_ws(' ', ${foldedColumnSql('g.first_name')}, ${foldedColumnSql('g.last_name')})`,
  email: 'lower(g.email)',
  price: foldedColumnSql('g.price'),
  product: foldedColumnSql('g.product'),
  status: 'g.status',
  reservation_datetime: utcSql('g.reserved_at'),
};

const orderKey = `case $7::text ${ticketOrders.map((name) => `when '${name}' then ${orderKeys[name]}`).join(' ')} end`;

/**
 * A page of the tickets of an event, for a device that may search them.
 *
 * $1 event · $2 device · $3 key · $4 to $6 one element for each search word: a LIKE pattern, and the first and the last UUID that begin
 * with the word, or null; a ticket matches when it contains every word · $7 order · $8 whether descending · $9 tickets per page · $10
 * number of tickets to skip · $11 what it is for the log.
 *
 * No row: the key is not (or no longer) valid. A ticket without names has those of its buyer. Names are stored folded; prices and
 * products are folded once per statement. Raw SQL: one prepared statement checks the key, the permission and the event and reads the
 * page.
 */
export const ticketListStatement: PreparedStatement = {
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
    select t.id, t.status, t.reservation_id, coalesce(t.holder_email, r.email) as email,
      r.created_at as reserved_at, s.price, s.product, s.searched,
      ${nameSql('first')} as first_name,
      ${nameSql('last')} as last_name,
      case when t.first_name = '' and t.last_name = '' then r.search_text else t.search_text end as by_name,
      t.search_text || E'\\n' || r.search_text as told
    from {tenant}.ticket t
    join {tenant}.reservation r on r.id = t.reservation_id and r.event_id = $1::uuid
    join sold s on s.id = t.price_id
    where t.event_id = $1::uuid and exists (select 1 from event)
  ), guest as (
    select n.* from named n where not exists (
      select 1 from unnest($4::text[], $5::uuid[], $6::uuid[]) as word (within, first, last)
      where n.told not like word.within and n.searched not like word.within
        and (word.first is null or n.id not between word.first and word.last and n.reservation_id not between word.first and word.last))
  ), page as (
    select g.*, case when $8::boolean then null else ${orderKey} end as ascending,
      case when $8::boolean then ${orderKey} end as descending
    from guest g order by ascending, descending desc, by_name, g.id limit $9::int offset $10::bigint
  ), ${downloadSql('$11::text')}
select (select d.may_search_tickets from {tenant}.scanning_device d where d.id = door.id) as "maySearch",
  exists (select 1 from event) as "hasEvent", (select count(*)::int from guest) as total,
  (select coalesce(json_agg(json_build_object('id', p.id, 'status', p.status,
      'reservationId', p.reservation_id, 'email', p.email, 'reservedAt', ${utcSql('p.reserved_at')},
      'price', p.price, 'product', p.product, 'firstName', p.first_name, 'lastName', p.last_name)
    order by p.ascending, p.descending desc, p.by_name, p.id), '[]') from page p) as tickets
from door`,
};
