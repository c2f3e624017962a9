import { Event, Price } from '#catalogue';
import { grouped, inOrderOf } from '#kernel';
import { anyOf, rowsById, type Tx } from '#tenancy';
import { loadAnswers, type WholeAnswer } from '../answers/answer-rows.js';
import { Payment } from '#payments';
import { Ticket } from '../entities/ticket.entity.js';
import { ReservationOption } from '../entities/reservation-option.entity.js';
import { Reservation } from '../entities/reservation.entity.js';

/** A reservation with its event, tickets, options, payments and answers. */
export type WholeReservation = Reservation & {
  readonly event: Event;
  /** With price and product; in the order in which they were booked. */
  readonly tickets: readonly Ticket[];
  readonly options: readonly ReservationOption[];
  /** The oldest first. */
  readonly payments: readonly Payment[];
  /** Of the reservation and of its tickets, in the order of the questions. */
  readonly answers: readonly WholeAnswer[];
};

/** Loads reservations with a fixed number of statements. @returns the existing ones, in the order of `ids` */
export async function loadReservations(tx: Tx, ids: readonly string[]): Promise<WholeReservation[]> {
  if (ids.length === 0) return [];
  const reservations = await tx.find(Reservation, { where: { id: anyOf(ids) } });
  const tickets = await tx.find(Ticket, {
    where: { reservationId: anyOf(ids) },
    order: { position: 'ASC', id: 'ASC' },
  });
  const options = await tx.find(ReservationOption, { where: { reservationId: anyOf(ids) }, order: { name: 'ASC' } });
  const payments = await tx.find(Payment, { where: { reservationId: anyOf(ids) }, order: { createdAt: 'ASC' } });
  const answersOf = await loadAnswers(tx, 'reservationId', ids);
  // Events and prices are read once each, because many reservations share them.
  const events = await rowsById(
    tx,
    Event,
    reservations.map(({ eventId }) => eventId),
  );
  const prices = await rowsById(
    tx,
    Price,
    tickets.map(({ priceId }) => priceId),
    { product: true },
  );
  for (const ticket of tickets) ticket.price = prices.get(ticket.priceId) as Price;
  const reservationOf = ({ reservationId }: { readonly reservationId: string | null }): string | null => reservationId;
  const ticketsOf = grouped(tickets, reservationOf);
  const optionsOf = grouped(options, reservationOf);
  const paymentsOf = grouped(payments, reservationOf);
  return inOrderOf(ids, reservations).map((reservation) => {
    const { id, eventId } = reservation;
    return Object.assign(reservation, {
      event: events.get(eventId) as Event,
      tickets: ticketsOf.get(id) ?? [],
      options: optionsOf.get(id) ?? [],
      payments: paymentsOf.get(id) ?? [],
      answers: answersOf.get(id) ?? [],
    });
  });
}
