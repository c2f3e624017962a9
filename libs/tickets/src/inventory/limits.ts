import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { linesOf, quantityOf, total, type LineRow, type Lines } from './inventory.js';
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

/** A maximum per person that a claim has to keep. */
export interface PersonLimit {
  /** null: all admission tickets of the event. */
  readonly priceId: string | null;
  /** What the claim takes. */
  readonly count: number;
  readonly maximum: number;
}

/** The limits per person that a claim has to keep. @param maximum tickets of the event; null: no limit */
export function limitsOf(
  { lines, prices }: { readonly lines: Lines; readonly prices: readonly { readonly id: string; readonly maxPerUser: number | null }[] },
  maximum: number | null,
): PersonLimit[] {
  return [
    { priceId: null, count: total(lines.admission), maximum },
    ...prices.map(({ id, maxPerUser }) => ({ priceId: id, count: quantityOf(lines, id), maximum: maxPerUser })),
  ].flatMap(({ maximum: most, ...limit }) => (most === null || limit.count === 0 ? [] : [{ ...limit, maximum: most }]));
}
