import { TicketTransfer } from '#holders';
import type { TenantDb } from '#tenancy';
import { recordHref, related, relatedProperty } from '#panel-kit';
import type { PanelProperty, PanelValue } from '#panel-kit';

/** Who gave tickets to whom; absent when nobody did. */
export const transfersProperty: PanelProperty = relatedProperty('transfers');

/** SQL: the texts of row `ticket` about the person to whom it was given, who may have another address than the buyer. */
export const givenTo = "coalesce(lower(ticket.holder_email), '')";

/** A condition for reservations with a ticket that was given to a person whose name or address contains the word. */
export const givenToSomebody = (pattern: string): string =>
  `reservation.id in (select given.reservation_id from ticket given where given.holder_key is not null
    and (given.search_text like ${pattern} or lower(given.holder_email) like ${pattern}))`;

/** The transfers of a ticket, or of all tickets of a reservation, newest first. */
export async function transfersOf(db: TenantDb, subject: { ticketId: string } | { reservationId: string }): Promise<PanelValue> {
  const column = 'ticketId' in subject ? 'ticket.id' : 'ticket.reservation_id';
  const id = 'ticketId' in subject ? subject.ticketId : subject.reservationId;
  const transfers = await db.transaction((tx) =>
    tx
      .createQueryBuilder(TicketTransfer, 'transfer')
      .innerJoin('ticket', 'ticket', 'ticket.id = transfer.ticket_id')
      .where(`${column} = :id`, { id })
      .orderBy({ 'transfer.createdAt': 'DESC', 'transfer.id': 'DESC' })
      .limit(50)
      .getMany(),
  );
  return related(
    transfers.map(({ ticketId, fromName, fromEmail, toName, toEmail, createdAt }) => ({
      title: `${personOf(fromName, fromEmail)} → ${personOf(toName, toEmail)}`,
      at: createdAt.toISOString(),
      ...('reservationId' in subject && { href: recordHref('tickets', ticketId) }),
    })),
  );
}

function personOf(name: string, email: string): string {
  return [name, email && (name ? `(${email})` : email)].filter(Boolean).join(' ') || '–';
}
