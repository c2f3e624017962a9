import { Payment } from '#payments';
import type { TenantDb } from '#tenancy';
import type { Declarations } from '#panel-kit';
import { entityReader, type Reading } from '#panel-kit';
import { buyer } from '../sales/sales-columns.js';

const nameOf = (row: string): string =>
  `coalesce(nullif(trim(concat_ws(' ', ${row}.first_name, ${row}.last_name)), ''), nullif(${row}.email, ''))`;

/** SQL: the name of the payer of a donation: of the first part of its order. */
const giver = `(select ${nameOf('part')} from (
    select first_name, last_name, email, created_at from reservation where cart_id = payment.order_id
    union all select first_name, last_name, email, created_at from membership where cart_id = payment.order_id) part
  where payment.reservation_id is null and payment.membership_id is null order by part.created_at limit 1)`;

/** SQL: the name of the payer, from the reservation, the membership, or the order. */
const payer = `coalesce(${buyer}, ${nameOf('membership')}, ${giver})`;

/** SQL: what the order itself sells: a donation. */
const ownLine = `(select line.name from order_line line where line.order_id = payment.order_id and line.reservation_id is null
  and line.membership_id is null and line.of_line is null limit 1)`;

/** The entity of the lists of payments and refunds, for `declareProperties`. */
export const ledger = { entity: Payment, alias: 'payment' } as const;

/** Properties that the lists of payments and of refunds share. */
export const ledgerProperties = {
  id: {},
  holder: { isTitle: true, sql: payer },
  eventId: { reference: 'events', sql: 'reservation.eventId' },
  event: { sql: `coalesce(event.name, product.name, ${ownLine})` },
  reservationId: { reference: 'reservations' },
  membershipId: { reference: 'memberships' },
  createdAt: {},
  refundedByName: { sort: false, filter: false },
  byUserId: { hidden: true },
  byKeyId: { hidden: true },
  refundedBy: { hidden: true },
} as const satisfies Declarations;

/**
 * Reads rows of the ledger as `payment`, newest first, joined with the reservation and its event, or with the membership and its product.
 * @param list condition, columns and search of the list
 */
export function ledgerReader(db: TenantDb, list: Pick<Reading, 'where' | 'columns' | 'searched'>) {
  return entityReader({
    open: (work) => db.transaction(work),
    ...ledger,
    joins: (query) =>
      query
        .leftJoin('payment.reservation', 'reservation')
        .leftJoin('reservation.event', 'event')
        .leftJoin('payment.membership', 'membership')
        .leftJoin('membership.product', 'product'),
    sort: { by: 'createdAt', direction: 'desc' },
    ...list,
  });
}
