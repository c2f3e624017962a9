import { grouped, sumOf, toCents } from '#kernel';
import { takeBackPieces } from '#orders';
import type { PaymentsService, RefundReason, RefundsService } from '#payments';
import type { Tx } from '#tenancy';
import { isHold, type CancelReason } from '../entities/reservation-states.js';
import { noteEnded } from '../holds/ended-holds.js';
import type { AvailabilityService } from '../sales/availability.service.js';
import { linesOf } from '../inventory/inventory.js';
import { RefusedTransition, refuseUsed, type UsedTicket } from '../inventory/refused-booking.js';
import type { MailsService, NewMail } from '../mails/mails.service.js';
import type { LockedReservation } from '../reservations/reservation-rows.js';
import { loadReservations } from '../reservations/whole-reservation.js';
import type { ReservationPublisherService } from './reservation-publisher.service.js';

interface Services {
  readonly mails: MailsService;
  readonly availability: AvailabilityService;
  readonly payments: PaymentsService;
  readonly refunds: RefundsService;
  readonly publisher: ReservationPublisherService;
}

/** How a reservation or some of its tickets are cancelled. */
export interface Cancelling {
  readonly reason: CancelReason;
  /** Note of the venue, for the holder's mail and the refund. */
  readonly note?: string;
  /** Whether who booked gets a mail; default true, except for reason `expired`, and for `withdrawal`, which has a receipt of its own. */
  readonly notify?: boolean;
  /** False: a whole reservation is cancelled only if nothing is paid back. */
  readonly paysBack?: boolean;
}

interface CancelledTicket extends UsedTicket {
  readonly id: string;
  readonly priceId: string;
  readonly lineId: string | null;
  readonly amount: string;
  readonly admission: boolean;
  readonly holderEmail: string | null;
}

/**
 * Cancels some tickets of a locked reservation, frees their places and stock and records the refund of their amounts. Holders and the
 * buyer get mails. Tickets that are cancelled already stay unchanged.
 * @returns `all`, with nothing changed: no other tickets would be left, so the caller cancels the reservation
 * @throws RefusedTransition `scanned` or `fulfilled`; `transition` while a checkout is open, because it charges the full amount
 */
export async function cancelTicketsIn(
  tx: Tx,
  reservation: LockedReservation,
  ids: ReadonlySet<string>,
  { availability, payments, refunds, publisher, mails }: Services,
  { reason, note, notify }: Cancelling,
): Promise<'all' | 'some' | 'none'> {
  const { id, eventId, status } = reservation;
  const tickets = await tx.query<CancelledTicket[]>(
    `select id, status, fulfilled_at as "fulfilledAt", price_id as "priceId", line_id as "lineId", amount, admission,
       holder_email as "holderEmail" from ticket
     where reservation_id = $1 order by id for no key update`,
    [id],
  );
  const chosen = tickets.filter((ticket) => ids.has(ticket.id) && ticket.status !== 'R');
  if (chosen.length === 0) return 'none';
  for (const ticket of chosen) refuseUsed(ticket, ticket.status);
  if (tickets.every((ticket) => ids.has(ticket.id) || ticket.status === 'R')) return 'all';
  if (status === 'U' || (await payments.isUnderWay(tx, id))) throw new RefusedTransition('transition', status);
  const cancelled = chosen.map((ticket) => ticket.id);
  const kept = tickets.filter((ticket) => ticket.admission && ticket.status !== 'R' && !ids.has(ticket.id));
  if (isHold(status)) await noteEnded(tx, id, kept.length);
  await tx.query(`update ticket set status = 'R', cancelled_at = (select now()), sequence = sequence + 1 where id = any($1)`, [cancelled]);
  const pieces = grouped(chosen, ({ lineId }) => lineId);
  await takeBackPieces(tx, new Map([...pieces].flatMap(([lineId, some]) => (lineId === null ? [] : [[lineId, some.length] as const]))));
  const amount = sumOf(chosen);
  await tx.query('update reservation set amount = amount - $2 where id = $1', [id, amount]);
  if (!isHold(status) && toCents(amount) > 0) await refunds.refundPart(tx, { reservationId: id }, amount, note, refundReasonOf(reason));
  if (!reservation.released)
    await availability.giveBack(tx, eventId, linesOf(chosen.map(({ priceId, admission }) => ({ id: priceId, admission, count: 1 }))));
  const [whole] = await loadReservations(tx, [id]);
  if (whole) await publisher.publishCancelled(tx, whole, new Set(cancelled));
  await tellOfCancelled(tx, reservation, chosen, mails, { reason, ...(note && { note }), ...(notify && { notify }) });
  return 'some';
}

/** Why refunds of a cancellation are due. */
export const refundReasonOf = (reason: CancelReason): RefundReason => (reason === 'withdrawal' ? reason : 'cancelled');

/** Mails to the buyer, who gets the refund, and to the people to whom the tickets were given. */
async function tellOfCancelled(
  tx: Tx,
  { id: reservationId, email }: LockedReservation,
  tickets: readonly CancelledTicket[],
  mails: MailsService,
  { reason, note, notify }: Cancelling,
): Promise<void> {
  const kind = reason === 'holder' || reason === 'withdrawal' ? 'tickets-cancelled' : 'tickets-cancelled-by-venue';
  const about = (some: readonly CancelledTicket[]): Pick<NewMail, 'reservationId' | 'ticketId' | 'ticketIds' | 'note'> => ({
    reservationId,
    ...(some[0] && { ticketId: some[0].id }),
    ticketIds: some.map(({ id }) => id),
    ...(note && { note }),
  });
  if (notify ?? reason !== 'withdrawal') await mails.add(tx, kind, { ...about(tickets), recipient: email });
  const holders = new Set(tickets.flatMap(({ holderEmail }) => holderEmail ?? []));
  for (const recipient of holders) {
    const held = tickets.filter(({ holderEmail }) => holderEmail === recipient);
    await mails.add(tx, kind, { ...about(held), recipient });
  }
}
