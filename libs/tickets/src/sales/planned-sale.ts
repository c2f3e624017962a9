import type { GivenAnswer } from '../answers/answer-rows.js';
import type { ReservationOrigin } from '../entities/reservation-states.js';
import type { NetworkLimit } from '../holds/network-limits.js';
import type { Claim } from '../inventory/availability.service.js';
import type { OfferVersions } from '../inventory/offers.js';
import type { FollowUps } from '../reservations/reservation-follow-ups.js';
import type { ShownReservation, ShownTicket } from '../reservations/shown-reservation.js';

/** A ticket with the VAT rate of its price, in percent as decimal text. */
export interface NewTicket extends ShownTicket {
  readonly vatRate: string | null;
}

/** A new reservation: what its answer shows, and what else its rows contain. All tickets have the same state and the same signing key. */
export type NewReservation = Omit<ShownReservation, 'tickets' | 'answers'> & {
  readonly emailKey: string;
  readonly origin: ReservationOrigin;
  readonly tickets: readonly NewTicket[];
  readonly answers: readonly GivenAnswer[];
};

/** Tickets that a buyer on the pages only holds: a draft, which is told to nobody. */
export interface NewHold extends NetworkLimit {
  /** The cart that it becomes a part of. */
  readonly cartId: string | null;
  /** It is the turn of its spot in the queue. Otherwise those who wait come first. */
  readonly passesQueue: boolean;
}

/** A sale of tickets for one event that the rules allow, as it shall be written. */
export interface PlannedSale extends FollowUps {
  /** Of the offer by which the rules decided. */
  readonly versions: OfferVersions;
  readonly reservation: NewReservation;
  /** What the reservation takes. */
  readonly claim: Claim;
  /** Maximum number of tickets of the event for one person; null: no limit. */
  readonly maximum: number | null;
  /** undefined: it is a reservation. */
  readonly hold?: NewHold;
}
