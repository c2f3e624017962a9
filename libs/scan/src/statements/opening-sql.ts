import { eventEndAfterSql } from '#catalogue';
import { utcSql } from '#kernel';

const opens = 'h.starts_at - make_interval(mins => c.opens_minutes_before)';
const closes = `${eventEndAfterSql('h', 'c.event_minutes')} + make_interval(mins => c.closes_minutes_after)`;
const hoursEvent = '{tenant}.event h on h.id = coalesce(d.event_id, c.event_id)';

/**
 * SQL condition on a device `d`: it may work now. Staff did not lock it, and a device of a team code works around its event only. Other
 * devices cost no further look-up.
 */
export const deviceIsOpen = `(d.locked_at is null and (d.team_code_id is null or exists (
      select 1 from {tenant}.team_code c left join ${hoursEvent}
      where c.id = d.team_code_id and (coalesce(d.event_id, c.event_id) is null or now() between ${opens} and ${closes}))))`;

/** SQL: joins to a device `d` its team code `c` and the event `h` of its opening hours. */
export const hoursJoins = `left join {tenant}.team_code c on c.id = d.team_code_id left join ${hoursEvent} and c.id is not null`;

/** SQL: opening hours of a device `d` with `hoursJoins`, as UTC texts; null: it has none. A device that staff locked opens at no time. */
export const hoursColumns = `case when d.locked_at is null then ${utcSql(`(${opens})`)} end as "opensAt",
  ${utcSql(`(${closes})`)} as "closesAt"`;

/** SQL condition: a device, alias `door`, may use the gate `g`. */
export const gateIsAllowed = `(door.team_code_id is null or not exists (
      select 1 from {tenant}.team_code c where c.id = door.team_code_id and not g.id = any (c.gate_ids)))`;
