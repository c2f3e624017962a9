import type { OrderPart } from '#orders';
import type { Tx } from '#tenancy';
import { giftCard } from '../providers/gift-card-provider.js';

/** A payment of a locked checkout. */
export interface CheckoutRow {
  readonly id: string;
  /** Decimal text. */
  readonly amount: string;
}

/** Locks the payments of a checkout but those with gift cards. @param id of its first payment @returns them in the order of their ids */
export function lockCheckout(tx: Tx, id: string): Promise<CheckoutRow[]> {
  return tx.query<CheckoutRow[]>(
    `select id, amount from payment where (id = $1 or checkout_id = $1) and kind = 'payment' and provider <> '${giftCard}'
     order by id for no key update`,
    [id],
  );
}

/**
 * SQL: what the provider has given back of the checkout of a payment, as far as it is known. @param paid alias of the payment
 * @param refund alias of a refund that does not count
 */
export const givenBackSql = (paid: string, refund: string): string => `(select coalesce(sum(other.amount), 0)
  from payment part join payment other on other.refund_of = part.id
  where (part.id = ${paid}.id or part.checkout_id = ${paid}.checkout_id) and part.provider = ${paid}.provider
    and other.id <> ${refund}.id and other.status = 'refunded' and other.refunded_method = 'online')`;

/** Memberships, then reservations, each by id, then orders: the order in which all transactions lock them. */
export function inLockingOrder<Part extends OrderPart>(subjects: readonly Part[]): Part[] {
  const keyOf = (part: OrderPart): string => {
    if ('membershipId' in part) return `1 ${part.membershipId}`;
    return 'reservationId' in part ? `2 ${part.reservationId}` : `3 ${part.orderId}`;
  };
  return subjects.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Columns that refunds and corrections have from their payment. */
const inherited = ['order_id', 'reservation_id', 'membership_id', 'provider', 'currency'];

/** SQL: these columns of a row, or as a list of columns. @param row alias of the payment */
export const inheritedSql = (row?: string): string => inherited.map((column) => (row ? `${row}.${column}` : column)).join(', ');
