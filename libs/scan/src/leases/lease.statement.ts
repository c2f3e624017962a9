import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { doorSql } from '../statements/scan-statement.js';

/** Minutes for which a device may let in without a connection, counted from its last contact. */
export const leaseMinutes = 60;
/** Minutes after which a device in contact gets the whole time again. */
const renewMinutes = 5;
/** Seconds after the end before another device may have it: more than clocks of phones can be wrong in that time. */
const reserveSeconds = 60;

/** One price of an event that a device has, or that another one has. Instants are UTC texts with microseconds. */
export interface LeaseRow extends Record<string, unknown> {
  readonly priceId: string;
  readonly isMine: boolean;
  readonly deviceName: string | null;
  readonly gate: string | null;
  readonly endsAt: string;
  /** Milliseconds until the end at the time of this statement. */
  readonly leftMs: number;
}

/**
 * Gives a device the prices that nobody has, and renews those that it has. $1 event · $2 device · $3 key · $4 its phone · $5 gate or null ·
 * $6 prices that it asks for. One row for each price that somebody has now.
 *
 * One row of the table is one price, and its key and the condition of the update decide: of simultaneous requests one gets a price that is
 * free. Rows are written in the order of their keys, so that requests do not wait for each other in a circle. A price is free when its time
 * and a reserve are over, and not when its device is locked, archived or wiped: without a connection, the device does not know of that.
 */
export const leaseStatement: PreparedStatement = {
  name: 'door_lease',
  text: `
with ${doorSql}, asked as (
    select $1::uuid as event_id, p.id as price_id, door.id as device_id, $4::uuid as holder, $5::uuid as gate_id,
      now() + interval '${leaseMinutes} minutes' as ends_at
    from door cross join {tenant}.price p where p.id = any($6::uuid[])
  ), given as (
    insert into {tenant}.door_lease as l (event_id, price_id, device_id, holder, gate_id, ends_at)
    select a.event_id, a.price_id, a.device_id, a.holder, a.gate_id, a.ends_at from asked a order by a.price_id
    on conflict (event_id, price_id) do update set device_id = excluded.device_id, holder = excluded.holder, gate_id = excluded.gate_id,
      ends_at = excluded.ends_at
    where case when l.device_id = excluded.device_id and l.holder = excluded.holder
      then l.ends_at < (select now() + interval '${leaseMinutes - renewMinutes} minutes') or l.gate_id is distinct from excluded.gate_id
      else l.ends_at < (select now() - interval '${reserveSeconds} seconds') end
    returning l.price_id, l.device_id, l.holder, l.gate_id, l.ends_at
  ), held as (
    select g.* from given g
    union all
    select l.price_id, l.device_id, l.holder, l.gate_id, l.ends_at from {tenant}.door_lease l
    where l.event_id = $1::uuid and not exists (select 1 from given g where g.price_id = l.price_id)
  )
select h.price_id as "priceId", h.device_id = $2 and h.holder = $4::uuid as "isMine", d.name as "deviceName", w.name as gate,
  ${utcSql('h.ends_at')} as "endsAt", (extract(epoch from h.ends_at - now()) * 1000)::float8 as "leftMs"
from held h left join {tenant}.scanning_device d on d.id = h.device_id left join {tenant}.gate w on w.id = h.gate_id
where h.ends_at > now() order by h.price_id`,
};
