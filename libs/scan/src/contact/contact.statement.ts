import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import type { AssignedDevice } from '../devices/device-of.js';
import { deviceIsOpen, hoursColumns, hoursJoins } from '../statements/opening-sql.js';
import { knownDoorSql } from '../statements/scan-statement.js';

/** What a device may do now. Instants are UTC texts with microseconds. */
export interface ContactRow extends AssignedDevice {
  readonly serverTime: string;
  readonly locked: boolean;
  readonly moves: number;
  readonly opensAt: string | null;
  readonly closesAt: string | null;
}

/**
 * Stores what a device says about itself, and answers what it may do. $1 app version · $2 device · $3 key · $4 battery · $5 charging ·
 * $6 unsent lines · $7 clock offset · $8 clock error · $9 event · $10 gate · $11 position · $12 network.
 *
 * No row: the key is not (or no longer) valid. A device that was heard less than 10 seconds ago is answered and not written: the condition
 * is part of the write, so that simultaneous requests write once. Devices that are locked or outside their opening hours are answered, too.
 */
export const contactStatement: PreparedStatement = {
  name: 'device_contact',
  text: `
with ${knownDoorSql}, written as (
    insert into {tenant}.device_contact as o (device_id, seen_at, app_version, battery, charging, unsent, clock_offset_ms, clock_error_ms,
      event_id, gate_id, position, network)
    select door.id, now(), $1::text, $4::smallint, $5::boolean, $6::integer, $7::bigint, $8::integer, $9::uuid, $10::uuid, $11::text,
      $12::text
    from door
    on conflict (device_id) do update set seen_at = excluded.seen_at, app_version = excluded.app_version, battery = excluded.battery,
      charging = excluded.charging, unsent = excluded.unsent, clock_offset_ms = excluded.clock_offset_ms,
      clock_error_ms = excluded.clock_error_ms, event_id = excluded.event_id, gate_id = excluded.gate_id, position = excluded.position,
      network = excluded.network
    where o.seen_at < (select now() - interval '10 seconds')
  )
select ${utcSql('now()')} as "serverTime", d.id, d.name, d.role, d.event_id as "eventId", d.gate_id as "gateId",
  d.moves, c.gate_ids as "gateIds", not ${deviceIsOpen} as locked, ${hoursColumns}
from door join {tenant}.scanning_device d on d.id = door.id ${hoursJoins}`,
};
