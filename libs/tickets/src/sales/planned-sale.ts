import type { LineDiscount, NewLine, Sold } from '#orders';
import type { GivenAnswer } from '../answers/answer-rows.js';
import type { ReservationOrigin } from '../entities/reservation-states.js';
import type { NetworkLimit } from '../holds/network-limits.js';
import { admits, type OfferedCode, type OfferedPrice, type OfferVersions } from '../inventory/offers.js';
import type { FollowUps } from '../reservations/reservation-follow-ups.js';
import type { Claim } from './claim.js';
import type { ShownReservation, ShownTicket } from '../reservations/shown-reservation.js';

/** A ticket with the VAT rate of its price, in percent as decimal text. */
export interface NewTicket extends ShownTicket {
  readonly vatRate: string | null;
  /** The line of the order that sells it. */
  readonly lineId: string;
}

/** A new reservation: what its answer shows, and what else its rows contain. All tickets have the same state and the same signing key. */
export type NewReservation = Omit<ShownReservation, 'tickets' | 'answers'> & {
  readonly emailKey: string;
  readonly origin: ReservationOrigin;
  readonly tickets: readonly NewTicket[];
  readonly answers: readonly GivenAnswer[];
};

/** Tickets that a buyer on the pages only holds: a draft, which is told to nobody. */
export interface NewHold {
  /** The networks of the buyer; null: the server holds the tickets for somebody. */
  readonly network: NetworkLimit | null;
  /** The cart that it becomes a part of. */
  readonly cartId: string | null;
  /** Those who wait in the queue do not come first: it is the turn of its own spot, or it takes nothing more. */
  readonly passesQueue: boolean;
  /** It was held before and ended. */
  readonly isRenewed: boolean;
}

/** What is paid for a ticket, and what is saved at it. */
export interface PaidPiece {
  /** Decimal text. */
  readonly amount: string;
  /** By a code, decimal text; null: none is used. */
  readonly saved: string | null;
  readonly discount: LineDiscount | null;
}

/**
 * What a ticket at a price is in the line of an order.
 * @param paid.amount decimal text
 * @param paid.saved by a code, decimal text; null: none is used
 */
export const soldAt = (price: OfferedPrice, { amount, saved, discount }: PaidPiece): Sold => ({
  kind: admits(price) ? 'ticket' : 'goods',
  priceId: price.id,
  productId: price.productId,
  name: `${price.product} · ${price.name}`,
  amount,
  vatRate: price.vatRate ?? '0.00',
  saved,
  discount,
});

/** A sale of tickets for one event that the rules allow, as it shall be written. */
export interface PlannedSale extends FollowUps {
  /** Of the offer by which the rules decided. */
  readonly versions: OfferVersions;
  readonly reservation: NewReservation;
  /** Its id is that of its cart; without one, that of the reservation. Further parts are added to an open one. */
  readonly order: { readonly id: string; readonly isOpen: boolean };
  /** Of the order, for the tickets of this reservation. */
  readonly lines: readonly NewLine[];
  /** The code that its lines use, of the offer. */
  readonly code?: Pick<OfferedCode, 'id' | 'version'> | undefined;
  /** What the reservation takes. */
  readonly claim: Claim;
  /** undefined: it is a reservation. */
  readonly hold?: NewHold;
}
