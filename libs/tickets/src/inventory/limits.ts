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
