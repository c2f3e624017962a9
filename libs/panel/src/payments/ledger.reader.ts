import { Payment } from '#payments';
import type { TenantDb } from '#tenancy';
import type { Declarations } from '#panel-kit';
import { entityReader, type Reading } from '#panel-kit';
import { buyer } from '../sales/sales-columns.js';

/** SQL: the name of the payer, from the reservation or the membership. */
const payer = `coalesce(${buyer}, nullif(trim(concat_ws(' ', membership.first_name, membership.last_name)), ''), membership.email)`;

/** The entity of the lists of payments and refunds, for `declareProperties`. */
export const ledger = { entity: Payment, alias: 'payment' } as const;

/** Properties that the lists of payments and of refunds share. */
export const ledgerProperties = {
  id: {},
  holder: { isTitle: true, sql: payer },
  eventId: { reference: 'events', sql: 'reservation.eventId' },
  event: { sql: 'coalesce(event.name, product.name)' },
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
