import { Event, Price, Product, Question } from '#catalogue';
import { grouped, inOrderOf } from '#kernel';
import { RowsTogether, type Tx } from '#tenancy';
import { answersBy, type WholeAnswer } from '../answers/answer-rows.js';
import { Payment } from '#payments';
import { Answer } from '../entities/answer.entity.js';
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

const ofReservations = 'reservation_id = any($1)';
const priceIds = `select price_id from ticket where ${ofReservations}`;

/** Events, prices and questions are read once each, because many reservations share them. */
const whole = new RowsTogether('reservations-whole', {
  reservations: { entity: Reservation, where: 'id = any($1)' },
  tickets: { entity: Ticket, where: ofReservations, order: 'position, id' },
  options: { entity: ReservationOption, where: ofReservations, order: 'name' },
  payments: { entity: Payment, where: ofReservations, order: 'created_at' },
  answers: { entity: Answer, where: ofReservations },
  questions: { entity: Question, where: `id in (select question_id from answer where ${ofReservations})` },
  events: { entity: Event, where: 'id in (select event_id from reservation where reservation.id = any($1))' },
  prices: { entity: Price, where: `id in (${priceIds})` },
  products: { entity: Product, where: `id in (select product_id from price where price.id in (${priceIds}))` },
});

/** Loads reservations with one statement. @returns the existing ones, in the order of `ids` */
export async function loadReservations(tx: Tx, ids: readonly string[]): Promise<WholeReservation[]> {
  if (ids.length === 0) return [];
  const { reservations, tickets, options, payments, answers, ...shared } = await whole.read(tx, [ids]);
  const events = byId(shared.events);
  const answersOf = answersBy('reservationId', answers, byId(shared.questions));
  withPrices(tickets, shared.prices, shared.products);
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

/** Sets the price of each ticket, and the product of the price. @returns the tickets */
export function withPrices(tickets: readonly Ticket[], prices: readonly Price[], products: readonly Product[]): readonly Ticket[] {
  const [priceOf, productOf] = [byId(prices), byId(products)];
  for (const price of prices) price.product = productOf.get(price.productId) as Product;
  for (const ticket of tickets) ticket.price = priceOf.get(ticket.priceId) as Price;
  return tickets;
}

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));
