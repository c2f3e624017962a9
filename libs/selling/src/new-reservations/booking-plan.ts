import {
  answersOfReservation,
  type GivenAnswer,
  linesOf,
  type Lines,
  admits,
  dueKind,
  mailAndJobsOf,
  membershipsRequired,
  type Offer,
  type OfferedPrice,
  type PlannedSale,
  reservationMessage,
} from '#tickets';
import type { VenueMethod } from '#payments';
import { judge } from '../rules/index.js';
import { emailOf, ticketsWanted, type PricedReservation, type WantedTicket } from './new-reservation.js';
import { plannedReservation, type Circumstances } from './planned-reservation.js';

/** A booking that its offer allows. */
export interface BookingPlan {
  readonly sale: PlannedSale;
  /** How it is paid at the venue; undefined: it is not. */
  readonly venueMethod: VenueMethod | undefined;
}

/**
 * Plans a booking by an offer without reading the database.
 * @throws RefusedInput, RefusedBooking on `eventId`, `email`, `tickets`, `tickets.<i>.priceId`, `.amount`, `options`; RefusedInputs of
 *   RefusedAnswer
 */
export function planBooking(wanted: PricedReservation, offer: Offer, circumstances: Circumstances): BookingPlan {
  const { event, prices, versions } = offer;
  const { lines: priced, options } = judge({
    items: wanted.tickets,
    options: wanted.options ?? [],
    email: emailOf(wanted),
    decides: wanted.confirmed === true || wanted.origin === 'panel',
    offer,
  });
  const tickets = ticketsWanted(
    wanted,
    priced.map(({ amount }) => amount),
  );
  const answers = answersTo(wanted, tickets, offer);
  const { reservation, lines, venueMethod } = plannedReservation(wanted, tickets, { answers, options }, offer, circumstances);
  const { id, emailKey, expiresAt, status } = reservation;
  const kind = reservation.email === '' ? undefined : dueKind({ status, payAtVenue: false, payUntil: null });
  const claim = {
    reservationId: id,
    eventId: event.id,
    emailKey,
    lines: linesWanted(wanted, prices),
    memberships: membershipsRequired([...prices.values()]),
    passesList: wanted.passesList,
  };
  const sale = {
    versions,
    reservation,
    order: { id: wanted.orderId ?? id, isOpen: wanted.orderId !== undefined },
    lines,
    claim,
    message: reservationMessage('reservation.created', reservation),
    ...mailAndJobsOf(id, kind, expiresAt),
  };
  return { sale, venueMethod };
}

/** Validates the answers to the questions of the booked products. @throws RefusedInputs of RefusedAnswer */
function answersTo(wanted: PricedReservation, tickets: readonly WantedTicket[], { prices, questions }: Offer): GivenAnswer[] {
  const lines = wanted.tickets.map(({ priceId, answers }, index) => ({
    productId: (prices.get(priceId) as OfferedPrice).productId,
    ticketIds: tickets.filter(({ line }) => line === index).map(({ id }) => id),
    answers,
  }));
  return answersOfReservation(questions, wanted.answers, lines, { allOptional: wanted.answersOptional });
}

function linesWanted({ tickets }: PricedReservation, prices: ReadonlyMap<string, OfferedPrice>): Lines {
  return linesOf(
    tickets.map(({ priceId: id, quantity: count }) => ({
      id,
      count,
      admission: admits(prices.get(id) as OfferedPrice),
    })),
  );
}
