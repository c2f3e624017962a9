import { GiftCardsService } from '#gift-cards';
import { lockMembership, MembershipsService, Membership } from '#memberships';
import { lockOwnLines, ownSql, sellLines, takeBackAll, type OrderPart } from '#orders';
import {
  MailsService,
  AvailabilityService,
  RefusedBooking,
  ReservationChangesService,
  lockEventsOf,
  lockReservation,
  isHold,
  Reservation,
} from '#tickets';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { toCents } from '#kernel';
import type { Tx } from '#tenancy';
import { inLockingOrder, PaymentSubjects, SubjectUnavailable, type LockedSubject, type PaymentSubjectHandler } from '#payments';

/** Updates reservations, memberships and other lines of orders when the state of their payments changes. */
@Injectable()
export class BookingPaymentSubjectsService implements PaymentSubjectHandler, OnModuleInit {
  constructor(
    private readonly subjects: PaymentSubjects,
    private readonly availability: AvailabilityService,
    private readonly changes: ReservationChangesService,
    private readonly memberships: MembershipsService,
    private readonly mails: MailsService,
    private readonly giftCards: GiftCardsService,
  ) {}

  onModuleInit(): void {
    this.subjects.register(this);
  }

  async amountDue(tx: Tx, subject: OrderPart): Promise<string | undefined> {
    if ('orderId' in subject) return ownAmountDue(tx, subject.orderId);
    const select = { id: true, amount: true, cartId: true } as const;
    const lock = { mode: 'for_no_key_update' } as const;
    const due =
      'membershipId' in subject
        ? await tx.findOne(Membership, { select, where: { id: subject.membershipId, status: 'pending' }, lock })
        : await tx.findOne(Reservation, {
            select,
            where: { id: subject.reservationId, status: 'R', isDraft: false, payUntil: IsNull() },
            lock,
          });
    return due && (await isPayable(tx, due)) ? due.amount : undefined;
  }

  async lock(tx: Tx, subjects: readonly OrderPart[]): Promise<(LockedSubject | undefined)[]> {
    const reservationIds = subjects.flatMap((subject) => ('reservationId' in subject ? [subject.reservationId] : []));
    if (subjects.length > 1) await lockEventsOf(tx, reservationIds);
    const locked = new Map<OrderPart, LockedSubject | undefined>();
    for (const subject of inLockingOrder(subjects)) locked.set(subject, await this.lockOne(tx, subject));
    return subjects.map((subject) => locked.get(subject));
  }

  async attempt<Result>(transaction: () => Promise<Result>): Promise<Result> {
    try {
      return await this.availability.retryAfterRelease(transaction);
    } catch (error) {
      if (error instanceof RefusedBooking) throw new SubjectUnavailable(error.message, { cause: error });
      throw error;
    }
  }

  private lockOne(tx: Tx, part: OrderPart): Promise<LockedSubject | undefined> {
    if ('orderId' in part) return this.lockOwn(tx, part);
    return 'membershipId' in part ? this.lockMembership(tx, part.membershipId) : this.lockReservation(tx, part.reservationId);
  }

  private async lockReservation(tx: Tx, id: string): Promise<LockedSubject | undefined> {
    const reservation = await lockReservation(tx, id);
    if (!reservation) return undefined;
    const isAwaitingPayment = isHold(reservation.status);
    return {
      isAwaitingPayment,
      isConfirmed: !isAwaitingPayment && reservation.status !== 'C',
      paid: () => this.changes.settle(tx, reservation),
      paymentRefunded: async (refusal) => {
        const reason = isPersonal(refusal) ? 'limit' : 'too_late';
        if (isAwaitingPayment) await this.changes.cancelIn(tx, reservation, { reason, notify: false });
        await this.mails.add(tx, 'refunded', { reservationId: id, recipient: reservation.email });
      },
      keepForBank: async () => {
        if (isAwaitingPayment) await this.changes.keepForBank(tx, reservation);
      },
      notPaid: async (reason) => {
        if (reservation.status === 'U') await this.changes.cancelIn(tx, reservation, { reason });
      },
    };
  }

  private async lockMembership(tx: Tx, id: string): Promise<LockedSubject | undefined> {
    const membership = await lockMembership(tx, id);
    if (!membership) return undefined;
    const isAwaitingPayment = membership.status === 'pending';
    const cancelPending = async (): Promise<void> => {
      if (isAwaitingPayment) await this.memberships.cancelIn(tx, membership);
    };
    return {
      isAwaitingPayment,
      isConfirmed: membership.status === 'active',
      paid: () => this.memberships.activate(tx, membership),
      paymentRefunded: cancelPending,
      keepForBank: () => this.memberships.keepForBank(tx, membership),
      notPaid: cancelPending,
    };
  }

  /** What an order sells itself, such as a donation or a gift card: it is paid with the other parts, and given back with them. */
  private async lockOwn(tx: Tx, part: { readonly orderId: string }): Promise<LockedSubject> {
    const due = await lockOwnLines(tx, part.orderId);
    const isAwaitingPayment = toCents(due) > 0;
    const giveUp = (): Promise<void> => (isAwaitingPayment ? takeBackAll(tx, part) : Promise.resolve());
    return {
      isAwaitingPayment,
      // What the buyer gave up does not keep the tickets from being paid: it is given back alone.
      isConfirmed: !isAwaitingPayment,
      paid: async () => {
        await sellLines(tx, part);
        await this.giftCards.issueIn(tx, part);
      },
      paymentRefunded: giveUp,
      keepForBank: () => Promise.resolve(),
      notPaid: giveUp,
    };
  }
}

/** The amount of what an order sells itself, while a reservation or a membership of it is to be paid, or when it has none. */
async function ownAmountDue(tx: Tx, orderId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ isDue: boolean }[]>(
    `select exists (select from order_line line left join reservation on reservation.id = line.reservation_id
         left join membership on membership.id = line.membership_id
       where line.order_id = $1 and (reservation.status in ('R', 'U') or membership.status = 'pending'))
       or not exists (select from order_line line where line.order_id = $1 and not (${ownSql})) as "isDue"`,
    [orderId],
  );
  if (!row?.isDue) return undefined;
  const due = await lockOwnLines(tx, orderId);
  return toCents(due) > 0 ? due : undefined;
}

/** Whether the person may not have what was paid, although places are left. */
function isPersonal(refusal: SubjectUnavailable | undefined): boolean {
  return refusal?.cause instanceof RefusedBooking && refusal.cause.isPersonal;
}

/** Nothing of a cart is paid after one of its memberships was cancelled, because its tickets may have the price of members. */
async function isPayable(tx: Tx, due: Membership | Reservation): Promise<boolean> {
  return due.cartId === null || !(await tx.existsBy(Membership, { cartId: due.cartId, status: 'cancelled' }));
}
