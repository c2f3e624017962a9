import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';

/**
 * A page of the people who are expected at an event, from A to Z, with those who confirmed their
 * reservation and pay at the venue. $1 event · $2 whether
 * only people inside · $3 tickets per page · $4 number of tickets to skip. No row: there is no such event.
 *
 * Tickets of a reservation stand together under its buyer's name, except for tickets that were given to somebody else. A ticket without
 * names has those of its buyer. Parties without any name come last.
 */
export const guestListStatement: PreparedStatement = {
  name: 'guest_list',
  text: `
with event as (
    select e.id, e.name, e.starts_at from {tenant}.event e where e.id = $1::uuid
  ), guest as (
    select t.id, t.reservation_id, t.status, t.left_at, p.name as price, o.name as product,
      case when t.holder_email is null then t.reservation_id else t.id end as party,
      case when t.first_name = '' and t.last_name = '' then r.first_name else t.first_name end as first_name,
      case when t.first_name = '' and t.last_name = '' then r.last_name else t.last_name end as last_name,
      case when t.first_name = '' and t.last_name = '' then '' else t.search_text end as own_name,
      case when t.holder_email is null then r.first_name || r.last_name else t.first_name || t.last_name end = '' as nameless,
      case when t.holder_email is null then r.search_text else t.search_text end as party_name
    from {tenant}.ticket t join event on event.id = t.event_id
    join {tenant}.reservation r on r.id = t.reservation_id
    join {tenant}.price p on p.id = t.price_id join {tenant}.product o on o.id = p.product_id
    where t.admission and (t.status = 'S' and (not $2::boolean or t.left_at is null)
      or not $2::boolean and (t.status = 'K' or t.status in ('C', 'N') and r.status = 'R' and r.pay_at_venue
        and r.pay_until is null and r.released_at is null))
  ), page as (
    select g.*, row_number() over (order by g.nameless, g.party_name, g.party, g.own_name, g.id) as place
    from guest g order by g.nameless, g.party_name, g.party, g.own_name, g.id limit $3::int offset $4::int
  )
select json_build_object('id', event.id, 'name', event.name, 'startsAt', ${utcSql('event.starts_at')}) as event,
  ${utcSql('now()')} as at, (select count(*)::int from guest) as total,
  (select count(*)::int from guest g where g.status = 'S' and g.left_at is null) as inside,
  (select coalesce(json_agg(json_build_object('id', p.id, 'reservationId', p.reservation_id, 'party', p.party, 'firstName', p.first_name,
      'lastName', p.last_name, 'price', p.price, 'product', p.product,
      'state', case when p.status in ('C', 'N') then 'toPay' when p.status = 'K' then 'expected'
        when p.left_at is null then 'inside' else 'outside' end)
    order by p.place), '[]') from page p) as guests
from event`,
};
