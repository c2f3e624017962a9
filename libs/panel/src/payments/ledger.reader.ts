import { Payment } from '#payments';
import type { TenantDb } from '#tenancy';
import type { PanelProperty } from '#panel-kit';
import { entityReader, type Reading } from '#panel-kit';
import { buyer } from '../sales/sales-columns.js';

/** SQL of whose money it is: of a reservation, or of a membership. */
const payer = `coalesce(${buyer}, nullif(trim(concat_ws(' ', membership.first_name, membership.last_name)), ''), membership.email)`;

/** What lists of payments and of refunds both say of a row of the ledger. */
const shared = {
  id: 'payment.id',
  holder: payer,
  eventId: 'reservation.eventId',
  event: 'coalesce(event.name, product.name)',
  reservationId: 'payment.reservationId',
  membershipId: 'payment.membershipId',
  createdAt: 'payment.createdAt',
  byUserId: 'payment.byUserId',
  byKeyId: 'payment.byKeyId',
  refundedBy: 'payment.refundedBy',
} as const;

/** Properties of the columns that both lists have. */
export const ledgerProperties = {
  id: { name: 'id', type: 'uuid', isId: true },
  holder: { name: 'holder', type: 'string', isTitle: true },
  eventId: { name: 'eventId', type: 'reference', reference: 'events' },
  event: { name: 'event', type: 'string' },
  reservationId: { name: 'reservationId', type: 'reference', reference: 'reservations' },
  membershipId: { name: 'membershipId', type: 'reference', reference: 'memberships' },
  createdAt: { name: 'createdAt', type: 'datetime' },
  refundedByName: { name: 'refundedByName', type: 'string', sortable: false, filterable: false },
} as const satisfies Record<string, PanelProperty>;

/**
 * Reads rows of the ledger as `payment`, the newest first, with the reservation and its event, or the membership and its product.
 * @param list which rows, with the columns that this list has beside the shared ones
 */
export function ledgerReader(db: TenantDb, { columns, ...list }: Pick<Reading, 'where' | 'columns' | 'searched'>) {
  return entityReader({
    open: (work) => db.transaction(work),
    entity: Payment,
    alias: 'payment',
    joins: (query) =>
      query
        .leftJoin('payment.reservation', 'reservation')
        .leftJoin('reservation.event', 'event')
        .leftJoin('payment.membership', 'membership')
        .leftJoin('membership.product', 'product'),
    columns: { ...shared, ...columns },
    sort: { by: 'createdAt', direction: 'desc' },
    ...list,
  });
}
