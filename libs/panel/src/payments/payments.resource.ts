import { paymentMethods, paymentStates, refundMethods } from '#payments';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { namedBy, searchProperty, inBoth, labels, PanelResource } from '#panel-kit';
import { ledgerProperties, ledgerReader } from './ledger.reader.js';
import { paymentTones } from './payments.reader.js';
import { paymentKinds, words } from './payments.resource.words.js';
import { withSellers } from '../sales/sellers.reader.js';

const signed = `(case when payment.kind = 'refund' then -payment.amount else payment.amount end)`;

/** The ledger as accountants read it: each payment and each refund a line, refunds negative. Nothing is changed here. */
@PanelResource({ panels: 'tenant', position: 60, modules: ['membership', 'ticketing'] })
export class PaymentsResource implements ResourceProvider {
  constructor(private readonly db: TenantDb) {}

  entry(): PanelEntry {
    const { db } = this;
    const plain = ledgerReader(db, {
      where: `payment.status not in ('pending', 'failed')`,
      columns: {
        kind: 'payment.kind',
        amount: signed,
        // Money that has moved; what is offered is none.
        moved: `(case when payment.status in ('paid', 'refunded') and payment.method <> 'offered' then ${signed} else 0.00 end)`,
        method: 'coalesce(payment.refunded_method, payment.method)',
        status: 'payment.status',
        at: `case when payment.kind = 'refund' then coalesce(payment.refunded_at, payment.created_at) else coalesce(payment.paid_at, payment.created_at) end`,
        note: `concat_ws(' · ', payment.note, payment.refunded_note)`,
        reference: 'coalesce(payment.refund_reference, payment.provider_payment, payment.reference)',
        origin: 'reservation.origin',
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
    });
    const source: PanelSource = {
      id: 'payments',
      properties: [
        ledgerProperties.id,
        searchProperty,
        ledgerProperties.holder,
        { name: 'kind', type: 'string', availableValues: Object.keys(paymentKinds) },
        { name: 'amount', type: 'decimal' },
        { name: 'method', type: 'string', availableValues: Object.keys({ ...paymentMethods, ...refundMethods }) },
        { name: 'status', type: 'string', availableValues: Object.keys(paymentStates), tones: paymentTones },
        { name: 'at', type: 'datetime' },
        ledgerProperties.eventId,
        ledgerProperties.event,
        { name: 'seller', type: 'string', sortable: false, filterable: false },
        ledgerProperties.refundedByName,
        { name: 'note', type: 'string' },
        { name: 'reference', type: 'string' },
        ledgerProperties.reservationId,
        ledgerProperties.membershipId,
        ledgerProperties.createdAt,
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
}
