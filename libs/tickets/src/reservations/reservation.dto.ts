import { eventSchemaTypes } from '#catalogue';
import { currency, isoInZone, present } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { customFormOf } from '../answers/answer.dto.js';
import { checkoutUrlOf } from '#payments';
import type { PersonAnswer } from '../answer-parts.dto.js';
import type { ReservationAnswer, ReservedTicketAnswer } from './reservation-answer.dto.js';
import { isHold, type ReservationStatus } from '../entities/reservation-states.js';
import { totalOf, type ShownAnswer, type ShownReservation, type ShownTicket } from './shown-reservation.js';

/** Codes of tickets by ticket id; only for callers who may see them. */
export type TicketCodes = ReadonlyMap<string, string>;

/** schema.org ReservationStatusType of a reservation. */
export function schemaOrgStatus(reservation: Pick<ShownReservation, 'status'>): string {
  return `https://schema.org/${reservationStatusTypes[reservation.status]}`;
}

const reservationStatusTypes: Readonly<Record<ReservationStatus, string>> = {
  R: 'ReservationHold',
  U: 'ReservationPending',
  F: 'ReservationPending',
  FA: 'ReservationConfirmed',
  P: 'ReservationConfirmed',
  PE: 'ReservationConfirmed',
  PN: 'ReservationConfirmed',
  V: 'ReservationConfirmed',
  C: 'ReservationCancelled',
};

/**
 * Renders a reservation as schema.org EventReservation.
 * @param codes codes of its valid tickets; absent: the answer contains no codes, as in webhooks
 */
export function toSchemaOrgReservation(
  reservation: ShownReservation,
  tenant: Pick<TenantIdentity, 'timeZone'>,
  codes?: TicketCodes,
): ReservationAnswer {
  const { event, tickets, options, answers, status } = reservation;
  const at = (instant: Date | null): string | undefined => (instant ? isoInZone(instant, tenant.timeZone) : undefined);
  return present({
    '@context': 'https://schema.org',
    '@type': 'EventReservation',
    identifier: reservation.id,
    reservationStatus: schemaOrgStatus(reservation),
    bookingTime: isoInZone(reservation.createdAt, tenant.timeZone),
    reservationFor: {
      '@type': eventSchemaTypes[event.category],
      identifier: event.id,
      name: event.name,
      startDate: isoInZone(event.startsAt, tenant.timeZone),
    },
    underName: person(reservation.firstName, reservation.lastName, reservation.email || undefined),
    inLanguage: reservation.language ?? undefined,
    reservedTicket: tickets.map((ticket) =>
      toSchemaOrgTicket(
        ticket,
        answers.filter(({ ticketId }) => ticketId === ticket.id),
        codes,
      ),
    ),
    totalPrice: totalOf(reservation),
    priceCurrency: currency,
    paymentDueDate: isHold(status) ? at(reservation.expiresAt) : undefined,
    checkoutUrl: isHold(status) ? checkoutUrlOf(reservation.payments) : undefined,
    paymentMethod: reservation.payments.findLast((payment) => payment.status === 'paid')?.method,
    additionalProperty: [
      { '@type': 'PropertyValue', name: 'status', value: status },
      ...(options.length === 0
        ? []
        : [{ '@type': 'PropertyValue', name: 'options', value: options.map(({ optionId }) => optionId) } as const]),
      ...customFormOf(answers.filter(({ ticketId }) => ticketId === null)),
    ],
  });
}

function toSchemaOrgTicket(ticket: ShownTicket, answers: readonly ShownAnswer[], codes: TicketCodes | undefined): ReservedTicketAnswer {
  const customForm = customFormOf(answers);
  return present({
    '@type': 'Ticket',
    identifier: ticket.id,
    name: ticket.price.name,
    ticketQuantity: 1,
    itemOffered: {
      '@type': 'Offer',
      identifier: ticket.priceId,
      name: ticket.price.name,
      category: ticket.admission ? 'admission' : 'goods',
    },
    underName: person(ticket.firstName, ticket.lastName, ticket.holderEmail || undefined),
    totalPrice: ticket.amount,
    priceCurrency: currency,
    status: ticket.status,
    qrcode: codes?.get(ticket.id),
    additionalProperty: customForm.length > 0 ? customForm : undefined,
  });
}

function person(givenName: string, familyName: string, email?: string): PersonAnswer {
  return present({
    '@type': 'Person',
    email,
    givenName: givenName || undefined,
    familyName: familyName || undefined,
  });
}
