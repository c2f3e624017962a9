import { databaseNow, toCents } from '#kernel';
import { currentTenant } from '#tenancy';
import type { Payment } from '#payments';
import { isHold } from '../entities/reservation-states.js';
import type { Ticket } from '../entities/ticket.entity.js';
import type { WholeReservation } from '../reservations/whole-reservation.js';
import { withdrawalEnd } from './withdrawal-period.js';

type Sold = Pick<WholeReservation, 'status' | 'origin' | 'payments'>;

/** Goods from which the buyer may withdraw now. */
interface WithdrawableGood {
  readonly ticket: Ticket;
  /** The end of the period; undefined: it has not begun, because the goods are still to be handed out. */
  readonly until: Date | undefined;
}

/**
 * The goods of a reservation from which its buyer may withdraw now: bought at a distance, paid, and handed out at most 14 days ago. Tickets
 * for a date are none of them (article 16(l) of Directive 2011/83/EU).
 */
export function withdrawableGoods(reservation: Sold & Pick<WholeReservation, 'tickets'>): WithdrawableGood[] {
  if (!isDistanceSale(reservation)) return [];
  const now = databaseNow();
  return goodsOf(reservation)
    .filter(({ status, withdrawnAt }) => status !== 'R' && withdrawnAt === null)
    .map((ticket) => ({ ticket, until: endOf(ticket) }))
    .filter(({ until }) => until === undefined || until > now);
}

/** The latest end of the period of goods that are not cancelled; undefined: none was handed out. */
export function lastGoodsEnd(reservation: Pick<WholeReservation, 'tickets'>): Date | undefined {
  const ends = goodsOf(reservation).flatMap((ticket) => endOf(ticket) ?? []);
  return ends.toSorted((one, other) => other.getTime() - one.getTime())[0];
}

/** Whether a sale was made at a distance and paid: ordered on the pages, or paid online. */
export function isDistanceSale({ status, origin, payments }: Sold): boolean {
  return status !== 'C' && !isHold(status) && (origin === 'page' || wasPaidOnline(payments));
}

/** Whether something was paid over the network. */
export function wasPaidOnline(payments: readonly Pick<Payment, 'kind' | 'method' | 'status'>[]): boolean {
  return payments.some(({ kind, method, status }) => kind === 'payment' && method === 'online' && status === 'paid');
}

const goodsOf = ({ tickets }: Pick<WholeReservation, 'tickets'>): Ticket[] =>
  tickets.filter(({ admission, amount }) => !admission && toCents(amount) > 0);

const endOf = ({ fulfilledAt }: Ticket): Date | undefined =>
  fulfilledAt === null ? undefined : withdrawalEnd(fulfilledAt, currentTenant().timeZone);
