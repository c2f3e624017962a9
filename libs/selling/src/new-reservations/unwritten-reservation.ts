import {
  inQuestionOrder,
  type GivenAnswer,
  emailKey,
  isHold,
  type ReservationStatus,
  type TicketStatus,
  admits,
  type Offer,
  type OfferedOption,
  type OfferedPrice,
  type ShownReservation,
} from '#tickets';
import { randomUUID } from 'node:crypto';
import { sumOf, toCents } from '#kernel';
import type { VenueMethod } from '#payments';
import { emailOf, type PricedReservation, type WantedTicket } from './new-reservation.js';
import type { NewTicket, ReservationRows, ReservationTimes } from './reservation-insert.js';

/** A checked reservation: its rows, and what its answer shows beside them. */
export interface UnwrittenReservation extends ReservationRows {
  readonly event: ShownReservation['event'];
  /** How it is paid at the venue; undefined: it is not. */
  readonly venueMethod: VenueMethod | undefined;
}

/** The ticket state for each initial state of a reservation. */
const initialTicketStates: Partial<Record<ReservationStatus, TicketStatus>> = { R: 'C', F: 'N', FA: 'K', V: 'K' };

/**
 * Builds the rows of a new reservation.
 * @param signingKeyId key that signs its tickets
 */
export function unwrittenReservation(
  wanted: PricedReservation,
  tickets: readonly WantedTicket[],
  { answers, options }: { readonly answers: readonly GivenAnswer[]; readonly options: readonly OfferedOption[] },
  offer: Offer,
  signingKeyId: number,
): UnwrittenReservation {
  const id = randomUUID();
  const email = emailOf(wanted);
  const amount = sumOf(tickets);
  const status = initialStatus(wanted, amount, offer.verified);
  const { id: eventId, name, category, startsAt } = offer.event;
  const state = { status: initialTicketStates[status] as TicketStatus, signingKeyId, codeVersion: 0, holderEmail: null };
  return {
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
    event: { id: eventId, name, category, startsAt },
    tickets: tickets.map((ticket) => ({ ...ticketOf(ticket, offer.prices.get(ticket.priceId) as OfferedPrice), ...state })),
    options,
    answers: inQuestionOrder(answers),
    venueMethod: status === 'V' && toCents(amount) > 0 ? (wanted.paymentMethod ?? 'cash') : undefined,
  };
}

function initialStatus({ confirmed }: PricedReservation, amount: string, verified: boolean): ReservationStatus {
  if (confirmed) return 'V';
  if (toCents(amount) > 0) return 'R';
  return verified ? 'FA' : 'F';
}

/** The times of a reservation that enters its first state now. @param now start of the transaction */
export function timesOf(status: ReservationStatus, now: Date, holdMinutes: number): ReservationTimes {
  return { createdAt: now, expiresAt: isHold(status) ? new Date(now.getTime() + holdMinutes * 60_000) : null };
}

function ticketOf(
  { id, priceId, amount, holder }: WantedTicket,
  price: OfferedPrice,
): Omit<NewTicket, 'status' | 'signingKeyId' | 'codeVersion' | 'holderEmail'> {
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

/** The reservation as `loadReservations` would read it now. */
export function writtenReservation(written: UnwrittenReservation, { createdAt, expiresAt }: ReservationTimes): ShownReservation {
  const { id, eventId, email, firstName, lastName, language, status, amount, event, tickets, options, answers, venueMethod } = written;
  return {
    id,
    eventId,
    email,
    firstName,
    lastName,
    language,
    status,
    amount,
    sequence: 1,
    createdAt,
    expiresAt,
    event,
    tickets,
    options: options.map((option) => ({ optionId: option.id, name: option.name })),
    payments: venueMethod ? [{ status: 'paid', method: venueMethod, checkoutUrl: null }] : [],
    answers,
  };
}
