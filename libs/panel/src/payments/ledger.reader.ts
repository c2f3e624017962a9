import { Payment } from '#payments';
import type { TenantDb } from '#tenancy';
import type { Declarations } from '#panel-kit';
import { entityReader, type Reading } from '#panel-kit';
import { buyer } from '../sales/sales-columns.js';

/** SQL of whose money it is: of a reservation, or of a membership. */
const payer = `coalesce(${buyer}, nullif(trim(concat_ws(' ', membership.first_name, membership.last_name)), ''), membership.email)`;

/** The entity of both lists, for `declareProperties`. */
export const ledger = { entity: Payment, alias: 'payment' } as const;

/** Properties that lists of payments and of refunds both have. */
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
 * Reads rows of the ledger as `payment`, the newest first, with the reservation and its event, or the membership and its product.
 * @param list which rows, with all columns of the list
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
