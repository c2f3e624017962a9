import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { linesOf, quantityOf, queryDemanding, total, type LineRow, type Lines } from './inventory.js';
import { isUncountedSql } from '../entities/reservation-states.js';
import { countsSql } from './remaining.js';

/**
 * Maximum number of tickets that one person may have for an event without a maximum of its own, when an order of the pages costs nothing,
 * or is to be paid at the venue.
 */
export const mostUnpaid = 10;

/**
 * SQL: the tickets that a person ordered for an event, with price and kind, also those given to somebody else since. Expired holds do not
 * count, nor do orders of the pages that are neither confirmed nor paid (`isUncounted`). Parameters are SQL.
 * @param except id of a reservation whose own tickets to leave out, or null
 */
export const heldBySql = (eventId: string, emailKey: string, except: string): string => `select ticket.price_id, ticket.admission
    from ticket join reservation on reservation.id = ticket.reservation_id
    where reservation.event_id = ${eventId} and reservation.email_key = ${emailKey} and ${countsSql}
      and (reservation.expires_at is null or reservation.expires_at > statement_timestamp())
      and not ${isUncountedSql('reservation')}
      and reservation.id is distinct from ${except}::uuid`;

const heldByStatement: PreparedStatement = {
  name: 'booking-held-by',
  text: `select held.price_id as id, held.admission, count(*)::int as count from (${heldBySql('$1', '$2', '$3')}) as held group by 1, 2`,
};

/**
 * Quantities that a person already has for an event, see `heldBySql`.
 * @param except id of a reservation whose own tickets to leave out
 */
export async function heldBy(tx: Tx, eventId: string, emailKey: string, except?: string): Promise<Lines> {
  return linesOf(await queryPrepared<LineRow & Record<string, unknown>>(tx, heldByStatement, [eventId, emailKey, except ?? null]));
}

const withinLimitsStatement: PreparedStatement = {
  name: 'booking-within-limits',
  text: `with held as (${heldBySql('$1', '$2', '$3')})
    select 1 / (($5::int = 0 or $4::int is null or (select count(*) from held where admission) + $5 <= $4)
      and not exists (select from unnest($6::uuid[], $7::int[], $8::int[]) as wanted (id, count, maximum)
        where count + (select count(*) from held where price_id = wanted.id) > maximum))::int as within`,
};

/** Quantities that a person takes, and how many of each the person may have. */
export interface LimitedLines {
  readonly eventId: string;
  readonly emailKey: string;
  /** The reservation that takes them; it does not count as held. */
  readonly reservationId?: string | undefined;
  readonly lines: Lines;
  /** Maximum per person of each price; null: no limit. */
  readonly prices: readonly { readonly id: string; readonly maxPerUser: number | null }[];
}

/**
 * Fails in the database when a person would have more tickets for an event than allowed, so that COMMIT can be sent behind it. The event
 * must be locked, by a statement before.
 * @param maximum tickets of the event per person; null: no limit
 * @throws ChecksNeeded
 */
export async function demandWithinLimits(tx: Tx, taking: LimitedLines, maximum: number | null): Promise<void> {
  const { eventId, emailKey, reservationId, lines, prices } = taking;
  const limited = prices.filter(({ maxPerUser }) => maxPerUser !== null);
  await queryDemanding(tx, withinLimitsStatement, [
    eventId,
    emailKey,
    reservationId ?? null,
    maximum,
    total(lines.admission),
    limited.map(({ id }) => id),
    limited.map(({ id }) => quantityOf(lines, id)),
    limited.map(({ maxPerUser }) => maxPerUser),
  ]);
}
