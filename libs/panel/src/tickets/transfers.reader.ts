import { TicketTransfer, type TransferState, offerStandsSql } from '#holders';
import { foldedColumnSql, type Settings } from '#kernel';
import type { TenantDb } from '#tenancy';
import { currentPanelRequest, recordHref, related, relatedProperty } from '#panel-kit';
import type { PanelProperty, PanelTone, PanelValue } from '#panel-kit';
import { transferStates } from './tickets.words.js';

/** Who gave tickets to whom; absent when nobody did. */
export const transfersProperty: PanelProperty = relatedProperty('transfers');

/** SQL: the texts of row `ticket` about the person to whom it was given, who may have another address than the buyer. */
export const givenTo = "coalesce(lower(ticket.holder_email), '')";

/** SQL: ids of tickets that are offered to a person whose name or address contains the word. They are few. */
const offeredIds = (pattern: string): string =>
  `select offer.ticket_id from ticket_transfer offer where offer.state = 'pending'
    and (${foldedColumnSql('offer.to_name')} like ${pattern} or lower(offer.to_email) like ${pattern})`;

/** A condition for tickets that are offered to a person whose name or address contains the word. */
export const offeredToSomebody = (pattern: string): string => `ticket.id in (${offeredIds(pattern)})`;

/** A condition for reservations with a ticket that was given or is offered to a person whose name or address contains the word. */
export const givenToSomebody = (pattern: string): string =>
  `reservation.id in (select given.reservation_id from ticket given where given.holder_key is not null
    and (given.search_text like ${pattern} or lower(given.holder_email) like ${pattern})
    union all select offered.reservation_id from ticket offered where offered.id in (${offeredIds(pattern)}))`;

const tones = { pending: 'waiting', accepted: 'good', withdrawn: 'quiet', lapsed: 'quiet' } as const satisfies Record<
  keyof typeof transferStates,
  PanelTone
>;

interface Transfer extends Pick<TicketTransfer, 'ticketId' | 'fromName' | 'fromEmail' | 'toName' | 'toEmail'> {
  readonly state: TransferState;
  /** A pending offer can be accepted. */
  readonly stands: boolean;
  readonly at: Date;
}

/** The transfers and offers of a ticket, or of all tickets of a reservation, newest first. */
export async function transfersOf(
  db: TenantDb,
  subject: { ticketId: string } | { reservationId: string },
  settings: Settings,
): Promise<PanelValue> {
  const column = 'ticketId' in subject ? 'ticket.id' : 'ticket.reservation_id';
  const id = 'ticketId' in subject ? subject.ticketId : subject.reservationId;
  const transfers = await db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select(['ticketId', 'fromName', 'fromEmail', 'toName', 'toEmail', 'state'].map((name) => `transfer.${name} as "${name}"`))
      .addSelect(offerStandsSql(settings), 'stands')
      .addSelect('coalesce(transfer.decidedAt, transfer.createdAt)', 'at')
      .from(TicketTransfer, 'transfer')
      .innerJoin('ticket', 'ticket', 'ticket.id = transfer.ticket_id')
      .innerJoin('event', 'event', 'event.id = ticket.event_id')
      .where(`${column} = :id`, { id })
      .orderBy({ 'transfer.createdAt': 'DESC', 'transfer.id': 'DESC' })
      .limit(50)
      .getRawMany<Transfer>(),
  );
  return related(
    transfers.map(({ ticketId, fromName, fromEmail, toName, toEmail, state: stored, stands, at }) => {
      const state = stored === 'pending' && !stands ? 'lapsed' : stored;
      return {
        title: `${personOf(fromName, fromEmail)} → ${personOf(toName, toEmail)}`,
        at: at.toISOString(),
        badge: { text: transferStates[state][currentPanelRequest().language], tone: tones[state] },
        ...('reservationId' in subject && { href: recordHref('tickets', ticketId) }),
      };
    }),
  );
}

function personOf(name: string, email: string): string {
  return [name, email && (name ? `(${email})` : email)].filter(Boolean).join(' ') || '–';
}
