import type { WholeReservation } from '#tickets';

/** Whether the buyer ordered the same tickets for the same events before, and they are not cancelled. */
export function hasSameTickets(before: readonly WholeReservation[], now: readonly WholeReservation[]): boolean {
  const ordered = new Set(before.filter(({ isDraft, status }) => !isDraft && status !== 'C').map(contentOf));
  return now.length > 0 && now.every((order) => ordered.has(contentOf(order)));
}

const contentOf = ({ eventId, tickets }: WholeReservation): string =>
  [eventId, ...tickets.map(({ priceId, amount }) => `${priceId} ${amount}`).toSorted()].join();
