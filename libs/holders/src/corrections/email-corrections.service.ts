import { loadMembership, lockMembership, checkMembershipLimits, publishMembershipUpdate } from '#memberships';
import { forgetCode, refuseMoreMails, refuseUnconfirmed } from '#selling';
import {
  emailFault,
  emailKey,
  Mail,
  type MailKind,
  MailsService,
  AvailabilityService,
  claimOf,
  RefusedTransition,
  expiryJob,
  awaitsConfirmation,
  awaitsConfirmationSql,
  ReservationPublisherService,
  enter,
  lockEventsOf,
  lockReservation,
  type LockedReservation,
  lockAddress,
} from '#tickets';
import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, SETTINGS, retryOnDeadlock, type Settings, actorColumns } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { OutboxService } from '#webhooks';
import { EmailCorrection } from './email-correction.entity.js';
import { texts } from '../locales/holders.texts.js';

/** Result of a correction. */
export interface Corrected {
  /** The mail that is sent to the new address; undefined when none is due in this state. */
  readonly sent: MailKind | undefined;
}

type Subject = 'reservation' | 'membership';

interface Move {
  readonly from: string;
  readonly to: string;
  readonly byBuyer?: boolean;
}

/**
 * Corrects the e-mail address of a reservation or a membership and sends the mail that is due to the new address. One transaction, with the
 * same locks as other changes: it withdraws waiting mails, invalidates mailed links, and counts the booking towards the limits of the new
 * address. A correction does not verify the address.
 */
@Injectable()
export class EmailCorrectionsService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly mails: MailsService,
    private readonly publisher: ReservationPublisherService,
    private readonly outbox: OutboxService,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @returns undefined when there is no such reservation
   * @throws RefusedInput on `email` when it is invalid or unchanged; RefusedBooking `limit_per_user` when the new address would exceed a
   *   limit per person; RefusedTransition when the reservation is cancelled
   */
  reservation(id: string, email: string): Promise<Corrected | undefined> {
    const address = checkedAddress(email);
    return this.inTransaction(async (tx) => {
      const reservation = await lockReservation(tx, id);
      if (!reservation) return undefined;
      refuseUnfit(reservation, address);
      const key = emailKey(address);
      if (key !== reservation.emailKey) await this.checkLimits(tx, reservation, key);
      // Back to P, because the tickets are mailed again.
      const { status } = reservation;
      const undelivered = status === 'PE' || status === 'PN';
      if (undelivered) await enter(tx, reservation, 'P');
      await this.move(tx, 'reservation', id, { from: reservation.email, to: address });
      if (awaitsConfirmation(reservation) && !reservation.lapsed) await this.extendHold(tx, id);
      const refundMails = await tx.find(Mail, {
        select: { id: true, note: true },
        where: { reservationId: id, status: 'waiting', kind: 'refunded' },
      });
      const sent = await this.mails.sendDue(tx, { ...reservation, status: undelivered ? 'P' : status, email: address });
      for (const { note } of refundMails)
        await this.mails.add(tx, 'refunded', { reservationId: id, recipient: address, ...(note && { note }) });
      await this.publisher.publish(tx, 'reservation.updated', id);
      return { sent };
    });
  }

  /**
   * @returns undefined when there is no such membership
   * @throws RefusedInput on `email` when it is invalid or unchanged; RefusedBooking `limit_per_user` when the new address would exceed the
   *   limit per person; RefusedTransition when the membership is cancelled
   */
  membership(id: string, email: string): Promise<Corrected | undefined> {
    const address = checkedAddress(email);
    return this.inTransaction(async (tx) => {
      const membership = await lockMembership(tx, id);
      if (!membership) return undefined;
      const { status, price, validFrom, lapsed } = membership;
      const before = await loadMembership(tx, id);
      const from = before?.email ?? '';
      refuseUnfit({ status: status === 'cancelled' ? 'C' : status, email: from }, address);
      const key = emailKey(address);
      // The membership that the price requires was checked at the sale and is not checked again.
      if (key !== membership.emailKey && !lapsed) await checkMembershipLimits(tx, { ...price, requiredMembershipId: null }, key, validFrom);
      await this.move(tx, 'membership', id, { from, to: address });
      const sent = await this.mails.sendCard(tx, id);
      await publishMembershipUpdate(tx, this.outbox, id);
      return { sent };
    });
  }

  /**
   * Mails the request to confirm an order of the pages again because its buyer asks for it, to the same address or to another one.
   * @param ids of the reservations of the order; those that await no confirmation are left out
   * @returns false when nothing awaits a confirmation
   * @throws RefusedInput on `email` when it is invalid; RefusedDraft `unconfirmed`, `mailed_often`
   */
  ofBuyer(ids: readonly string[], email: string): Promise<boolean> {
    const address = checkedAddress(email);
    const key = emailKey(address);
    return this.inTransaction(async (tx) => {
      await lockEventsOf(tx, ids);
      await lockAddress(tx, key);
      let isSent = false;
      for (const id of ids.toSorted()) {
        const reservation = await lockReservation(tx, id);
        if (!reservation || !awaitsConfirmation(reservation)) continue;
        await refuseUnconfirmed(tx, key, id);
        await refuseMoreMails(tx, key, id);
        if (reservation.email !== address) {
          await this.move(tx, 'reservation', id, { from: reservation.email, to: address, byBuyer: true });
          await forgetCode(tx, id);
        }
        if (!reservation.lapsed) await this.extendHold(tx, id);
        await this.mails.sendDue(tx, { ...reservation, email: address });
        await this.publisher.publish(tx, 'reservation.updated', id);
        isSent = true;
      }
      return isSent;
    });
  }

  /**
   * Whether somebody else than the buyer ended the links to one of these reservations: staff who changed its address, or an erasure. The
   * buyer who does not pay online any more ended one, and awaits the mail with the new one.
   */
  async isChangedByOthers(ids: readonly string[]): Promise<boolean> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ isChanged: boolean }[]>(
        `select exists (
           select 1 from reservation left join email_correction change on change.reservation_id = reservation.id
           where reservation.id = any($1)
           group by reservation.id
           having reservation.link_version > count(change.id)
             + (exists (select 1 from payment where reservation_id = reservation.id and method = 'online'
                 and (${awaitsConfirmationSql('reservation')} or reservation.pay_at_venue and reservation.pay_until is not null
                   or payment.amount = 0)))::int or bool_or(not change.by_buyer)
         ) as "isChanged"`,
        [ids],
      ),
    );
    return row?.isChanged ?? true;
  }

  /** Checks the limits of the new address. Expired holds are skipped: they are checked when they take their places again. */
  private async checkLimits(tx: Tx, reservation: LockedReservation, key: string): Promise<void> {
    if (reservation.lapsed || reservation.released) return;
    const claim = await claimOf(tx, { ...reservation, emailKey: key });
    await this.availability.take(tx, { ...claim, memberships: [], isHeld: true });
  }

  private async move(tx: Tx, subject: Subject, id: string, { from, to, byBuyer = false }: Move): Promise<void> {
    // Without a mail, only the buyer has the link (for example from the checkout), so it stays valid.
    await tx.query(
      `update ${subject} set email = $2, email_key = $3, sequence = sequence + 1,
         link_version = link_version + case when exists (select 1 from mail where ${subject}_id = $1) then 1 else 0 end
       where id = $1`,
      [id, to, emailKey(to)],
    );
    const [byUserId, byKeyId] = actorColumns();
    await tx.insert(EmailCorrection, { [`${subject}Id`]: id, oldEmail: from, newEmail: to, byUserId, byKeyId, byBuyer });
  }

  /** Restarts the hold, because the new mail states how long its link is valid. A longer one, of a waiting list, stays. */
  private async extendHold(tx: Tx, id: string): Promise<void> {
    const [rows] = await tx.query<[{ expiresAt: Date }[], number]>(
      `update reservation set expires_at = greatest(expires_at, (select now() + make_interval(mins => $2))) where id = $1
       returning expires_at as "expiresAt"`,
      [id, this.settings.holdMinutes],
    );
    await this.jobs.cancel(tx, expiryJob, id);
    for (const { expiresAt } of rows) await this.jobs.add(tx, expiryJob, id, { dueAt: expiresAt });
  }

  private inTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return retryOnDeadlock(() => this.db.transaction(work));
  }
}

/** @throws RefusedInput on `email` */
function checkedAddress(email: string): string {
  const address = email.trim();
  const fault = emailFault(address);
  if (fault) throw fault;
  return address;
}

/** @throws RefusedTransition when it is cancelled; RefusedInput when the address is unchanged */
function refuseUnfit({ status, email }: { readonly status: string; readonly email: string }, address: string): void {
  if (status === 'C') throw new RefusedTransition('transition', status);
  if (email !== address) return;
  throw new RefusedInput('email', texts.localized('emailCorrections.sameAddress'));
}
