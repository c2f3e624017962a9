import type { Tx } from '#tenancy';
import type { PaymentSubject } from './payment-subjects.js';

/** A payment of a locked checkout. */
export interface CheckoutRow {
  readonly id: string;
  /** Decimal text. */
  readonly amount: string;
}

/** Locks the payments of a checkout. @param id of its first payment @returns them in the order of their ids */
export function lockCheckout(tx: Tx, id: string): Promise<CheckoutRow[]> {
  return tx.query<CheckoutRow[]>(
    `select id, amount from payment where (id = $1 or checkout_id = $1) and kind = 'payment' order by id for no key update`,
    [id],
  );
}

/** Memberships before reservations, each by id: the order in which all transactions lock them. */
export function inLockingOrder<Subject extends PaymentSubject>(subjects: readonly Subject[]): Subject[] {
  const keyOf = (subject: PaymentSubject): string =>
    'membershipId' in subject ? `membership ${subject.membershipId}` : `reservation ${subject.reservationId}`;
  return subjects.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Columns that refunds and corrections have from their payment. */
const inherited = ['order_id', 'reservation_id', 'membership_id', 'provider', 'currency'];

/** SQL: these columns of a row, or as a list of columns. @param row alias of the payment */
export const inheritedSql = (row?: string): string => inherited.map((column) => (row ? `${row}.${column}` : column)).join(', ');
