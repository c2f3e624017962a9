import { defineSchema, objectSchema, pagedAnswer, PageQuery, schemaOf, type RouteDescription } from '#http';
import { isoInZone } from '#kernel';
import { reservationStates } from '../entities/reservation-states.js';
import { ticketStates } from '../entities/ticket-states.js';
import type { ReservationRow } from './legacy-bookings.service.js';

/**
 * The domain of `user_mail` when the buyer gave no address: the member is an e-mail address by the specification, and nothing can be
 * mailed to this top-level domain (RFC 2606). Each sale has an address of its own, because clients keep buyers apart by it.
 */
const noAddressDomain = 'no-address.invalid';

/** A reservation of the first API (specification, "Reservation"). */
export function toLegacyReservation(row: ReservationRow, timeZone: string): Readonly<Record<string, unknown>> {
  return {
    uuid: row.id,
    datetime: isoInZone(row.createdAt, timeZone),
    user_mail: row.email || `${row.id}@${noAddressDomain}`,
    event: row.eventId,
    status: row.status,
    options: row.optionIds,
    tickets: row.ticketIds,
    paiements: row.paymentIds,
  };
}

const tag = 'First API';
const { uuid, text, instant } = schemaOf;
const uuids = { type: 'array', items: uuid };
const codes = (states: Readonly<Record<string, { readonly en: string }>>): object => ({
  enum: Object.keys(states),
  description: Object.entries(states)
    .map(([code, { en }]) => `${code} ${en}`)
    .join(', '),
});

const reservation = defineSchema(
  'LegacyReservation',
  objectSchema({
    uuid,
    datetime: instant,
    user_mail: { ...text, description: `Where the buyer gave none: \`<uuid>@${noAddressDomain}\`.` },
    event: uuid,
    status: { ...codes(reservationStates) },
    options: uuids,
    tickets: uuids,
    paiements: uuids,
  }),
);
const ticket = defineSchema(
  'LegacyTicket',
  objectSchema({
    uuid,
    first_name: text,
    last_name: text,
    status: { ...codes(ticketStates) },
    seat: { ...text, description: 'L: free seating.' },
    options: { type: 'array', items: text, description: 'Names.' },
  }),
);
const reservationExample = {
  uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4',
  datetime: '2027-02-01T12:00:00.120+01:00',
  user_mail: 'ada@example.org',
  event: '0cea2f59-f12f-463c-80b6-619874377bae',
  status: 'V',
  options: [],
  tickets: ['1997c3a7-3247-4a27-a07c-a5cbcd801d11'],
  paiements: ['5b0f8f6e-6a0e-4a56-9d9c-2f6f0c9e7b10'],
};
const ticketExample = {
  uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
  first_name: 'Ada',
  last_name: 'Martin',
  status: 'K',
  seat: 'L',
  options: ['Balcony'],
};

/** Described routes of reservations. */
export const legacyReservationsApi = {
  list: {
    tag,
    summary: 'Reservations, the newest first',
    query: PageQuery,
    answers: { 200: pagedAnswer('The reservations', reservation, reservationExample) },
  },
  get: {
    tag,
    summary: 'One reservation',
    parameters: { id: { description: 'Of the reservation.', schema: uuid, example: reservationExample.uuid } },
    answers: { 200: { description: 'The reservation', schema: reservation, example: reservationExample } },
    problems: ['reservation.unknown'],
  },
} as const satisfies Record<string, RouteDescription>;

/** Described routes of tickets. */
export const legacyTicketsApi = {
  list: {
    tag,
    summary: 'Tickets for the events of today, the newest first',
    description:
      'Those that may enter or have entered (K, S), of events that begin today or began before and end today or later. A day runs from 04:00 to 04:00 on the clocks of the place.',
    query: PageQuery,
    answers: { 200: pagedAnswer('The tickets', ticket, ticketExample) },
  },
  get: {
    tag,
    summary: 'One ticket, of any day and state',
    parameters: { id: { description: 'Of the ticket.', schema: uuid, example: ticketExample.uuid } },
    answers: { 200: { description: 'The ticket', schema: ticket, example: ticketExample } },
    problems: ['ticket.unknown'],
  },
} as const satisfies Record<string, RouteDescription>;
