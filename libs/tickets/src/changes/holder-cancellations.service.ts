import { addDaysInZone, databaseNow, fromCents, sumOf, toCents } from '#kernel';
import { accountOrderOf, wayBackOf, type Payment } from '#payments';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { ReservationChangesService } from './reservation-changes.service.js';
import { isHold } from '../entities/reservation-states.js';
import { RefusedTransition } from '../inventory/refused-booking.js';
import type { WholeReservation } from '../reservations/whole-reservation.js';

/** A part of a refund by the way in which it was paid. */
export interface ExpectedRefund {
  /** `online` and `gift_card` are refunded automatically, the others at the venue. */
  readonly way: 'online' | 'cash' | 'card' | 'gift_card' | 'transfer';
  /** Decimal text. */
  readonly amount: string;
}

/** Tickets that a holder wants to cancel. */
export interface HolderCancellation {
  readonly reservationId: string;
  readonly ticketIds: readonly string[];
  /** The person to whom the ticket was given; null: the buyer. */
  readonly holderEmail: string | null;
}

/** Until when the holder of a reservation may cancel; `always` while it is only held; undefined: not on the pages. */
export type CancellationEnd = Date | 'always' | undefined;

/**
 * Cancellations by holders on the public pages: until some days before the event (`merchantReturnDays`), where the venue allows them; what
 * is only held, because it was neither paid nor confirmed, at any time and everywhere.
 */
@Injectable()
export class HolderCancellationsService {
  constructor(
    private readonly db: TenantDb,
    private readonly changes: ReservationChangesService,
  ) {}

  /** What holders get back for tickets; nothing of what a customer has on account, who owes less then. */
  async refundsFor(reservation: WholeReservation, ids: readonly string[]): Promise<ExpectedRefund[]> {
    const orderId = await this.db.transaction((tx) => accountOrderOf(tx, { reservationId: reservation.id }));
    return orderId === undefined ? expectedRefunds(reservation, ids) : [];
  }

  /** Until when holders may cancel what is paid or confirmed. @returns undefined when the venue does not allow it */
  async until(event: WholeReservation['event']): Promise<Date | undefined> {
    return (await this.db.transaction(isAllowed)) ? lastMoment(event) : undefined;
  }

  /** Until when the holder of a reservation may cancel. */
  async endOf({ event, status }: Pick<WholeReservation, 'event' | 'status'>): Promise<CancellationEnd> {
    return isHold(status) ? 'always' : this.until(event);
  }

  /**
   * Cancels tickets and records their refunds, all or none; with the last ticket the reservation is cancelled. Tickets that are cancelled
   * already stay unchanged, so a repetition refunds nothing.
   * @returns false when holders may not cancel now, or the tickets are held by somebody else
   * @throws RefusedTransition `scanned` or `fulfilled`; `transition` while a checkout is open
   */
  async cancel({ reservationId, ticketIds, holderEmail }: HolderCancellation): Promise<boolean> {
    const allowed = await this.db.transaction(isAllowed);
    // Read again under the lock, because the reservation may have been paid, the event moved, or the ticket given to somebody else.
    const check = ({ event, tickets, status }: WholeReservation): void => {
      const held = tickets.filter(({ id }) => ticketIds.includes(id));
      const end = isHold(status) ? 'always' : allowed ? lastMoment(event) : undefined;
      if (!mayCancelBefore(end) || held.some((ticket) => ticket.holderEmail !== holderEmail)) throw new NotNow('transition', status);
    };
    try {
      return (await this.changes.cancelTickets(reservationId, ticketIds, { reason: 'holder' }, check)) !== undefined;
    } catch (error) {
      if (error instanceof NotNow) return false;
      throw error;
    }
  }
}

/** Whether holders may cancel now. @param end see `HolderCancellationsService.endOf()` */
export function mayCancelBefore(end: CancellationEnd): boolean {
  return end === 'always' || (end !== undefined && end > databaseNow());
}

/** The holder may not cancel at this moment. */
class NotNow extends RefusedTransition {}

/**
 * What is refunded when these tickets are cancelled, in the order of the ledger: the latest payments first.
 * @param ids of the tickets; those that are cancelled already count nothing
 */
function expectedRefunds({ tickets, payments }: WholeReservation, ids: readonly string[]): ExpectedRefund[] {
  const live = tickets.filter(({ status }) => status !== 'R');
  const chosen = live.filter(({ id }) => ids.includes(id));
  let missing = chosen.length === live.length ? Infinity : toCents(sumOf(chosen));
  const cents = new Map<ExpectedRefund['way'], number>();
  for (const payment of payments.toReversed()) {
    if (payment.kind !== 'payment' || payment.status !== 'paid' || payment.method === 'offered') continue;
    const taken = Math.min(refundable(payment, payments), missing);
    missing -= taken;
    const way = wayBackOf(payment.method);
    if (taken > 0) cents.set(way, (cents.get(way) ?? 0) + taken);
  }
  return [...cents].map(([way, sum]) => ({ way, amount: fromCents(sum) }));
}

/** In cents. */
function refundable({ id, amount }: Payment, payments: readonly Payment[]): number {
  const given = payments.filter(({ refundOf, status }) => refundOf === id && status !== 'refund_failed');
  return Math.max(0, toCents(amount) - toCents(sumOf(given)));
}

function lastMoment({ startsAt, merchantReturnDays }: WholeReservation['event']): Date {
  return addDaysInZone(startsAt, currentTenant().timeZone, -merchantReturnDays);
}

async function isAllowed(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ allowed: boolean }[]>('select holders_may_cancel as allowed from configuration where id = 1');
  return row?.allowed ?? true;
}
