import { Payment, paymentMethods, paymentStates, refundMethods } from '#booking';
import type { TenantDb } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';
import type { PanelSource } from '../panel-source.js';
import { namedBy, searchProperty } from '../search/searched.js';
import { entityReader } from './entity-reader.js';
import { paymentTones } from './payments.reader.js';
import { paymentKinds, words } from './payments.resource.words.js';
import { payer } from './refunds.resource.js';
import { inBoth, labels } from './resource-words.js';
import { withSellers } from './sellers.reader.js';

const signed = `(case when payment.kind = 'refund' then -payment.amount else payment.amount end)`;

/** The ledger as accountants read it: each payment and each refund a line, refunds negative. Nothing is changed here. */
export function paymentsResource(db: TenantDb): PanelEntry {
  const plain = entityReader({
    open: (work) => db.transaction(work),
    entity: Payment,
    alias: 'payment',
    joins: (query) =>
      query
        .leftJoin('payment.reservation', 'reservation')
        .leftJoin('reservation.event', 'event')
        .leftJoin('payment.membership', 'membership')
        .leftJoin('membership.product', 'product'),
    where: `payment.status not in ('pending', 'failed')`,
    columns: {
      id: 'payment.id',
      holder: payer,
      kind: 'payment.kind',
      amount: signed,
      // Money that has moved; what is offered is none.
      moved: `(case when payment.status in ('paid', 'refunded') and payment.method <> 'offered' then ${signed} else 0.00 end)`,
      method: 'coalesce(payment.refunded_method, payment.method)',
      status: 'payment.status',
      at: `case when payment.kind = 'refund' then coalesce(payment.refunded_at, payment.created_at) else coalesce(payment.paid_at, payment.created_at) end`,
      eventId: 'reservation.eventId',
      event: 'coalesce(event.name, product.name)',
      note: `concat_ws(' · ', payment.note, payment.refunded_note)`,
      reference: 'coalesce(payment.refund_reference, payment.provider_payment, payment.reference)',
      reservationId: 'payment.reservationId',
      membershipId: 'payment.membershipId',
      createdAt: 'payment.createdAt',
      origin: 'reservation.origin',
      byUserId: 'payment.byUserId',
      byKeyId: 'payment.byKeyId',
      refundedBy: 'payment.refundedBy',
    },
    searched: {
      own: ['payment.reference', 'payment.provider_payment', 'payment.refund_reference'].map(
        (column) => `lower(${column})`,
      ),
      ids: ['payment.id', 'payment.reservation_id', 'payment.membership_id'],
      around: [
        (pattern) => `coalesce(reservation.search_text, membership.search_text) like ${pattern}`,
        namedBy('reservation.event_id', 'event'),
        namedBy('membership.product_id', 'product'),
      ],
    },
    sort: { by: 'createdAt', direction: 'desc' },
  });
  const source: PanelSource = {
    id: 'payments',
    properties: [
      { name: 'id', type: 'uuid', isId: true },
      searchProperty,
      { name: 'holder', type: 'string', isTitle: true },
      { name: 'kind', type: 'string', availableValues: Object.keys(paymentKinds) },
      { name: 'amount', type: 'decimal' },
      { name: 'method', type: 'string', availableValues: Object.keys({ ...paymentMethods, ...refundMethods }) },
      { name: 'status', type: 'string', availableValues: Object.keys(paymentStates), tones: paymentTones },
      { name: 'at', type: 'datetime' },
      { name: 'eventId', type: 'reference', reference: 'events' },
      { name: 'event', type: 'string' },
      { name: 'seller', type: 'string', sortable: false, filterable: false },
      { name: 'refundedByName', type: 'string', sortable: false, filterable: false },
      { name: 'note', type: 'string' },
      { name: 'reference', type: 'string' },
      { name: 'reservationId', type: 'reference', reference: 'reservations' },
      { name: 'membershipId', type: 'reference', reference: 'memberships' },
      { name: 'createdAt', type: 'datetime' },
    ],
    ...withSellers(db, plain),
    search: plain.search,
    sum: (filter) => plain.sumOf('moved', filter),
  };
  return {
    source,
    group: 'sales',
    icon: 'DollarSign',
    list: ['holder', 'amount', 'method', 'status', 'event', 'at'],
    show: ['kind', 'amount', 'method', 'status', 'at', 'event', 'seller', 'refundedByName', 'note', 'reference', 'reservationId', 'membershipId', 'id'], // prettier-ignore
    filter: ['search', 'kind', 'method', 'status', 'eventId', 'holder', 'at'],
    sort: { by: 'createdAt', direction: 'desc' },
    exports: [
      { name: 'at', type: 'datetime' },
      { name: 'kind', type: 'word' },
      { name: 'amount', type: 'money' },
      { name: 'method', type: 'word' },
      { name: 'status', type: 'word' },
      { name: 'event', type: 'text' },
      { name: 'holder', type: 'text' },
      { name: 'seller', type: 'text' },
      { name: 'refundedByName', type: 'text' },
      { name: 'note', type: 'text' },
      { name: 'reference', type: 'text' },
      { name: 'reservationId', type: 'text' },
      { name: 'membershipId', type: 'text' },
      { name: 'id', type: 'text' },
    ],
    hit: { details: ['amount', 'method', 'event', 'reference'], at: 'at', state: 'status', ownOnly: true },
    words: inBoth((language) => ({
      ...words[language],
      values: {
        kind: labels(paymentKinds, language),
        method: labels({ ...paymentMethods, ...refundMethods }, language),
        status: labels(paymentStates, language),
      },
    })),
  };
}
