import { MembershipsService, type WholeMembership } from '#memberships';
import { ReservationChangesService, ReservationsService } from '#tickets';
import { Injectable } from '@nestjs/common';
import { retryOnDeadlock, toCents } from '#kernel';
import type { OrderPart } from '#orders';
import { PaymentsService, PaymentSubjects, ReaderBusy, ReaderPaymentsService, type ReaderPayment, type VenueMethod } from '#payments';
import { TenantDb } from '#tenancy';
import { CounterSalesService, type CounterSale, type CounterSold } from './counter-sales.service.js';

/** A sale at a card reader. */
export interface ReaderSale {
  readonly sold: CounterSold;
  /** The payment that the reader is asked for; undefined: everything is free, and sold. */
  readonly paymentId: string | undefined;
}

/**
 * Sells at the box office what is paid at a card reader. Everything is held, like an order that is paid online, and sold when the money is
 * there, whoever learns of it.
 */
@Injectable()
export class ReaderSalesService {
  constructor(
    private readonly db: TenantDb,
    private readonly counter: CounterSalesService,
    private readonly readers: ReaderPaymentsService,
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly reservations: ReservationsService,
    private readonly memberships: MembershipsService,
    private readonly changes: ReservationChangesService,
  ) {}

  /**
   * Holds everything or nothing, and asks the reader for the sum.
   * @throws what `CounterSalesService.sell` throws; ReaderBusy, PaymentAccountMissing: nothing is held
   */
  async sell({ reservations, memberships }: CounterSale, readerId: string): Promise<ReaderSale> {
    if (!(await this.readers.isFree(readerId))) throw new ReaderBusy('The card reader asks for another sum.');
    const awaitsReader = true;
    const sold = await this.counter.sell({
      reservations: reservations.map((wanted) => ({ ...wanted, awaitsReader })),
      memberships: memberships.map((wanted) => ({ ...wanted, awaitsReader })),
    });
    const parts: OrderPart[] = [
      ...sold.memberships.filter(({ status }) => status === 'pending').map(({ id }) => ({ membershipId: id })),
      ...sold.reservations.filter(({ status }) => status === 'R').map(({ id }) => ({ reservationId: id })),
    ];
    const name = sold.reservations[0]?.event.name ?? sold.memberships[0]?.product.name ?? '';
    try {
      return { sold, paymentId: parts.length === 0 ? undefined : await this.readers.start(parts, readerId, name) };
    } catch (error) {
      await this.giveUpParts(parts);
      throw error;
    }
  }

  /**
   * Asks a reader again for what was not paid.
   * @returns the id of the new payment; undefined: nothing is due any more, or it is being paid in another way
   * @throws ReaderBusy, PaymentAccountMissing
   */
  async again({ subjects }: Pick<ReaderPayment, 'subjects'>, readerId: string): Promise<string | undefined> {
    return this.readers.start(subjects, readerId, await this.nameOf(subjects));
  }

  /**
   * Takes another payment for what was not paid. A reader that still asks for it is told to stop; what it takes nevertheless is paid back.
   * @throws SubjectUnavailable when places are sold meanwhile
   */
  async payOtherwise({ subjects }: Pick<ReaderPayment, 'subjects'>, method: VenueMethod): Promise<void> {
    await this.subjects.attempt(() =>
      retryOnDeadlock(() =>
        this.db.transaction(async (tx) => {
          // Locked in the order of all changes.
          const locked = await this.subjects.lock(tx, subjects);
          for (const [index, part] of subjects.entries()) {
            const amount = locked[index]?.isAwaitingPayment ? await this.subjects.amountDue(tx, part) : undefined;
            if (amount === undefined) continue;
            await this.payments.giveUpPending(tx, part);
            if (toCents(amount) > 0) await this.payments.recordAtVenue(tx, part, amount, method);
            await locked[index]?.paid();
          }
        }),
      ),
    );
  }

  /** Gives up what was not paid. What was paid meanwhile stays sold. */
  giveUp({ subjects }: Pick<ReaderPayment, 'subjects'>): Promise<void> {
    return this.giveUpParts(subjects);
  }

  /** Everything of the order of a payment, also what was free. */
  async soldWith({ orderId }: Pick<ReaderPayment, 'orderId'>): Promise<CounterSold> {
    const rows = await this.db.transaction((tx) =>
      tx.query<{ reservationId: string | null; membershipId: string | null }[]>(
        `select reservation_id as "reservationId", membership_id as "membershipId" from order_line
         where order_id = $1 and (reservation_id is not null or membership_id is not null) group by 1, 2 order by min(id::text)`,
        [orderId],
      ),
    );
    const memberships: WholeMembership[] = [];
    for (const { membershipId } of rows) {
      const membership = membershipId === null ? undefined : await this.memberships.find(membershipId);
      if (membership) memberships.push(membership);
    }
    return { reservations: await this.reservations.findSome(rows.flatMap(({ reservationId }) => reservationId ?? [])), memberships };
  }

  private async giveUpParts(parts: readonly OrderPart[]): Promise<void> {
    for (const part of parts) {
      if ('reservationId' in part) await this.changes.giveUpCheckout(part.reservationId);
      if ('membershipId' in part) await this.memberships.giveUpCheckout(part.membershipId);
    }
  }

  private async nameOf(subjects: readonly OrderPart[]): Promise<string> {
    const [first] = subjects;
    if (!first || 'orderId' in first) return '';
    if ('membershipId' in first) return (await this.memberships.find(first.membershipId))?.product.name ?? '';
    return (await this.reservations.find(first.reservationId))?.event.name ?? '';
  }
}
