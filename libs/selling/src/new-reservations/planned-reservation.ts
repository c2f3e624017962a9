import {
  inQuestionOrder,
  emailKey,
  isHold,
  type GivenAnswer,
  type NewTicket,
  type PlannedSale,
  type ReservationStatus,
  type TicketStatus,
  admits,
  soldAt,
  type Offer,
  type OfferedOption,
  type OfferedPrice,
} from '#tickets';
import { randomUUID } from 'node:crypto';
import { sumOf, toCents } from '#kernel';
import { linesOfSold } from '#orders';
import type { VenueMethod } from '#payments';
import { emailOf, type PricedReservation, type WantedTicket } from './new-reservation.js';

/** What decides about a new reservation beside its input and the offer. */
export interface Circumstances {
  /** The time of the reservation on the database's clock. */
  readonly now: Date;
  /** Whether the owner of the buyer's address has opened a link mailed to it. */
  readonly verified: boolean;
  /** The key that signs its tickets. */
  readonly signingKeyId: number;
  readonly holdMinutes: number;
}

/** The ticket state for each initial state of a reservation. */
const initialTicketStates: Partial<Record<ReservationStatus, TicketStatus>> = { R: 'C', F: 'N', FA: 'K', V: 'K' };

/**
 * Builds a new reservation as `loadReservations` will read it.
 * @param venueMethod.how it is paid at the venue; undefined: it is not
 */
export function plannedReservation(
  wanted: PricedReservation,
  tickets: readonly WantedTicket[],
  { answers, options }: { readonly answers: readonly GivenAnswer[]; readonly options: readonly OfferedOption[] },
  offer: Offer,
  { now, verified, signingKeyId, holdMinutes }: Circumstances,
): Pick<PlannedSale, 'reservation' | 'lines'> & { readonly venueMethod: VenueMethod | undefined } {
  const id = randomUUID();
  const email = emailOf(wanted);
  const amount = sumOf(tickets);
  const status = initialStatus(wanted, amount, verified);
  const { id: eventId, name, category, startsAt } = offer.event;
  const state = { status: initialTicketStates[status] as TicketStatus, signingKeyId, codeVersion: 0, holderEmail: null };
  const venueMethod = status === 'V' && toCents(amount) > 0 ? (wanted.paymentMethod ?? 'cash') : undefined;
  const priceOf = ({ priceId }: WantedTicket): OfferedPrice => offer.prices.get(priceId) as OfferedPrice;
  const { lines, lineIds } = linesOfSold(tickets.map((ticket) => soldAt(priceOf(ticket), ticket)));
  const reservation = {
    id,
    eventId,
    email,
    // A buyer without an address gets a unique key, so that limits per person apply to this sale only.
    emailKey: email === '' ? id : emailKey(email),
    firstName: wanted.firstName?.trim() ?? '',
    lastName: wanted.lastName?.trim() ?? '',
    language: wanted.language ?? null,
    status,
    amount,
    origin: wanted.origin,
    sequence: 1,
    createdAt: now,
    expiresAt: isHold(status) ? new Date(now.getTime() + holdMinutes * 60_000) : null,
    event: { id: eventId, name, category, startsAt },
    tickets: tickets.map((ticket, index) => ({ ...ticketOf(ticket, priceOf(ticket)), ...state, lineId: lineIds[index] as string })),
    options: options.map((option) => ({ optionId: option.id, name: option.name })),
    payments: venueMethod && wanted.customerId === undefined ? [{ status: 'paid' as const, method: venueMethod, checkoutUrl: null }] : [],
    answers: inQuestionOrder(answers),
  };
  return { reservation, lines, venueMethod };
}

function initialStatus({ confirmed, awaitsReader }: PricedReservation, amount: string, verified: boolean): ReservationStatus {
  if (toCents(amount) > 0 && (!confirmed || awaitsReader)) return 'R';
  if (confirmed) return 'V';
  return verified ? 'FA' : 'F';
}

function ticketOf(
  { id, priceId, amount, holder }: WantedTicket,
  price: OfferedPrice,
): Omit<NewTicket, 'status' | 'signingKeyId' | 'codeVersion' | 'holderEmail' | 'lineId'> {
  return {
    id,
    priceId,
    amount,
    firstName: holder.firstName.trim(),
    lastName: holder.lastName.trim(),
    admission: admits(price),
    vatRate: price.vatRate,
    price: { name: price.name, product: { name: price.product } },
  };
}
