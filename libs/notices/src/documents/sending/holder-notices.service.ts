import { type Mail, type MailKind, isGoodsAlone, isHold, HolderLinks, nameOfHolder } from '#tickets';
import { ticketGivenMessage, ticketOfferedMessage, ticketsCancelledMessage, type BookingMailFacts, type MailMessage } from '#messages';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { factsOf, lineOf, refundsOf } from '../booking-facts.js';
import { MailSourcesService } from '../mail-sources.service.js';
import type { MailedReservation, WaitingMail } from '../mailed-reservation.js';

/** Whether a mail is about a change of some tickets: one offered or given to somebody else, or cancelled ones. */
export function isHolderNotice(kind: MailKind): boolean {
  return kind === 'ticket-offered' || kind === 'ticket-given' || kind === 'tickets-cancelled' || kind === 'tickets-cancelled-by-venue';
}

/** An offer that its receiver has not accepted yet. */
interface Offer {
  readonly id: string;
  readonly message: string | null;
  readonly firstName: string;
  readonly lastName: string;
}

interface Transfer {
  readonly fromName: string;
  readonly toName: string;
  readonly toEmail: string;
  /** The recipient had got the ticket from somebody. */
  readonly wasGiven: boolean;
}

/** Composes the mails about changes of some tickets: by holders on the public pages, or by staff. */
@Injectable()
export class HolderNoticesService {
  constructor(
    private readonly db: TenantDb,
    private readonly sources: MailSourcesService,
    private readonly links: HolderLinks,
  ) {}

  /** @returns undefined when the mail is obsolete: the address of its recipient was corrected */
  async compose(
    mail: Mail,
    reservation: MailedReservation,
    about: Pick<WaitingMail, 'isConfirmed' | 'texts'>,
  ): Promise<MailMessage | undefined> {
    const event = await this.sources.recentEvent(reservation.event);
    if (!event) return undefined;
    const url = this.sources.pageOf(event);
    const holderUrl = this.links.urlTo({ reservationId: reservation.id }, reservation.linkVersion);
    const facts = factsOf(reservation, event, await this.sources.venue(), { ...about, url, holderUrl });
    const given = reservation.tickets.filter(({ id }) => id === mail.ticketId);
    if (mail.kind === 'ticket-offered') return this.offered(mail, reservation, { ...facts, isGoods: isGoodsAlone(given) });
    return mail.kind === 'ticket-given'
      ? this.given(mail, { ...facts, isGoods: isGoodsAlone(given) })
      : cancelled(mail, reservation, facts);
  }

  /** The link of this mail accepts the ticket. */
  private async offered(mail: Mail, reservation: MailedReservation, facts: BookingMailFacts): Promise<MailMessage | undefined> {
    const offer = await this.offerOf(mail);
    const ticket = reservation.tickets.find(({ id }) => id === mail.ticketId);
    if (!offer || !ticket) return undefined;
    return ticketOfferedMessage({
      ...forRecipient(facts, mail, false, offer),
      holderUrl: this.links.urlTo({ giftId: offer.id }),
      giver: nameOfHolder(ticket, reservation),
      words: offer.message ?? '',
    });
  }

  /** The offer that the mail asks to accept: both were written by one transaction, so they have the same time. */
  private async offerOf({ id }: Mail): Promise<Offer | undefined> {
    const [offer] = await this.db.transaction((tx) =>
      tx.query<Offer[]>(
        `select transfer.id, transfer.message, transfer.first_name as "firstName", transfer.last_name as "lastName"
         from mail join ticket_transfer transfer on transfer.ticket_id = mail.ticket_id and transfer.created_at = mail.created_at
         join ticket on ticket.id = transfer.ticket_id
         where mail.id = $1 and transfer.state = 'pending' and transfer.code_version = ticket.code_version and ticket.status = 'K'`,
        [id],
      ),
    );
    return offer;
  }

  private async given(mail: Mail, facts: BookingMailFacts): Promise<MailMessage | undefined> {
    const transfer = await this.transferOf(mail);
    const isBuyer = facts.reservation.email === mail.recipient;
    if (!transfer || (!isBuyer && !transfer.wasGiven)) return undefined;
    const { fromName, toName, toEmail } = transfer;
    const newHolder = [toName, toEmail].filter(Boolean).join(', ');
    return ticketGivenMessage({ ...forRecipient(facts, mail, isBuyer), ticketName: fromName, newHolder, isBuyer });
  }

  /** The transfer that the mail reports: both were written by one transaction, so they have the same time. */
  private async transferOf({ id, recipient }: Mail): Promise<Transfer | undefined> {
    const [transfer] = await this.db.transaction((tx) =>
      tx.query<Transfer[]>(
        `select transfer.from_name as "fromName", transfer.to_name as "toName", transfer.to_email as "toEmail",
           exists (select 1 from ticket_transfer earlier where earlier.ticket_id = transfer.ticket_id
             and earlier.state = 'accepted' and earlier.to_email = $2) as "wasGiven"
         from mail join ticket_transfer transfer on transfer.ticket_id = mail.ticket_id and transfer.state = 'accepted'
           and coalesce(transfer.decided_at, transfer.created_at) = mail.created_at
         where mail.id = $1`,
        [id, recipient],
      ),
    );
    return transfer;
  }
}

function cancelled(mail: Mail, reservation: MailedReservation, facts: BookingMailFacts): MailMessage | undefined {
  const isBuyer = reservation.email === mail.recipient;
  const tickets = reservation.tickets.filter(({ id }) => mail.ticketIds?.includes(id));
  const [first] = tickets;
  if (!first || (!isBuyer && first.holderEmail !== mail.recipient)) return undefined;
  const held = (email: string | null): boolean => (isBuyer ? email === null : email === mail.recipient);
  const isOwn = tickets.every(({ holderEmail }) => held(holderEmail));
  const time = mail.createdAt.getTime();
  return ticketsCancelledMessage({
    ...forRecipient(facts, mail, isBuyer, isBuyer ? undefined : first),
    isGoods: isGoodsAlone(tickets),
    by: mail.kind === 'tickets-cancelled-by-venue' ? 'venue' : isOwn ? 'recipient' : 'holder',
    words: mail.note ?? '',
    cancelled: tickets.map(lineOf),
    // Tickets that await a payment or a confirmation are not valid yet.
    left: isHold(reservation.status)
      ? 0
      : reservation.tickets.filter(({ status, holderEmail }) => status !== 'R' && held(holderEmail)).length,
    // The refunds of this cancellation: written by the same transaction, so they have the same time.
    ...(isBuyer && {
      refunds: refundsOf({
        payments: reservation.payments.filter(({ kind, createdAt }) => kind === 'refund' && createdAt.getTime() === time),
      }),
    }),
  });
}

/** The facts for somebody who may have got a ticket from the buyer: without the buyer's name, and without what the buyer paid. */
function forRecipient(
  facts: BookingMailFacts,
  { recipient: email }: Mail,
  isBuyer: boolean,
  { firstName, lastName } = { firstName: '', lastName: '' },
): BookingMailFacts {
  return isBuyer ? facts : { ...facts, hidesAmounts: true, reservation: { ...facts.reservation, email, firstName, lastName } };
}
