import {
  answersOfReservation,
  type GivenAnswer,
  canTakeAtOnce,
  type Claim,
  linesOf,
  type Lines,
  admits,
  type Offer,
  type OfferedEvent,
  type OfferedPrice,
  type SigningKeysService,
} from '#tickets';
import { judge } from '../rules/index.js';
import { emailOf, ticketsWanted, type PricedReservation, type WantedTicket } from './new-reservation.js';
import { unwrittenReservation, type UnwrittenReservation } from './unwritten-reservation.js';

/** A booking that its offer allows: what to write, and the places and stock to take. */
export interface BookingPlan {
  readonly event: OfferedEvent;
  readonly reservation: UnwrittenReservation;
  readonly claim: Claim;
}

/**
 * Checks a booking against an offer without reading the database.
 * @param keys accepts the key that signs the tickets
 * @throws RefusedInput, RefusedBooking on `eventId`, `email`, `tickets`, `tickets.<i>.priceId`, `.amount`, `options`; RefusedInputs of
 *   RefusedAnswer
 */
export function planBooking(wanted: PricedReservation, offer: Offer, keys: Pick<SigningKeysService, 'accept'>): BookingPlan {
  const { event, prices } = offer;
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
  const reservation = unwrittenReservation(wanted, tickets, { answers, options }, offer, keys.accept(offer.signingKey));
  const { id: reservationId, emailKey } = reservation;
  const { passesList } = wanted;
  const lines = linesWanted(wanted, prices);
  const claim = { reservationId, eventId: event.id, emailKey, lines, prices: [...prices.values()], passesList };
  return { event, reservation, claim };
}

/** Whether COMMIT can be sent behind the statements of a plan. */
export function canCommitBehind({ reservation, claim }: BookingPlan): boolean {
  return !reservation.venueMethod && canTakeAtOnce(claim);
}

/** Whether a plan can be written by `demandSameOffer`: it needs neither questions nor options, which would be locked, nor the address. */
export function canBookUnread(plan: BookingPlan, { questions, options }: Offer): boolean {
  const isForAnybody = ['R', 'V'].includes(plan.reservation.status);
  return canCommitBehind(plan) && isForAnybody && questions.length === 0 && options.length === 0;
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
