import { Inject, Injectable } from '@nestjs/common';
import { isOwnMachine, SETTINGS, showsMailLinks, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { bulkMailJob, mailJob } from './mail-jobs.js';
import { bulkMailKinds, type MailKind } from './mail.entity.js';
import { Reservation } from '../entities/reservation.entity.js';

export interface NewMail {
  readonly reservationId?: string;
  readonly membershipId?: string;
  /** For a mail to the person to whom this ticket was given or is offered, or about a change of some tickets. */
  readonly ticketId?: string;
  /** The tickets that the mail is about. */
  readonly ticketIds?: readonly string[];
  readonly waitingEntryId?: string;
  /** The notice to the guests of an event that it is a part of. */
  readonly noticeId?: string;
  readonly followerId?: string;
  /** The mails of one day to all followers that it is a part of. */
  readonly mailingId?: string;
  readonly giftCardId?: string;
  /** Empty when the holder has no address; then no mail is added. */
  readonly recipient: string;
  /** Note of the venue. */
  readonly note?: string;
}

/** Mails to holders. A mail is added in the transaction of the change that it reports; the worker sends it. */
@Injectable()
export class MailsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether mails are delivered. Without a mail server they are only kept as files; pages must not announce a mail then. */
  get deliver(): boolean {
    return this.settings.smtpUrl !== undefined;
  }

  /** Whether buyers can confirm their addresses. */
  get confirmAddresses(): boolean {
    return this.settings.confirmsAddresses;
  }

  /** Whether pages show the links of mails, see `showsMailLinks`. */
  get showsLinks(): boolean {
    return showsMailLinks(this.settings, currentTenant().host);
  }

  /** Whether pages show links that sign somebody in: only to who sits at this machine. */
  get showsSignInLinks(): boolean {
    return this.showsLinks && isOwnMachine();
  }

  /** Adds a mail, unless the recipient is empty. */
  async add(tx: Tx, kind: MailKind, mail: NewMail): Promise<void> {
    const { reservationId = null, membershipId = null, ticketId = null, ticketIds = null, waitingEntryId = null, note = null } = mail;
    const { noticeId = null, followerId = null, mailingId = null, giftCardId = null } = mail;
    if (mail.recipient === '') return;
    const [row] = await tx.query<{ id: string }[]>(
      `insert into mail (kind, reservation_id, membership_id, recipient, note, ticket_id, waiting_entry_id, ticket_ids, notice_id,
         follower_id, mailing_id, gift_card_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
      [
        kind,
        reservationId,
        membershipId,
        mail.recipient,
        note,
        ticketId,
        waitingEntryId,
        ticketIds,
        noticeId,
        followerId,
        mailingId,
        giftCardId,
      ],
    );
    const { id } = row as { id: string };
    await this.jobs.add(tx, bulkMailKinds.has(kind) ? bulkMailJob : mailJob, id);
  }

  /** Withdraws the waiting mails to the buyer of a reservation, because a newer one replaces them. */
  withdraw(tx: Tx, reservationId: string): Promise<void> {
    return this.withdrawAbout(tx, 'reservation_id', reservationId);
  }

  /**
   * Sends the mail that the reservation's state requires again: the tickets, or the request to confirm the address. Replaces waiting mails.
   * @returns the kind sent; undefined when the reservation does not exist, has no address, or no mail is due in its state
   */
  resend(reservationId: string): Promise<MailKind | undefined> {
    return this.db.transaction(async (tx) => {
      const reservation = await tx.findOne(Reservation, {
        select: { id: true, status: true, email: true, payAtVenue: true, payUntil: true },
        where: { id: reservationId },
        lock: { mode: 'for_no_key_update' },
      });
      return reservation ? this.sendDue(tx, reservation) : undefined;
    });
  }

  /** Like `resend`, inside a transaction that has locked the reservation. */
  async sendDue(tx: Tx, reservation: DueState & { readonly id: string; readonly email: string }): Promise<MailKind | undefined> {
    const { id, email } = reservation;
    const kind = dueKind(reservation);
    if (!kind || email === '') return undefined;
    await this.withdraw(tx, id);
    await this.add(tx, kind, { reservationId: id, recipient: email });
    return kind;
  }

  /**
   * Sends the membership card again. Replaces waiting mails.
   * @returns the kind sent; undefined when the membership does not exist or is unpaid, cancelled or expired
   */
  resendCard(membershipId: string): Promise<MailKind | undefined> {
    return this.db.transaction((tx) => this.sendCard(tx, membershipId));
  }

  /** Like `resendCard`, inside a transaction. */
  async sendCard(tx: Tx, membershipId: string): Promise<MailKind | undefined> {
    const [membership] = await tx.query<{ recipient: string }[]>(
      `select email as recipient from membership where id = $1 and status = 'active' and coalesce(valid_until > now(), true)
       for no key update`,
      [membershipId],
    );
    if (!membership) return undefined;
    await this.withdrawAbout(tx, 'membership_id', membershipId);
    await this.add(tx, 'membership', { membershipId, ...membership });
    return 'membership';
  }

  private async withdrawAbout(tx: Tx, column: 'reservation_id' | 'membership_id', id: string): Promise<void> {
    const [rows] = await tx.query<[{ id: string }[], number]>(
      `update mail set status = 'obsolete' where ${column} = $1 and status = 'waiting' and ticket_id is null
         and notice_id is null and kind <> 'on-account' returning id`,
      [id],
    );
    for (const mail of rows) await this.jobs.cancel(tx, mailJob, mail.id);
  }
}

/** What decides which mail is due to the holder of a reservation. */
export type DueState = Pick<Reservation, 'payAtVenue' | 'payUntil'> & { readonly status: string };

/** The mail that is due to the holder of a reservation; undefined: none. */
export function dueKind({ status, payAtVenue, payUntil }: DueState): MailKind | undefined {
  if (status === 'R' && payUntil !== null && !payAtVenue) return 'confirm-email';
  if (status === 'R' && payAtVenue) return payUntil === null ? 'pay-at-venue' : 'confirm-venue';
  return dueKinds[status];
}

/** The mail that is due in each state, except for reservations to pay at the venue, and for members. */
const dueKinds: Readonly<Record<string, MailKind | undefined>> = {
  F: 'confirm-email',
  FA: 'tickets',
  P: 'tickets',
  PE: 'tickets',
  PN: 'tickets',
  V: 'tickets',
};
