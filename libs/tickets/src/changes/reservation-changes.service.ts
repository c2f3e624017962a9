import { IsNull, Not } from 'typeorm';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { databaseNow, fromCents, retryOnDeadlock, SETTINGS, toCents, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { MailsService } from '../mails/mails.service.js';
import { sellLines, takeBackAll } from '#orders';
import { GiftCardPaymentsService, PaymentsService, RefundsService, type VenueMethod } from '#payments';
import { AvailabilityService } from '../sales/availability.service.js';
import { mailCancelled } from './cancellation-mails.js';
import { checkUncounted, takeAgain } from './claims.js';
import { RefusedBooking, RefusedTransition, refuseUsed, wouldPayBack } from '../inventory/refused-booking.js';
import { ReservationPublisherService } from './reservation-publisher.service.js';
import {
  activateTickets,
  enter,
  holdForBank,
  holdUntilPaid,
  lockReservation,
  moveTickets,
  type LockedReservation,
} from '../reservations/reservation-rows.js';
import { awaitsConfirmation, isHold } from '../entities/reservation-states.js';
import { expiryJob, lateSeconds, tidyJob } from '../booking-jobs.js';
import { noteEnded } from '../holds/ended-holds.js';
import { linesOfReservation } from '../inventory/inventory.js';
import { proposalLost } from '../inventory/waiting.js';
import { cancelTicketsIn, refundReasonOf, type Cancelling } from './ticket-cancellation.js';
import { rememberVerified } from '../people/verified-emails.js';
import { loadReservations, type WholeReservation } from '../reservations/whole-reservation.js';
import { Reservation } from '../entities/reservation.entity.js';
import { Ticket } from '../entities/ticket.entity.js';

/** Checks a reservation after it was locked, and may write; an error that it throws aborts the change. */
export type ReservationCheck = (current: WholeReservation, tx: Tx) => void | Promise<void>;

/** One change of a locked reservation. @returns the webhook event to publish */
type Change = (tx: Tx, reservation: LockedReservation) => Promise<'reservation.confirmed' | 'reservation.updated' | undefined>;

/** Changes the state of reservations. Every change locks the event, then the reservation, then its tickets, then prices. */
@Injectable()
export class ReservationChangesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly publisher: ReservationPublisherService,
    private readonly payments: PaymentsService,
    private readonly cardPayments: GiftCardPaymentsService,
    private readonly refundsDue: RefundsService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(expiryJob, (id) => this.expire(id));
    this.jobs.handle(tidyJob, (id) => this.tidy(id));
  }

  /**
   * Confirms a reservation for the seller: it was paid at the venue, or its address is known to be correct. A confirmed one stays as it is.
   * @returns undefined when it does not exist
   * @throws RefusedTransition when it is cancelled; RefusedBooking when its hold expired and its places are sold; what `underLock` throws
   * @throws Problem 403 `tenant.module`
   */
  confirm(id: string, method: VenueMethod = 'cash', underLock?: ReservationCheck): Promise<WholeReservation | undefined> {
    return this.changing(id, (tx, reservation) => this.confirmIn(tx, reservation, method), underLock);
  }

  /** The same, inside a transaction that has locked the reservation. @returns the webhook event to publish */
  async confirmIn(tx: Tx, reservation: LockedReservation, method: VenueMethod): Promise<'reservation.confirmed' | undefined> {
    const { id, status, amount } = reservation;
    if (status === 'C') throw new RefusedTransition('transition', status);
    if (!isHold(status)) return undefined;
    demandModule('ticketing');
    const rest = toCents(amount) - toCents(await this.cardPayments.settle(tx, { reservationId: id }));
    await this.payments.giveUpPending(tx, { reservationId: id });
    if (rest > 0) await this.payments.recordAtVenue(tx, { reservationId: id }, fromCents(rest), method);
    await this.validate(tx, reservation, ({ R: 'V', U: 'P', F: 'FA' } as const)[status as 'R' | 'U' | 'F']);
    return 'reservation.confirmed';
  }

  /**
   * Verifies the e-mail address after the holder opened the mailed link: F→FA, or R is held until it is to be paid. Cancels
   * the reservation when its hold expired and its places are sold, or when the time to pay is over.
   * @param linkVersion version in the link; a link replaced by a correction of the address has no effect
   * @returns undefined when it does not exist
   * @throws RefusedBooking `limit_per_user`, `membership_required`: the person may not have it; nothing was changed
   */
  verify(id: string, linkVersion?: number): Promise<WholeReservation | undefined> {
    const verifying = (work: Change) =>
      this.changing(id, async (tx, reservation) => {
        // In other states the link did not come from the mailbox (for example from the checkout), so it does not verify the address.
        if (!awaitsConfirmation(reservation) || (linkVersion ?? reservation.linkVersion) !== reservation.linkVersion) return undefined;
        await rememberVerified(tx, reservation.emailKey);
        return work(tx, reservation);
      });
    return verifying((tx, reservation) => this.keepVerified(tx, reservation)).catch((error: unknown) => {
      if (!(error instanceof RefusedBooking) || error.isPersonal) throw error;
      // Checks the state again: it may have been confirmed since the refusal.
      return verifying(async (tx, reservation): Promise<undefined> => {
        await this.cancelIn(tx, reservation, { reason: 'too_late' });
      });
    });
  }

  /**
   * Like `verify`, inside a transaction that has locked the reservation, which awaits it. It cancels nothing.
   * @param isOwners false: nobody can confirm the address, which is not known to be verified then
   * @throws RefusedBooking when its places are sold, or the time to pay is over: the transaction must roll back; when it is personal, no
   *   reservation was changed
   */
  async verifyIn(tx: Tx, reservation: LockedReservation, isOwners = true): Promise<void> {
    if (isOwners) await rememberVerified(tx, reservation.emailKey);
    await this.publisher.publish(tx, await this.keepVerified(tx, reservation), reservation.id);
  }

  /**
   * Confirms a reservation whose payment this transaction records: R, U→P. What is free and does not await that payment any more: F→FA.
   * @throws RefusedBooking when its places are sold meanwhile, or `limit_per_user`
   */
  async settle(tx: Tx, reservation: LockedReservation): Promise<void> {
    await this.validate(tx, reservation, reservation.status === 'F' ? 'FA' : 'P');
    await this.publisher.publish(tx, 'reservation.confirmed', reservation.id);
  }

  /**
   * Cancels a reservation, frees its places and stock once and records its refunds. A cancelled reservation stays unchanged.
   * @returns undefined when it does not exist
   * @throws RefusedTransition `scanned` or `fulfilled` when a ticket was used;
   *   RefusedInput when money would be paid back and must not; what `underLock` throws
   */
  cancel(id: string, how: Cancelling, underLock?: ReservationCheck): Promise<WholeReservation | undefined> {
    const cancelling: Change = async (tx, reservation): Promise<undefined> => {
      if (reservation.status !== 'C') await this.cancelIn(tx, reservation, how);
    };
    return this.changing(id, cancelling, underLock);
  }

  /**
   * Cancels a hold that cannot be paid, and deletes the stored outcome of its request, so that a repetition of the request books anew.
   * @param lapsedOnly cancels only an expired hold in state R
   * @returns whether it was cancelled
   */
  async giveUpCheckout(id: string, { lapsedOnly = false } = {}): Promise<boolean> {
    let isGivenUp = false;
    await this.changing(id, async (tx, reservation): Promise<undefined> => {
      isGivenUp = lapsedOnly ? reservation.status === 'R' && reservation.lapsed : isHold(reservation.status);
      if (!isGivenUp) return;
      await this.cancelIn(tx, reservation, { reason: lapsedOnly ? 'expired' : 'payment_failed', notify: false });
      await this.db.forgetOutcome(tx);
    });
    return isGivenUp;
  }

  /** Like `cancel`, inside a transaction that has locked the reservation. */
  async cancelIn(tx: Tx, reservation: LockedReservation, how: Cancelling): Promise<void> {
    const { id, eventId } = reservation;
    const { reason, note, paysBack = true } = how;
    const tickets = await tx.find(Ticket, {
      select: { id: true, status: true, fulfilledAt: true, holderEmail: true },
      where: { reservationId: id },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    for (const ticket of tickets) refuseUsed(ticket, reservation.status);
    const lines = await linesOfReservation(tx, id);
    if (isHold(reservation.status)) await noteEnded(tx, id);
    await enter(tx, reservation, 'C', reason);
    const cancelled = await moveTickets(tx, id, 'R');
    await takeBackAll(tx, { reservationId: id });
    if (isHold(reservation.status)) await proposalLost(tx, id);
    if (!reservation.released) await this.availability.giveBack(tx, eventId, lines);
    await this.forgetExpiry(tx, id);
    await this.payments.giveUpPending(tx, { reservationId: id });
    const refunds = await this.refundsDue.refundAll(tx, { reservationId: id }, note, refundReasonOf(reason));
    // What a bank processes is paid back when it arrives.
    if (!paysBack && (refunds || (await this.payments.isProcessed(tx, id)))) throw wouldPayBack();
    await this.mails.withdraw(tx, id);
    await mailCancelled(tx, this.mails, { reservation, tickets, how, isRefunded: refunds });
    await this.publisher.publishCancelled(tx, await this.publisher.publish(tx, 'reservation.cancelled', id), new Set(cancelled));
  }

  /**
   * Cancels and refunds one ticket, after a withdrawal for that reason. Cancels the whole reservation when it is the last ticket.
   * @returns undefined when the ticket does not exist
   * @throws RefusedTransition `scanned` or `fulfilled`; `transition` while a checkout is open, because it charges the full amount
   */
  async cancelTicket(ticketId: string, asked: Cancelling): Promise<WholeReservation | undefined> {
    const select = { id: true, reservationId: true, withdrawnAt: true } as const;
    const found = await this.db.transaction((tx) => tx.findOne(Ticket, { select, where: { id: ticketId } }));
    const how = found?.withdrawnAt ? ({ ...asked, reason: 'withdrawal', notify: true } as const) : asked;
    return found ? this.cancelTickets(found.reservationId, [ticketId], how) : undefined;
  }

  /** Like `cancelTicket`, for several tickets of one reservation, all or none. @throws what `underLock` throws */
  cancelTickets(id: string, ticketIds: readonly string[], how: Cancelling, underLock?: ReservationCheck) {
    const { availability, payments, refundsDue: refunds, publisher, mails } = this;
    const services = { availability, payments, refunds, publisher, mails };
    const cancelling = async (tx: Tx, reservation: LockedReservation): Promise<undefined> => {
      const outcome = await cancelTicketsIn(tx, reservation, new Set(ticketIds), services, how);
      if (outcome === 'all') await this.cancelIn(tx, reservation, how);
    };
    return this.changing(id, cancelling, underLock);
  }

  /** Records that a checkout was opened: R→U. One that is held to be paid at the venue, or in any other state, stays unchanged. */
  async openedCheckout(tx: Tx, id: string): Promise<void> {
    const reservation = await lockReservation(tx, id);
    if (reservation?.status !== 'R' || reservation.payAtVenue) return;
    await enter(tx, reservation, 'U');
    await moveTickets(tx, id, 'N');
  }

  /**
   * Extends a hold while a bank processes the payment, which takes days. It still counts for its network. An expired hold is extended only
   * if places remain.
   * @throws RefusedBooking when none remain
   */
  async keepForBank(tx: Tx, reservation: LockedReservation): Promise<void> {
    await takeAgain(tx, this.availability, reservation);
    const dueAt = await holdForBank(tx, reservation, this.settings);
    await this.forgetExpiry(tx, reservation.id);
    if (dueAt) await this.jobs.add(tx, expiryJob, reservation.id, { dueAt });
  }

  /** Releases expired holds of the event and what this one has reserved of gift cards; schedules its cancellation a day later. */
  async expire(id: string): Promise<void> {
    const eventId = await this.db.transaction(async (tx) => {
      const hold = await tx.findOne(Reservation, { select: { eventId: true }, where: { id, expiresAt: Not(IsNull()) } });
      if (hold) await this.jobs.add(tx, tidyJob, id, { afterSeconds: lateSeconds });
      return hold?.eventId;
    });
    if (eventId !== undefined) await this.availability.release([eventId]);
    await this.whenLapsed(id, (tx) => this.cardPayments.releaseUnopened(tx, { reservationId: id }));
  }

  /** Cancels a hold that is expired. */
  tidy(id: string): Promise<void> {
    return this.whenLapsed(id, (tx, reservation) => this.cancelIn(tx, reservation, { reason: 'expired' }));
  }

  private async whenLapsed(id: string, work: (tx: Tx, reservation: LockedReservation) => Promise<void>): Promise<void> {
    await this.changing(id, async (tx, reservation): Promise<undefined> => {
      if (isHold(reservation.status) && reservation.lapsed) await work(tx, reservation);
    });
  }

  /** Keeps the places of a reservation whose address is verified. @throws RefusedBooking */
  private async keepVerified(tx: Tx, reservation: LockedReservation): Promise<'reservation.confirmed' | 'reservation.updated'> {
    if (reservation.status === 'R') return this.keepUntilPaid(tx, reservation);
    await this.validate(tx, reservation, 'FA');
    return 'reservation.confirmed';
  }

  /** Enters P, V or FA: activates the tickets and sends them by mail. An expired hold takes its places again. @throws RefusedBooking */
  private async validate(tx: Tx, reservation: LockedReservation, to: 'P' | 'V' | 'FA'): Promise<void> {
    const { id, email } = reservation;
    await checkUncounted(tx, this.availability, reservation);
    await enter(tx, reservation, to);
    await activateTickets(tx, id);
    await sellLines(tx, { reservationId: id });
    await this.forgetExpiry(tx, id);
    await this.mails.withdraw(tx, id);
    await this.mails.add(tx, 'tickets', { reservationId: id, recipient: email });
    await takeAgain(tx, this.availability, reservation);
  }

  /** Holds a reservation until it is to be paid, and mails that. An expired hold takes its places again. @throws RefusedBooking */
  private async keepUntilPaid(tx: Tx, reservation: LockedReservation): Promise<'reservation.updated'> {
    const { id } = reservation;
    await checkUncounted(tx, this.availability, reservation);
    const onlineUntil = new Date(databaseNow().getTime() + this.settings.holdMinutes * 60_000);
    const dueAt = await holdUntilPaid(tx, reservation, onlineUntil);
    if (!dueAt) throw new RefusedBooking('event_over', 'eventId');
    await this.forgetExpiry(tx, id);
    await this.jobs.add(tx, expiryJob, id, { dueAt });
    await this.mails.withdraw(tx, id);
    await this.mails.sendDue(tx, { ...reservation, payUntil: null });
    await takeAgain(tx, this.availability, reservation);
    return 'reservation.updated';
  }

  private async forgetExpiry(tx: Tx, id: string): Promise<void> {
    await this.jobs.cancel(tx, expiryJob, id);
    await this.jobs.cancel(tx, tidyJob, id);
  }

  /** Runs one change in its own transaction and publishes the event that `work` returns. @returns the reservation after the change */
  private changing(id: string, work: Change, underLock?: ReservationCheck): Promise<WholeReservation | undefined> {
    const change = async (tx: Tx): Promise<WholeReservation | undefined> => {
      const reservation = await lockReservation(tx, id);
      if (!reservation) return undefined;
      if (underLock) for (const current of await loadReservations(tx, [id])) await underLock(current, tx);
      const eventType = await work(tx, reservation);
      return eventType ? this.publisher.publish(tx, eventType, id) : (await loadReservations(tx, [id]))[0];
    };
    return this.availability.retryAfterRelease(() => retryOnDeadlock(() => this.db.transaction(change)));
  }
}
