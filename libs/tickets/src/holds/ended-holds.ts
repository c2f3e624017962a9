import type { Tx } from '#tenancy';
import { isHeldBySql } from './network-sql.js';

/** The most doublings of the time for which given up tickets count. They are forgotten after a day. */
const mostDoublings = 10;

/**
 * SQL: number of tickets of an event that a network gave up and that still count for it: for as long as they were held, and each time that
 * it has held its maximum for a whole hold within a day, for twice as long. Otherwise a network could hold the same tickets for ever.
 * A longer hold, for a mailed link, counts as a whole one.
 * A hold that ended for the first time does not count for itself, so that its buyer may begin it anew.
 * @param by for which of its networks it counts @param p SQL, as for `networkFitsSql`
 * @param most SQL of the maximum of the network
 */
export const givenUpSql = (
  by: 'network' | 'site',
  p: Readonly<Record<'id' | 'event' | 'minutes' | 'network' | 'site', string>>,
  most: string,
): string => `(select coalesce(sum(tickets) filter (where ended_at
    + make_interval(secs => seconds * power(2, least(${mostDoublings}, greatest(0, rounds - 1))::int)) > statement_timestamp()), 0)
  from (select tickets, seconds, ended_at, 
      floor(sum(tickets * least(seconds, ${p.minutes}::int * 60)) over () / (${most} * ${p.minutes}::int * 60.0)) as rounds
    from ended_hold where event_id = ${p.event}::uuid and ${isHeldBySql('ended_hold', by, p)}
      and ended_at > statement_timestamp() - interval '1 day'
      and not (reservation_id = ${p.id}::uuid and is_first)) as ended)`;

/**
 * SQL that notes the admission tickets that holds of networks give up; call it before their places are given back. Holds without a network
 * and those that were noted when they were released are left out.
 * @param ids SQL of the ids of their reservations, an array
 * @param kept SQL: number of tickets that such a hold keeps
 */
export const noteEndedSql = (ids: string, kept = '0'): string => `insert into ended_hold
  (event_id, reservation_id, network, network_site, tickets, seconds, is_first)
  select held.event_id, held.id, held.network, held.network_site, count(*) - ${kept},
    greatest(1, extract(epoch from least(statement_timestamp(), held.expires_at) - held.created_at)::int),
    not exists (select 1 from ended_hold earlier where earlier.reservation_id = held.id)
  from reservation held join ticket on ticket.reservation_id = held.id and ticket.admission and ticket.status <> 'R'
  where held.id = any(${ids}::uuid[]) and held.network is not null and held.released_at is null
  group by held.id having count(*) > ${kept}`;

/** Notes what a hold gives up, see `noteEndedSql`. @param kept number of tickets that it keeps */
export async function noteEnded(tx: Tx, id: string, kept = 0): Promise<void> {
  await tx.query(noteEndedSql('$1', '$2::int'), [[id], kept]);
}
