import type { Tx } from '#tenancy';
import type { Ticket } from '../entities/ticket.entity.js';
import type { MailsService } from '../mails/mails.service.js';
import type { LockedReservation } from '../reservations/reservation-rows.js';
import type { Cancelling } from './ticket-cancellation.js';

interface Cancelled {
  readonly reservation: Pick<LockedReservation, 'id' | 'email'>;
  /** As they were before. */
  readonly tickets: readonly Pick<Ticket, 'id' | 'status' | 'holderEmail'>[];
  readonly how: Cancelling;
  readonly isRefunded: boolean;
}

/** Writes the mails about a cancelled reservation, to the buyer and to everybody who got a ticket of it. Holds that expire have none. */
export async function mailCancelled(tx: Tx, mails: MailsService, { reservation, tickets, how, isRefunded }: Cancelled): Promise<void> {
  const { reason, note, notify } = how;
  if (!(notify ?? reason !== 'expired')) return;
  const about = { reservationId: reservation.id, ...(note && { note }) };
  const kind = reason === 'event' ? 'event-cancelled' : reason === 'too_late' && isRefunded ? 'refunded' : 'reservation-cancelled';
  if (notify ?? reason !== 'withdrawal') await mails.add(tx, kind, { ...about, recipient: reservation.email });
  for (const { id: ticketId, status, holderEmail } of tickets)
    if (holderEmail !== null && status !== 'R') await mails.add(tx, kind, { ...about, ticketId, recipient: holderEmail });
}
