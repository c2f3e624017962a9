import { Injectable, type OnModuleInit } from '@nestjs/common';
import { retryOnDeadlock, toCents } from '#kernel';
import { JobsService } from '#jobs';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { MailsService } from '../mails/mails.service.js';
import { PaymentsService, RefundsService, type VenueMethod } from '#payments';
import { AvailabilityService } from '../inventory/availability.service.js';
import { claimOf, eventMaximum } from './claims.js';
import { RefusedBooking, RefusedTransition, refuseUsed, type UsedTicket } from '../inventory/refused-booking.js';
import { ReservationPublisherService } from './reservation-publisher.service.js';
import { activateTickets, enter, lockReservation, moveTickets, rememberVerified } from '../reservations/reservation-rows.js';
import type { LockedReservation } from '../reservations/reservation-rows.js';
import { isHold, type CancelReason } from '../reservations/reservation-states.js';
import { bankDays, expiryJob, lateSeconds, tidyJob } from '../booking-jobs.js';
import { giveBack, linesOf, linesOfReservation } from '../inventory/inventory.js';
import { loadReservations, type WholeReservation } from '../reservations/whole-reservation.js';

export interface Cancelling {
  readonly reason: CancelReason;
  /** Words of the venue, for the holder's mail and beside the refund. */
  readonly note?: string;
  /** Tell the holder by mail; default true, but for what expired. */
  readonly notify?: boolean;
}

/** Looks at a reservation once it is locked; what it throws stops the change. */
export type ReservationCheck = (current: WholeReservation) => void;

/** How reservations change their state. Every change locks the event, then the reservation, then its tickets, then prices. */
@Injectable()
export class ReservationChangesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly publisher: ReservationPublisherService,
    private readonly payments: PaymentsService,
    private readonly refundsDue: RefundsService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(expiryJob, (id) => this.expire(id));
    this.jobs.handle(tidyJob, (id) => this.tidy(id));
  }

  /**
   * Confirms a reservation on the word of who sells: paid at the venue, or the address is known to be right. One that is confirmed already
   * stays as it is.
   * @returns undefined when there is none
   * @throws RefusedTransition when it is cancelled; RefusedBooking when its hold is over and its places are gone; what `underLock` throws
   * @throws Problem 403 `tenant.module`
   */
  confirm(id: string, method: VenueMethod = 'cash', underLock?: ReservationCheck): Promise<WholeReservation | undefined> {
    const confirming = async (tx: Tx, reservation: LockedReservation): Promise<'reservation.confirmed' | undefined> => {
      const { status, amount } = reservation;
      if (status === 'C') throw new RefusedTransition('transition', status);
      if (!isHold(status)) return undefined;
      demandModule('ticketing');
      await this.payments.giveUpPending(tx, id);
      if (toCents(amount) > 0) await this.payments.recordAtVenue(tx, { reservationId: id }, amount, method);
      await this.validate(tx, reservation, ({ R: 'V', U: 'P', F: 'FA' } as const)[status as 'R' | 'U' | 'F']);
      return 'reservation.confirmed';
    };
    return this.changing(id, confirming, underLock);
  }

  /**
   * The holder followed the link: F→FA. Of one whose hold is over and whose places are gone nothing is left, it is cancelled.
   * @param linkVersion of the link; one that a correction of the address replaced meanwhile confirms nothing
   * @returns undefined when there is none
   */
  verify(id: string, linkVersion?: number): Promise<WholeReservation | undefined> {
    const holds = (reservation: LockedReservation): boolean =>
      reservation.status === 'F' && (linkVersion ?? reservation.linkVersion) === reservation.linkVersion;
    const verified = this.changing(id, async (tx, reservation) => {
      // Others have their link from elsewhere than their mailbox: it proves nothing.
      if (!holds(reservation)) return undefined;
      await rememberVerified(tx, reservation);
      await this.validate(tx, reservation, 'FA');
      return 'reservation.confirmed';
    });
    return verified.catch((error: unknown) => {
      if (!(error instanceof RefusedBooking)) throw error;
      return this.changing(id, async (tx, reservation) => {
        // Somebody may have confirmed it since it was refused.
        if (!holds(reservation)) return undefined;
        await rememberVerified(tx, reservation);
        await this.cancelIn(tx, reservation, { reason: 'too_late' });
        return undefined;
      });
    });
  }

  /** A payment that is being recorded in this transaction confirms its reservation: R, U→P. @throws RefusedBooking when it is too late */
  async settle(tx: Tx, reservation: LockedReservation): Promise<void> {
    await this.validate(tx, reservation, 'P');
    await this.publisher.publish(tx, 'reservation.confirmed', reservation.id);
  }

  /**
   * Cancels a reservation and frees what it took, once: one that is cancelled already stays as it is. What was paid online is refunded.
   * @returns undefined when there is none
   * @throws RefusedTransition `scanned` when somebody is inside with it; what `underLock` throws
   */
  cancel(id: string, how: Cancelling, underLock?: ReservationCheck): Promise<WholeReservation | undefined> {
    const cancelling = async (tx: Tx, reservation: LockedReservation): Promise<undefined> => {
      if (reservation.status !== 'C') await this.cancelIn(tx, reservation, how);
    };
    return this.changing(id, cancelling, underLock);
  }

  /** Cancels a hold that cannot be paid (`lapsedOnly`: in time); its request, repeated, books anew. @returns whether it was cancelled */
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

  /** The same inside a transaction that has locked it. */
  async cancelIn(tx: Tx, reservation: LockedReservation, { reason, note, notify }: Cancelling): Promise<void> {
    const { id, eventId, email } = reservation;
    const tickets = await tx.query<UsedTicket[]>(
      'select status, fulfilled_at as "fulfilledAt" from ticket where reservation_id = $1 order by id for no key update',
      [id],
    );
    for (const ticket of tickets) refuseUsed(ticket, reservation.status);
    const lines = await linesOfReservation(tx, id);
    await enter(tx, reservation, 'C', reason);
    const cancelled = await moveTickets(tx, id, 'R');
    if (!reservation.released) await giveBack(tx, eventId, lines);
    await this.forgetExpiry(tx, id);
    await this.payments.giveUpPending(tx, id);
    const refunds = await this.refundsDue.refundAll(tx, id, note);
    await this.mails.withdraw(tx, id);
    if (notify ?? reason !== 'expired') {
      const kind = reason === 'event' ? 'event-cancelled' : reason === 'too_late' && refunds ? 'refunded' : 'reservation-cancelled';
      await this.mails.add(tx, kind, { reservationId: id, recipient: email, ...(note && { note }) });
    }
    const whole = await this.publisher.publish(tx, 'reservation.cancelled', id);
    await this.publisher.publishCancelled(tx, whole, new Set(cancelled));
  }

  /**
   * Cancels one ticket of a reservation; with the last one the reservation. What was paid for it goes back.
   * @returns undefined when there is no such ticket
   * @throws RefusedTransition `scanned`, and `transition` while somebody is at the checkout, or being sent there, and pays for all of it
   */
  async cancelTicket(ticketId: string, how: Cancelling): Promise<WholeReservation | undefined> {
    const [ticket] = await this.db.transaction((tx) =>
      tx.query<{ id: string }[]>('select reservation_id as id from ticket where id = $1', [ticketId]),
    );
    if (!ticket) return undefined;
    return this.changing(ticket.id, async (tx, reservation) => {
      const tickets = await tx.query<(UsedTicket & { id: string; priceId: string; amount: string; admission: boolean })[]>(
        'select id, status, fulfilled_at as "fulfilledAt", price_id as "priceId", amount, admission from ticket where reservation_id = $1 order by id for no key update',
        [reservation.id],
      );
      const one = tickets.find(({ id }) => id === ticketId);
      if (!one || one.status === 'R') return undefined;
      refuseUsed(one, one.status);
      if (tickets.every(({ id, status }) => id === ticketId || status === 'R')) {
        await this.cancelIn(tx, reservation, how);
        return undefined;
      }
      if (reservation.status === 'U' || (await this.payments.isUnderWay(tx, reservation.id)))
        throw new RefusedTransition('transition', reservation.status);
      await tx.query(`update ticket set status = 'R', sequence = sequence + 1 where id = $1`, [ticketId]);
      await tx.query('update reservation set amount = amount - $2 where id = $1', [reservation.id, one.amount]);
      if (!isHold(reservation.status) && toCents(one.amount) > 0)
        await this.refundsDue.refundPart(tx, reservation.id, one.amount, how.note);
      if (!reservation.released)
        await giveBack(tx, reservation.eventId, linesOf([{ id: one.priceId, admission: one.admission, count: 1 }]));
      const [whole] = await loadReservations(tx, [reservation.id]);
      if (whole) await this.publisher.publishCancelled(tx, whole, new Set([ticketId]));
      return undefined;
    });
  }

  /** R→U: the holder was sent to a checkout. One that was paid, confirmed or cancelled meanwhile stays as it is. */
  async openedCheckout(tx: Tx, id: string): Promise<void> {
    const reservation = await lockReservation(tx, id);
    if (reservation?.status !== 'R') return;
    await enter(tx, reservation, 'U');
    await moveTickets(tx, id, 'N');
  }

  /**
   * A bank has taken the order to pay and sends the money within days: the places are kept until it says how it went. Of a hold that is
   * over, only while there are places.
   * @throws RefusedBooking when they are gone
   */
  async keepForBank(tx: Tx, reservation: LockedReservation): Promise<void> {
    const { id, released } = reservation;
    await this.takeAgain(tx, reservation);
    const [rows] = await tx.query<[{ expiresAt: Date }[], number]>(
      `update reservation set expires_at = (select now() + interval '${bankDays} days'), released_at = null
       where id = $1 and ($2 or released_at is null) returning expires_at as "expiresAt"`,
      [id, released],
    );
    await this.forgetExpiry(tx, id);
    for (const { expiresAt } of rows) await this.jobs.add(tx, expiryJob, id, { dueAt: expiresAt });
  }

  /** Gives back what holds of an event keep that are over, and sees to it that this one is tidied up a day later. */
  async expire(id: string): Promise<void> {
    const eventId = await this.db.transaction(async (tx) => {
      const [hold] = await tx.query<{ eventId: string }[]>(
        'select event_id as "eventId" from reservation where id = $1 and expires_at is not null',
        [id],
      );
      if (hold) await this.jobs.add(tx, tidyJob, id, { afterSeconds: lateSeconds });
      return hold?.eventId;
    });
    if (eventId !== undefined) await this.availability.release([eventId]);
  }

  /** Cancels a hold that is long over. */
  async tidy(id: string): Promise<void> {
    await this.changing(id, async (tx, reservation) => {
      if (isHold(reservation.status) && reservation.lapsed) await this.cancelIn(tx, reservation, { reason: 'expired' });
      return undefined;
    });
  }

  /**
   * What became of the mail with the tickets: P, FA→V, PE, PN. Later ones change nothing, nor does one to another address than the present.
   */
  async mailed(id: string, to: 'V' | 'PE' | 'PN', recipient?: string): Promise<void> {
    await this.changing(id, async (tx, reservation) => {
      if ((recipient ?? reservation.email) !== reservation.email) return undefined;
      if (reservation.status === 'P' || reservation.status === 'FA') await enter(tx, reservation, to);
      return undefined;
    });
  }

  /** Into P, V or FA: the tickets are valid and on their way. Late, only while there are places. */
  private async validate(tx: Tx, reservation: LockedReservation, to: 'P' | 'V' | 'FA'): Promise<void> {
    const { id, email } = reservation;
    await enter(tx, reservation, to);
    await activateTickets(tx, id);
    await this.forgetExpiry(tx, id);
    await this.mails.withdraw(tx, id);
    await this.mails.add(tx, 'tickets', { reservationId: id, recipient: email });
    await this.takeAgain(tx, reservation);
  }

  /** Of a hold that is over: takes its places again, or looks whether it still may have them. @throws RefusedBooking */
  private async takeAgain(tx: Tx, reservation: LockedReservation): Promise<void> {
    const { lapsed, released } = reservation;
    if (!lapsed && !released) return;
    const claim = await claimOf(tx, reservation);
    if (released) {
      await this.availability.take(tx, claim);
      return;
    }
    await this.availability.checkLimits(tx, claim, await eventMaximum(tx, claim.eventId));
  }

  private async forgetExpiry(tx: Tx, id: string): Promise<void> {
    await this.jobs.cancel(tx, expiryJob, id);
    await this.jobs.cancel(tx, tidyJob, id);
  }

  /** One change in a transaction of its own; what it returns is told. @returns the reservation afterwards */
  private changing(
    id: string,
    work: (tx: Tx, reservation: LockedReservation) => Promise<'reservation.confirmed' | undefined>,
    underLock?: ReservationCheck,
  ): Promise<WholeReservation | undefined> {
    const change = async (tx: Tx): Promise<WholeReservation | undefined> => {
      const reservation = await lockReservation(tx, id);
      if (!reservation) return undefined;
      if (underLock) for (const current of await loadReservations(tx, [id])) underLock(current);
      const told = await work(tx, reservation);
      return told ? this.publisher.publish(tx, told, id) : (await loadReservations(tx, [id]))[0];
    };
    return this.availability.retryAfterRelease(() => retryOnDeadlock(() => this.db.transaction(change)));
  }
}
