import { randomUUID } from 'node:crypto';
import { Payment } from '#payments';
import { Membership } from '#memberships';
import { emailKey } from '#tickets';
import type { PaymentMethod } from '#payments';
import type { MembershipStatus } from '#memberships';
import type { Tx } from '#tenancy';
import type { Booking, House } from './demo-bookings.js';
import { day, minute } from '../basics/demo-clock.js';
import type { DemoPeople } from '../basics/demo-people.js';
import type { DemoRandom } from '../basics/demo-random.js';
import { insertAll } from './demo-rows.js';

/** State of each member: days since the membership began, and whether it is cancelled or unpaid. */
const members: readonly { readonly begun: number; readonly status?: MembershipStatus }[] = [
  { begun: 340 },
  { begun: 210 },
  { begun: 130 },
  { begun: 61, status: 'cancelled' },
  { begun: 24 },
  { begun: 3 },
  { begun: 0, status: 'pending' },
  { begun: 402 },
];

interface MembershipPrice {
  readonly id: string;
  readonly productId: string;
  readonly amount: string;
}

/** Members who joined at the desk: most are valid, one has expired. For tenants with yearly memberships. */
export async function enrol(tx: Tx, { now, signingKeyId }: House, people: DemoPeople, random: DemoRandom): Promise<void> {
  const [price] = await tx.query<MembershipPrice[]>(
    `select price.id, product_id as "productId", amount from price join product on product.id = product_id
     where product.category = 'A' and subscription_type = 'Y' order by price.created_at, price.id limit 1`,
  );
  if (!price) return;
  const rows = members.map(({ begun, status = 'active' as const }) => {
    const { email, firstName, lastName, language } = people.newcomer();
    const validFrom = new Date(now.getTime() - begun * day - random.whole(2, 600) * minute);
    const validUntil = new Date(validFrom);
    validUntil.setUTCFullYear(validUntil.getUTCFullYear() + 1);
    return {
      id: randomUUID(),
      productId: price.productId,
      priceId: price.id,
      email,
      emailKey: emailKey(email),
      firstName,
      lastName,
      language,
      status,
      amount: price.amount,
      validFrom,
      validUntil,
      signingKeyId,
      createdAt: validFrom,
      // To be paid at the desk in the evening, so the hold lasts some hours.
      expiresAt: status === 'pending' ? new Date(now.getTime() + 4 * 60 * minute) : null,
    };
  });
  await insertAll(tx, Membership, rows);
  const paid = rows.filter(({ status }) => status !== 'pending');
  const payments = paid.map(({ id, amount, createdAt, status }) => ({
    ...paidAtDesk(amount, createdAt, random),
    id: randomUUID(),
    membershipId: id,
    ...(status === 'cancelled' && { method: 'cash' as const }),
  }));
  await insertAll(tx, Payment, payments);
  const cancelled = new Set(rows.filter(({ status }) => status === 'cancelled').map(({ id }) => id));
  const refunds = payments
    .filter(({ membershipId }) => cancelled.has(membershipId))
    .map(({ id, membershipId, amount, createdAt }) => ({
      ...refundOf({ id, amount, method: 'cash' }, new Date(createdAt.getTime() + 2 * day), true),
      membershipId,
    }));
  await insertAll(tx, Payment, refunds);
}

/** Payments of confirmed reservations: paid at the venue, or offered to guests. */
export async function collect(tx: Tx, bookings: readonly Booking[], random: DemoRandom): Promise<void> {
  const confirmed = bookings.filter(({ reservation }) => reservation.confirmedAt && Number(reservation.amount) > 0);
  const payments = confirmed.map(({ reservation: { id, amount, confirmedAt } }) => ({
    ...paidAtDesk(amount, confirmedAt as Date, random),
    id: randomUUID(),
    reservationId: id,
  }));
  await insertAll(tx, Payment, payments);
  // Some people who cancelled have not collected their refund yet.
  const cancelledAt = new Map(confirmed.map(({ reservation: { id, cancelledAt: at } }) => [id, at]));
  const refunds = payments.flatMap(({ reservationId, ...payment }) => {
    const at = cancelledAt.get(reservationId);
    return at && payment.method !== 'offered' ? [{ ...refundOf(payment, at, random.whole(0, 2) > 0), reservationId }] : [];
  });
  await insertAll(tx, Payment, refunds);
}

function refundOf(
  { id, amount, method }: { readonly id: string; readonly amount: string; readonly method: PaymentMethod },
  at: Date,
  isGiven: boolean,
) {
  const row = {
    kind: 'refund' as const,
    refundOf: id,
    reason: 'cancelled' as const,
    provider: 'venue' as const,
    method,
    amount,
    createdAt: at,
  };
  if (!isGiven) return { ...row, status: 'refund_due' as const };
  return { ...row, status: 'refunded' as const, refundedAt: at, refundedMethod: method === 'card' ? ('card' as const) : ('cash' as const) };
}

function paidAtDesk(amount: string, at: Date, random: DemoRandom) {
  const method = random.weighted([
    ['card', 60],
    ['cash', 34],
    ['offered', 6],
  ] as const);
  return { provider: 'venue' as const, method, status: 'paid' as const, amount, createdAt: at, paidAt: at };
}
