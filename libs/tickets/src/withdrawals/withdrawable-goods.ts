import { databaseNow, toCents } from '#kernel';
import { currentTenant } from '#tenancy';
import type { Payment } from '#payments';
import { isHold } from '../entities/reservation-states.js';
import type { Ticket } from '../entities/ticket.entity.js';
import type { WholeReservation } from '../reservations/whole-reservation.js';
import { withdrawalEnd } from './withdrawal-period.js';

type Sold = Pick<WholeReservation, 'status' | 'origin' | 'payments'>;

/**
 * The goods of a reservation from which its buyer may withdraw now: bought at a distance, paid, and in the period. Tickets for a date are
 * none of them (article 16(l) of Directive 2011/83/EU).
 */
export function withdrawableGoods(reservation: Sold & Pick<WholeReservation, 'tickets'>): Ticket[] {
  const end = goodsWithdrawalEnd(reservation);
  if (!isDistanceSale(reservation) || (end !== undefined && end <= databaseNow())) return [];
  return goodsOf(reservation).filter(({ withdrawnAt }) => withdrawnAt === null);
}

/**
 * The end of the period of all goods of a reservation: it begins when the last of them is handed out (article 9(2)(b)(i)).
 * @returns undefined: it has not begun, because goods are still to be handed out; or there are none
 */
export function goodsWithdrawalEnd(reservation: Pick<WholeReservation, 'tickets'>): Date | undefined {
  const handedOut = goodsOf(reservation).map(({ fulfilledAt }) => fulfilledAt?.getTime() ?? Infinity);
  const last = Math.max(...handedOut);
  return Number.isFinite(last) ? withdrawalEnd(new Date(last), currentTenant().timeZone) : undefined;
}

/** Whether a sale was made at a distance and paid: ordered on the pages, or paid online. */
export function isDistanceSale({ status, origin, payments }: Sold): boolean {
  return status !== 'C' && !isHold(status) && (origin === 'page' || wasPaidOnline(payments));
}

/** Whether something was paid over the network. */
export function wasPaidOnline(payments: readonly Pick<Payment, 'kind' | 'method' | 'status'>[]): boolean {
  return payments.some(({ kind, method, status }) => kind === 'payment' && method === 'online' && status === 'paid');
}

/** Goods that were paid and are not cancelled. */
const goodsOf = ({ tickets }: Pick<WholeReservation, 'tickets'>): Ticket[] =>
  tickets.filter(({ admission, amount, status }) => !admission && status !== 'R' && toCents(amount) > 0);
