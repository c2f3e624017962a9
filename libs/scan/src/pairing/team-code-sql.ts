import { eventEndAfterSql } from '#catalogue';
import { takenPlaces } from '../statements/places-sql.js';

/** What a team code can do: pair phones, pair no more because every place is taken, or pair no more at all. */
export const teamCodeStates = ['open', 'full', 'expired', 'ended'] as const;
export type TeamCodeState = (typeof teamCodeStates)[number];

/** SQL: the state of the team code with this alias. */
export const teamCodeState = (code: string): string =>
  `case when ${code}.ended_at is not null then 'ended' when ${code}.expires_at <= now() then 'expired'
    when ${takenPlaces(code)} >= ${code}.places then 'full' else 'open' end`;

/** Team codes with the names that staff read. $1 the id of one, or null: all of them. */
export const overviewSql = `
  select c.id, c.name, c.role, c.places, ${takenPlaces('c')} as taken, ${teamCodeState('c')} as state, c.expires_at as "expiresAt",
    c.ended_at as "endedAt", c.created_at as "createdAt", e.id as "eventId", e.name as "eventName", e.starts_at as "startsAt",
    e.starts_at - make_interval(mins => c.opens_minutes_before) as "opensAt",
    ${eventEndAfterSql('e', 'c.event_minutes')} + make_interval(mins => c.closes_minutes_after) as "closesAt", g.name as "gateName",
    (select array_agg(a.name order by a.position, a.name, a.id) from gate a where a.id = any (c.gate_ids)) as "gateNames"
  from team_code c left join event e on e.id = c.event_id left join gate g on g.id = c.gate_id
  where $1::uuid is null or c.id = $1
  order by c.created_at desc, c.id limit 1000`;
