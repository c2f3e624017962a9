import { eventEndSql, type AssumedDuration } from '#catalogue';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { doorSql, windowEndSql } from '../statements/scan-statement.js';

/**
 * The first $1 running and coming events by start: published ones, including private ones. An event runs until its end, or until its scan
 * window closes when that is later.
 *
 * $1 number of events · $2 device · $3 key. No row: the key is not (or no longer) valid. Raw SQL, because the key is checked in the same
 * statement.
 */
export const doorEventsStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'door_events',
  text: `
with ${doorSql}, coming as (
    select e.id, e.name, e.starts_at, e.ends_at, coalesce(a.name, a.street_address || ', ' || a.address_locality) as place,
      e.starts_at - make_interval(mins => e.scan_opens_minutes_before) as opens_at,
      ${windowEndSql(assumed)} as closes_at
    from {tenant}.event e left join {tenant}.postal_address a on a.id = e.postal_address_id
    where e.published
      and greatest(${eventEndSql('e', assumed)}, ${windowEndSql(assumed)}) >= now()
    order by e.starts_at, e.name, e.id limit $1::int
  )
select (select coalesce(json_agg(json_build_object('uuid', c.id, 'name', c.name, 'place', c.place, 'startsAt', ${utcSql('c.starts_at')},
    'endsAt', ${utcSql('c.ends_at')}, 'opensAt', ${utcSql('c.opens_at')}, 'closesAt', ${utcSql('c.closes_at')})
  order by c.starts_at, c.name, c.id), '[]') from coming c) as events
from door`,
});
