import { emailKey, HolderLinks, MailsService, type Ticket } from '#tickets';
import { isUuid, retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { HolderChanges, type SeenTicket } from './holder-changes.js';
import { checkedHolder, type NewHolder, type TicketName } from './new-holder.js';
import { findGivable, offerStandsSql, refuseOffer, refuseTooMany } from './offer-rules.js';
import type { TransferState } from './ticket-transfer.entity.js';

/** An offer of a ticket that waits for its new holder. */
export interface PendingOffer {
  readonly toName: string;
  readonly toEmail: string;
  readonly createdAt: Date;
  /** To accept it; undefined where the server mails it. */
  readonly link: string | undefined;
}

/** An offer as its receiver sees it. */
export interface FoundOffer {
  readonly id: string;
  readonly ticketId: string;
  readonly message: string | null;
  /** `lapsed`: it was not accepted in time, see `offerStandsSql()`. */
  readonly state: TransferState | 'lapsed';
  /** The version of the ticket's code while it is offered. */
  readonly codeVersion: number;
  readonly toKey: string;
}

/** A locked offer that can be accepted. */
interface StandingOffer extends TicketName {
  readonly ticketId: string;
  readonly codeVersion: number;
  readonly toEmail: string;
  readonly toKey: string;
  readonly holderEmail: string | null;
  readonly holderKey: string | null;
  /** On the ticket. */
  readonly name: string;
}

/**
 * Gives tickets to other people in two steps: the holder offers a ticket, and the other person accepts it. Until then the ticket stays the
 * holder's, who can take the offer back. A ticket has one pending offer at most (a unique index).
 */
@Injectable()
export class TicketOffersService {
  constructor(
    private readonly db: TenantDb,
    private readonly changes: HolderChanges,
    private readonly mails: MailsService,
    private readonly links: HolderLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Checks what `offer` checks, and changes nothing.
   * @returns false when the ticket cannot be given away, see `offer`
   * @throws RefusedInput see `offer`
   */
  check(seen: SeenTicket, to: NewHolder): Promise<boolean> {
    const { email } = checkedHolder(to);
    return this.db.transaction(async (tx) => (await this.buyerIfOffered(tx, seen, emailKey(email))) !== undefined);
  }

  /**
   * Offers a valid ticket to another person, who gets a mail with the words of the giver and a link to accept it. Nothing is looked up
   * about the typed address: limits per person and required memberships are those of the buyer, who may get the ticket back in the same
   * way. A repetition while an offer waits changes nothing.
   * @returns false when the ticket cannot be given away: not valid, scanned, handed out, already given away, or its event is over
   * @throws RefusedInput on `firstName`, `lastName`, `message`; on `email` when it is invalid, the holder's own, the ticket was offered too
   *   often, or too many tickets were offered to the new holder today
   */
  offer(seen: SeenTicket, to: NewHolder): Promise<boolean> {
    const { name, email, message } = checkedHolder(to);
    const offer = async (tx: Tx): Promise<boolean> => {
      // One offer after another, so that each counts those before.
      await tx.query('select from ticket where id = $1 for no key update', [seen.id]);
      if ((await this.pendingIn(tx, [seen])).has(seen.id)) return true;
      const key = emailKey(email);
      const giver = await this.buyerIfOffered(tx, seen, key);
      if (!giver) return false;
      await tx.query(
        `update ticket_transfer set state = 'withdrawn', decided_at = (select now()) where ticket_id = $1 and state = 'pending'`,
        [seen.id],
      );
      await tx.query(
        `insert into ticket_transfer (ticket_id, from_email, from_name, to_email, to_key, to_name, first_name, last_name, message, state,
           code_version) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending', $10)`,
        [
          seen.id,
          giver.email,
          giver.name,
          email,
          key,
          `${name.firstName} ${name.lastName}`.trim(),
          name.firstName,
          name.lastName,
          message,
          seen.codeVersion,
        ],
      );
      await this.mails.add(tx, 'ticket-offered', { reservationId: seen.reservationId, ticketId: seen.id, recipient: email });
      return true;
    };
    return retryOnDeadlock(() => this.db.transaction(offer));
  }

  /**
   * Takes the pending offer of a ticket back. One conditional update decides against its acceptance.
   * @returns false when there is none any more
   */
  async withdraw({ id, codeVersion }: SeenTicket): Promise<boolean> {
    const [withdrawn] = await this.db.transaction((tx) =>
      tx.query<[unknown[], number]>(
        `update ticket_transfer set state = 'withdrawn', decided_at = (select now())
         where ticket_id = $1 and code_version = $2 and state = 'pending' returning id`,
        [id, codeVersion],
      ),
    );
    return withdrawn.length > 0;
  }

  /**
   * Moves an offered ticket to its new holder: its code and its links before are invalid from the commit on, and the new holder gets a mail
   * with new ones; whoever gave it gets a mail about it. The lock of the offer decides against taking it back and a second acceptance; one
   * conditional update of the ticket decides against scans and cancellations.
   * @returns false when the offer cannot be accepted (any more)
   * @throws RefusedInput on `email` when the new holder accepted too many tickets today
   */
  async accept(id: string): Promise<boolean> {
    const reservationId = await this.db.transaction(async (tx) => {
      const [offer] = await tx.query<{ reservationId: string }[]>(
        `select ticket.reservation_id as "reservationId" from ticket_transfer transfer join ticket on ticket.id = transfer.ticket_id
         where transfer.id = $1`,
        [id],
      );
      return offer?.reservationId;
    });
    if (reservationId === undefined) return false;
    return this.changes.change(reservationId, async (tx, reservation) => {
      const offer = await this.lockStanding(tx, id);
      // The address of the buyer may have been corrected to that of the new holder since.
      if (!offer || offer.toKey === (offer.holderKey ?? reservation.emailKey)) return false;
      await refuseTooMany(tx, offer.toKey, 'accepted');
      const isBuyer = offer.toKey === reservation.emailKey;
      if (!(await move(tx, offer, isBuyer))) return false;
      const fromEmail = offer.holderEmail ?? reservation.email;
      await tx.query(
        `update ticket_transfer set state = 'accepted', decided_at = (select now()), from_email = $2, from_name = $3 where id = $1`,
        [id, fromEmail, offer.name],
      );
      const about = { reservationId, ticketId: offer.ticketId };
      await this.mails.add(tx, 'ticket-given', { ...about, recipient: fromEmail });
      if (isBuyer) await this.mails.add(tx, 'tickets', { reservationId, recipient: reservation.email });
      else await this.mails.add(tx, 'ticket-transferred', { ...about, recipient: offer.toEmail });
      return true;
    });
  }

  /** The pending offers of tickets, by the ids of these. */
  pendingOf(tickets: readonly Pick<Ticket, 'id'>[]): Promise<ReadonlyMap<string, PendingOffer>> {
    return this.db.transaction((tx) => this.pendingIn(tx, tickets));
  }

  /** An offer for its receiver. */
  async find(id: string): Promise<FoundOffer | undefined> {
    if (!isUuid(id)) return undefined;
    const [found] = await this.db.transaction((tx) =>
      tx.query<FoundOffer[]>(
        `select transfer.id, transfer.ticket_id as "ticketId", transfer.message, transfer.code_version as "codeVersion",
           transfer.to_key as "toKey",
           case when transfer.state = 'pending' and not (${offerStandsSql(this.settings)}) then 'lapsed' else transfer.state end as state
         from ticket_transfer transfer join ticket on ticket.id = transfer.ticket_id join event on event.id = ticket.event_id
         where transfer.id = $1 and transfer.code_version is not null and transfer.to_key is not null`,
        [id],
      ),
    );
    return found;
  }

  private async pendingIn(tx: Tx, tickets: readonly Pick<Ticket, 'id'>[]): Promise<ReadonlyMap<string, PendingOffer>> {
    const pending = await tx.query<(Omit<PendingOffer, 'link'> & { readonly id: string; readonly ticketId: string })[]>(
      `select transfer.id, transfer.ticket_id as "ticketId", transfer.to_name as "toName", transfer.to_email as "toEmail",
         transfer.created_at as "createdAt"
       from ticket_transfer transfer join ticket on ticket.id = transfer.ticket_id join event on event.id = ticket.event_id
       where transfer.ticket_id = any($1) and ${offerStandsSql(this.settings)}`,
      [tickets.map(({ id }) => id)],
    );
    // Without a mail server, the giver is the only one who can pass the link on.
    const linkOf = (giftId: string): string | undefined => (this.mails.deliver ? undefined : this.links.urlTo({ giftId }));
    return new Map(pending.map(({ id, ticketId, ...offer }) => [ticketId, { ...offer, link: linkOf(id) }]));
  }

  /** Whose ticket it is, when it may be offered to the person. @throws RefusedInput */
  private async buyerIfOffered(tx: Tx, seen: SeenTicket, key: string): Promise<{ email: string; name: string } | undefined> {
    const ticket = await findGivable(tx, seen, this.settings);
    if (!ticket) return undefined;
    const [buyer] = await tx.query<{ email: string; emailKey: string }[]>(
      'select email, email_key as "emailKey" from reservation where id = $1 and not is_draft',
      [seen.reservationId],
    );
    if (!buyer) return undefined;
    refuseOffer(ticket, seen, key, buyer.emailKey);
    await refuseTooMany(tx, key, 'offered');
    return { email: ticket.holderEmail ?? buyer.email, name: ticket.name };
  }

  /** The offer, locked until the transaction ends, when it can be accepted. */
  private async lockStanding(tx: Tx, id: string): Promise<StandingOffer | undefined> {
    const [offer] = await tx.query<StandingOffer[]>(
      `select transfer.ticket_id as "ticketId", transfer.code_version as "codeVersion", transfer.to_email as "toEmail",
         transfer.to_key as "toKey", transfer.first_name as "firstName", transfer.last_name as "lastName",
         ticket.holder_email as "holderEmail", ticket.holder_key as "holderKey",
         trim(ticket.first_name || ' ' || ticket.last_name) as name
       from ticket_transfer transfer join ticket on ticket.id = transfer.ticket_id join event on event.id = ticket.event_id
       where transfer.id = $1 and transfer.to_key is not null and ${offerStandsSql(this.settings)} for update of transfer`,
      [id],
    );
    return offer;
  }
}

/** Writes the new holder; scans and cancellations are decided here. @returns whether it was written */
async function move(
  tx: Tx,
  { ticketId, codeVersion, toEmail, toKey, firstName, lastName }: StandingOffer,
  isBuyer: boolean,
): Promise<boolean> {
  const [given] = await tx.query<[unknown[], number]>(
    `update ticket set holder_email = $3, holder_key = $4, first_name = $5, last_name = $6, code_version = code_version + 1,
       sequence = sequence + 1
     where id = $1 and code_version = $2 and status = 'K' and fulfilled_at is null returning id`,
    [ticketId, codeVersion, isBuyer ? null : toEmail, isBuyer ? null : toKey, firstName, lastName],
  );
  return given.length > 0;
}
