import { utcSql } from '#kernel';
import { renewedSql } from './entry-rule-sql.js';
import { gateIsAllowed } from './opening-sql.js';

/**
 * SQL: whether a ticket may pass a gate: the gate belongs to every event or to the ticket's, and has no rules or one for the ticket's
 * price or product.
 *
 * @param gate alias with `id` and `event_id` @param ticket alias with `event_id`, `price_id` and `product_id`
 */
export const passesSql = (gate: string, ticket: string): string => `(
      (${gate}.event_id is null or ${gate}.event_id = ${ticket}.event_id)
      and (not exists (select 1 from {tenant}.gate_rule u where u.gate_id = ${gate}.id)
        or exists (select 1 from {tenant}.gate_rule u where u.gate_id = ${gate}.id
          and (u.product_id = ${ticket}.product_id or u.price_id = ${ticket}.price_id))))`;

/** The gate of a request, or no row: there is none, or the team code of the device excludes it. @param gate the parameter */
export const hereSql = (gate: string): string => `here as (
    select g.id, g.name, g.event_id from door join {tenant}.gate g on g.id = ${gate}::uuid and ${gateIsAllowed}
  )`;

const gateFacts = (source: string): string =>
  `case when ${source}.id is not null then json_build_object('uuid', ${source}.id, 'name', ${source}.name) end`;

/** SQL: where a ticket with the price `p` is. `outcome` is that of the attempt on it, or null for another ticket. */
const whereabouts = (ticket: string, outcome: string): string => `case
        when ${outcome} in ('accepted', 'readmitted') then 'inside' when ${outcome} = 'left' then 'outside'
        when ${renewedSql(ticket, 'p', "$10::json ->> 'timeZone'")} then 'expected'
        when ${ticket}.status = 'S' and ${ticket}.left_at is null then 'inside' when ${ticket}.status = 'S' then 'outside'
        when ${ticket}.status = 'K' then 'expected' else 'not_valid' end`;

/** The most tickets of a reservation that one answer lists. */
export const mostInGroup = 200;

/**
 * SQL: facts that only devices with gates read, with the time zone in $10: this gate, the last one of the ticket, the gates that it may
 * pass, what is to be paid, notes and youngest age, and the tickets of its reservation, in their order.
 *
 * @param source alias of the judged ticket @param outcome SQL: the outcome of the attempt on a ticket `o` that it moved, else null
 * @param direction the parameter @param further SQL of further facts: names and values
 */
export const doorFacts = (source: string, outcome: string, direction: string, further = ''): string => `json_build_object(
      'direction', ${direction}::text,
      'gate', (select ${gateFacts('here')} from here),
      'lastGate', (select ${gateFacts('g')} from {tenant}.gate g where g.id = ${source}.gate_id),
      'leftAt', ${utcSql(`${source}.left_at`)},
      'cancelledAt', case when ${source}.verdict = 'cancelled' then ${utcSql(`${source}.cancelled_at`)} end,
      'due', case when ${source}.verdict = 'not_paid' and ${source}.amount > 0 then ${source}.amount::text end,
      'notes', json_build_array(${source}.event_note, ${source}.price_note), 'age', ${source}.minimum_age,
      'passes', case when ${source}.verdict = 'wrong_gate' then (
        select coalesce(json_agg(json_build_object('uuid', w.id, 'name', w.name) order by w.position, w.name, w.id), '[]')
        from (select g.* from {tenant}.gate g where ${passesSql('g', source)} order by g.position, g.name, g.id limit 20) w) end,
      'group', (
        select coalesce(json_agg(json_build_object('uuid', m.id, 'place', m.place, 'price', m.price, 'product', m.product)
          order by m.position, m.id), '[]')
        from (
          select o.id, o.position, p.name as price, r.name as product,
            ${whereabouts('o', outcome)} as place
          from {tenant}.ticket o join {tenant}.price p on p.id = o.price_id join {tenant}.product r on r.id = p.product_id
          where o.reservation_id = ${source}.reservation_id and o.event_id = ${source}.event_id and o.admission and o.status <> 'R'
          order by o.position, o.id limit ${mostInGroup}) m)${further})`;

/**
 * SQL: names of the tickets of a reservation by their ids, for a device that may search tickets; else null. They are never logged.
 *
 * @param reservation SQL of the reservation's id as text
 */
export const groupNames = (reservation: string): string => `(
    select json_object_agg(o.id, json_build_object('firstName', o.first_name, 'lastName', o.last_name))
    from (
      select t.id, t.first_name, t.last_name from {tenant}.ticket t
      where t.reservation_id = (${reservation})::uuid and t.admission and t.status <> 'R' order by t.position, t.id limit ${mostInGroup}) o
    where exists (select 1 from door join {tenant}.scanning_device d on d.id = door.id and d.may_search_tickets))`;
