import type { OrderedCart, OrderedTickets, WholeReservation } from '#booking';
import { sumOf } from '#kernel';

/** All tickets of a cart as one order, for the contact form; the name of each ticket tells its event. */
export function asOneOrder({ parts, questions, canPayOnline, payAtVenueUntil }: OrderedCart): OrderedTickets {
  const [first] = parts as [WholeReservation];
  const tickets = parts.flatMap((part) => part.tickets.map((ticket) => ({ ...ticket, price: named(ticket.price, part) })));
  return { reservation: { ...first, tickets, amount: sumOf(parts) }, offeredTo: '', questions, canPayOnline, payAtVenueUntil };
}

type Price = WholeReservation['tickets'][number]['price'];

function named(price: Price, { event }: WholeReservation): Price {
  return { ...price, name: `${event.name} · ${price.name}` };
}

/** The earliest end of the holds of a cart. */
export function heldUntil(parts: readonly WholeReservation[]): Date | null {
  const times = parts.flatMap(({ expiresAt }) => expiresAt ?? []);
  return times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}
