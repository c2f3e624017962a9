import { Event, Price } from '#catalogue';
import type { Tx } from '#tenancy';
import { Raw, type EntityTarget, type FindOperator, type FindOptionsRelations, type FindOptionsWhere } from 'typeorm';
import { Payment } from '../payments/payment.entity.js';
import { Ticket } from '../ticket.entity.js';
import { ReservationOption } from './reservation-option.entity.js';
import { Reservation } from './reservation.entity.js';

/** A reservation with everything that is shown of it. */
export type WholeReservation = Reservation & {
  readonly event: Event;
  /** With price and product; in the order in which they were booked. */
  readonly tickets: readonly Ticket[];
  readonly options: readonly ReservationOption[];
  /** The oldest first. */
  readonly payments: readonly Payment[];
};

/** @returns those of these reservations that exist, in the order of the ids; six statements, however many they are */
export async function loadReservations(tx: Tx, ids: readonly string[]): Promise<WholeReservation[]> {
  if (ids.length === 0) return [];
  const reservations = await tx.find(Reservation, { where: { id: anyOf(ids) } });
  const tickets = await tx.find(Ticket, {
    where: { reservationId: anyOf(ids) },
    order: { position: 'ASC', id: 'ASC' },
  });
  const options = await tx.find(ReservationOption, { where: { reservationId: anyOf(ids) }, order: { name: 'ASC' } });
  const payments = await tx.find(Payment, { where: { reservationId: anyOf(ids) }, order: { createdAt: 'ASC' } });
  // Many book the same: an event is read once, not once for each of its reservations.
  const events = await byId(tx, Event, reservations.map(({ eventId }) => eventId)); // prettier-ignore
  const prices = await byId(tx, Price, tickets.map(({ priceId }) => priceId), { product: true }); // prettier-ignore
  for (const ticket of tickets) ticket.price = prices.get(ticket.priceId) as Price;
  const found = new Map(reservations.map((reservation) => [reservation.id, reservation]));
  const [ticketsOf, optionsOf, paymentsOf] = [grouped(tickets), grouped(options), grouped(payments)];
  return ids.flatMap((id) => {
    const reservation = found.get(id);
    if (!reservation) return [];
    const parts = {
      event: events.get(reservation.eventId) as Event,
      tickets: ticketsOf.get(id) ?? [],
      options: optionsOf.get(id) ?? [],
      payments: paymentsOf.get(id) ?? [],
    };
    return [Object.assign(reservation, parts)];
  });
}

async function byId<Row extends { id: string }>(
  tx: Tx,
  entity: EntityTarget<Row>,
  ids: readonly string[],
  relations: FindOptionsRelations<Row> = {},
): Promise<Map<string, Row>> {
  const where = { id: anyOf([...new Set(ids)]) } as FindOptionsWhere<Row>;
  return new Map((await tx.find(entity, { where, relations })).map((row) => [row.id, row]));
}

/** One parameter, however many ids: a statement takes 65,535. */
function anyOf(ids: readonly string[]): FindOperator<string> {
  return Raw((column) => `${column} = any(:ids)`, { ids });
}

function grouped<Row extends { reservationId: string | null }>(rows: readonly Row[]): Map<string | null, Row[]> {
  const groups = new Map<string | null, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.reservationId);
    if (group) group.push(row);
    else groups.set(row.reservationId, [row]);
  }
  return groups;
}
