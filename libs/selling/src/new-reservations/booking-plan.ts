import {
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
import { answersOfSale, type Sale } from '../rules/sale.js';
import { emailOf, ticketsWanted, type PricedReservation } from './new-reservation.js';
import { plannedReservation, type Circumstances } from './planned-reservation.js';

/** A booking that its offer allows. */
export interface BookingPlan {
  readonly sale: PlannedSale;
  /** How it is paid at the venue; undefined: it is not. */
  readonly venueMethod: VenueMethod | undefined;
  /** The customer on whose account it is sold instead. */
  readonly customerId: string | undefined;
  /** Code of a gift card that pays first. */
  readonly giftCard: string | undefined;
}

/**
 * Plans a booking by an offer without reading the database.
 * @param memberships products of the memberships that the buyer has; undefined: nobody looked
 * @throws RefusedInput, RefusedBooking on `eventId`, `email`, `tickets`, `tickets.<i>.priceId`, `.amount`, `options`,
 *   `answers.<name>`, `tickets.<i>.answers.<name>`; RefusedInputs with every fault of the first rule that refuses
 */
export function planBooking(
  wanted: PricedReservation,
  offer: Offer,
  circumstances: Circumstances,
  memberships?: readonly string[],
): BookingPlan {
  const { event, prices, versions, code } = offer;
  const asked: Sale = {
    items: wanted.tickets,
    options: wanted.options ?? [],
    code: wanted.code,
    email: emailOf(wanted),
    decides: wanted.confirmed === true || wanted.origin === 'panel',
    answers: wanted.answers,
    answersOptional: wanted.answersOptional,
    buying: { ...wanted.buying, ...(memberships && { memberships }) },
    offer,
  };
  const { lines: priced, options } = judge(asked);
  const tickets = ticketsWanted(
    wanted,
    priced.map(({ pieces }) => pieces),
  );
  const ticketIds = wanted.tickets.map((_, index) => tickets.filter(({ line }) => line === index).map(({ id }) => id));
  const answers = answersOfSale(asked, ticketIds);
  const { reservation, lines, venueMethod } = plannedReservation(wanted, tickets, { answers, options }, offer, circumstances);
  const { id, emailKey, expiresAt, status } = reservation;
  const kind = reservation.email === '' ? undefined : dueKind({ status, payAtVenue: false, payUntil: null });
  const claim = {
    reservationId: id,
    eventId: event.id,
    emailKey,
    lines: linesWanted(wanted, prices),
    memberships: membershipsRequired([...prices.values(), ...forMembers(lines)]),
    passesList: wanted.passesList,
    codeId: code?.id,
    codedSeats: priced.reduce(
      (sum, { price, pieces }) => sum + (admits(price) ? pieces.filter(({ saved }) => saved !== null).length : 0),
      0,
    ),
  };
  const sale = {
    versions,
    reservation,
    order: { id: wanted.orderId ?? id, isOpen: wanted.orderId !== undefined },
    lines,
    code: code ?? undefined,
    claim,
    message: reservationMessage('reservation.created', reservation),
    ...mailAndJobsOf(id, kind, expiresAt),
  };
  return { sale, venueMethod, customerId: wanted.customerId, giftCard: wanted.giftCard };
}

/** The memberships on which discounts of the lines depend. */
const forMembers = (lines: PlannedSale['lines']): { readonly requiredMembershipId: string }[] =>
  lines.flatMap(({ discount }) => (discount?.membershipId ? [{ requiredMembershipId: discount.membershipId }] : []));

function linesWanted({ tickets }: PricedReservation, prices: ReadonlyMap<string, OfferedPrice>): Lines {
  return linesOf(
    tickets.map(({ priceId: id, quantity: count }) => ({
      id,
      count,
      admission: admits(prices.get(id) as OfferedPrice),
    })),
  );
}
