import { fromCents, grouped, toCents } from '#kernel';
import { Payment, paymentMethods, type PaymentMethod } from '#payments';
import { currentPanelRequest, listHref } from '#panel-kit';
import { Reservation } from '#tickets';
import type { Tx } from '#tenancy';
import { isMovedSql, moneyMethodSql, signedAmountSql } from '../payments/payments.reader.js';

/** The money of an event: what was paid for its reservations, less refunds. */
export interface Takings {
  /** Decimal text. */
  sum: string;
  /** By way to pay, the largest first. */
  parts: { label: string; sum: string }[];
  /** URL of the list of these payments. */
  href: string;
}

/** The money of each event that has some, by event. */
export async function takingsOf(tx: Tx, eventIds: readonly string[]): Promise<ReadonlyMap<string, Takings>> {
  if (eventIds.length === 0) return new Map();
  const { language } = currentPanelRequest();
  const rows = await tx
    .createQueryBuilder()
    .select('reservation.eventId', 'eventId')
    .addSelect(moneyMethodSql, 'method')
    .addSelect(`sum(${signedAmountSql})::text`, 'sum')
    .from(Payment, 'payment')
    .innerJoin(Reservation, 'reservation', 'reservation.id = payment.reservationId')
    .where(`reservation.event_id in (:...eventIds) and ${isMovedSql}`, { eventIds })
    .groupBy('1')
    .addGroupBy('2')
    .having(`sum(${signedAmountSql}) <> 0`)
    .orderBy(`sum(${signedAmountSql})`, 'DESC')
    .getRawMany<{ eventId: string; method: PaymentMethod; sum: string }>();
  return new Map(
    [...grouped(rows, ({ eventId }) => eventId)].map(([eventId, parts]) => [
      eventId,
      {
        sum: fromCents(parts.reduce((cents, { sum }) => cents + toCents(sum), 0)),
        parts: parts.map(({ method, sum }) => ({ label: paymentMethods[method][language], sum })),
        href: listHref('payments', { eventId }),
      },
    ]),
  );
}
