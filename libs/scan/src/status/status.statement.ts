import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { doorSql } from '../statements/scan-statement.js';

/**
 * SQL: the position of this moment in the changes of the tenant's tickets: every change that this statement does not see belongs to a
 * transaction from this number on. The number of the table tells positions of before a restore or a move apart.
 */
export const positionSql = `'{tenant}.ticket'::regclass::oid::text || '-' || pg_snapshot_xmin(pg_current_snapshot())::text`;

/**
 * People at an event. $1 event · $2 device · $3 key. No row: the key is not (or no longer) valid; null `event`: there is no such event.
 * One statement, so that all numbers are of one moment.
 */
export const statusStatement: PreparedStatement = {
  name: 'door_status',
  text: `
with ${doorSql}, event as (
    select e.id, e.name from {tenant}.event e join door on true where e.id = $1::uuid
  ), counted as (
    select t.gate_id, count(*)::int as valid, (count(*) filter (where t.status = 'S'))::int as admitted,
      (count(*) filter (where t.status = 'S' and t.left_at is null))::int as inside
    from {tenant}.ticket t join event on event.id = t.event_id
    where t.admission and t.status in ('K', 'S') group by t.gate_id
  )
select (select json_build_object('uuid', event.id, 'name', event.name) from event) as event,
  ${utcSql('now()')} as "serverTime", ${positionSql} as position,
  coalesce((select sum(valid) from counted), 0)::int as expected, coalesce((select sum(admitted) from counted), 0)::int as admitted,
  coalesce((select sum(inside) from counted), 0)::int as inside,
  (select coalesce(json_agg(json_build_object('uuid', g.id, 'name', g.name, 'inside', coalesce(c.inside, 0))
      order by g.position, g.name, g.id), '[]')
    from event join {tenant}.gate g on g.event_id is null or g.event_id = event.id left join counted c on c.gate_id = g.id) as gates
from door`,
};
