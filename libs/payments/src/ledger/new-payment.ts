import { randomUUID } from 'node:crypto';
import { actorColumns, currency } from '#kernel';
import type { OrderPart } from '#orders';
import type { Tx } from '#tenancy';
import type { Payment } from './payment.entity.js';
import { orderSql } from './payment-orders.service.js';

/** A subject of a checkout, with its part of the sum. */
export interface DuePart {
  readonly subject: OrderPart;
  /** Decimal text. */
  readonly amount: string;
}

/** A payment as it is recorded. */
interface NewPayment
  extends
    DuePart,
    Pick<Payment, 'provider' | 'method' | 'status'>,
    Partial<Pick<Payment, 'id' | 'accountId' | 'checkoutId' | 'unattended' | 'providerPayment' | 'readerId'>> {}

/** The columns of a payment that say what it is for. */
export function columnsOf(subject: OrderPart) {
  return { reservationId: null, membershipId: null, orderId: null, ...subject };
}

/** Inserts a payment of the acting person, for the order of its subject. @returns its id */
export async function insertPayment(
  tx: Tx,
  { id = randomUUID(), subject, amount, provider, method, status, ...more }: NewPayment,
): Promise<string> {
  const { accountId = null, checkoutId = null, unattended = false, providerPayment = null, readerId = null } = more;
  const { reservationId, membershipId, orderId } = columnsOf(subject);
  await tx.query(
    `insert into payment (id, order_id, reservation_id, membership_id, provider, account_id, method, status, amount, currency, checkout_id,
       by_user_id, by_key_id, paid_at, unattended, provider_payment, reader_id)
     values ($1, coalesce($13, ${orderSql('$2', '$3')}), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
       case when $7 = 'paid' then (select now()) end, $14, $15, $16)`,
    [
      id,
      reservationId,
      membershipId,
      provider,
      accountId,
      method,
      status,
      amount,
      currency,
      checkoutId,
      ...actorColumns(),
      orderId,
      unattended,
      providerPayment,
      readerId,
    ],
  );
  return id;
}
