import { Payment, paymentMethods, refundMethods, refundReasons } from '#booking';
import type { RefundsService } from '#booking';
import type { TenantDb } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';
import type { PanelSource } from '../panel-source.js';
import { entityReader } from './entity-reader.js';
import { refundActions, settlePage } from './refunds.actions.js';
import { refundStandings, words } from './refunds.words.js';
import { inBoth, labels } from './resource-words.js';
import { buyer } from './sales-columns.js';
import { withSellers } from './sellers.reader.js';

const tones = { by_hand: 'bad', trouble: 'bad', online: 'waiting', refunded: 'good', failed: 'quiet' } as const;

/** SQL of where a refund stands for the staff: to be given back by hand, failed online, on its way by itself, done, or sent back by the bank. */
const standing = `case when payment.status = 'refunded' then 'refunded' when payment.status = 'refund_failed' then 'failed'
  when payment.provider = 'venue' then 'by_hand' when payment.refund_trouble is not null then 'trouble' else 'online' end`;

/** Whose money it is: of a reservation, or of a membership. */
export const payer = `coalesce(${buyer}, nullif(trim(concat_ws(' ', membership.first_name, membership.last_name)), ''), membership.email)`;

/** What goes back to whom, what is still due, and how it was settled. */
export function refundsResource(db: TenantDb, refunds: RefundsService): PanelEntry {
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
    where: `payment.kind = 'refund'`,
    columns: {
      id: 'payment.id',
      holder: payer,
      email: `nullif(coalesce(reservation.email, membership.email), '')`,
      amount: 'payment.amount',
      method: 'payment.method',
      state: standing,
      due: `(payment.status = 'refund_due')`,
      eventId: 'reservation.eventId',
      event: 'coalesce(event.name, product.name)',
      reservationId: 'payment.reservationId',
      membershipId: 'payment.membershipId',
      reason: 'payment.reason',
      note: 'payment.note',
      trouble: `case when payment.status = 'refund_due' then payment.refund_trouble end`,
      attempts: 'payment.attempts',
      createdAt: 'payment.createdAt',
      refundedAt: 'payment.refundedAt',
      refundedMethod: 'payment.refundedMethod',
      refundedNote: 'payment.refundedNote',
      reference: 'payment.refundReference',
      refundedBy: 'payment.refundedBy',
      byUserId: 'payment.byUserId',
      byKeyId: 'payment.byKeyId',
    },
    sort: { by: 'createdAt', direction: 'desc' },
  });
  const reader = withSellers(db, plain);
  const source: PanelSource = {
    id: 'refunds',
    properties: [
      { name: 'id', type: 'uuid', isId: true },
      { name: 'holder', type: 'string', isTitle: true },
      { name: 'email', type: 'email' },
      { name: 'amount', type: 'decimal' },
      { name: 'method', type: 'string', availableValues: Object.keys(paymentMethods) },
      { name: 'state', type: 'string', availableValues: Object.keys(refundStandings), tones },
      { name: 'due', type: 'boolean', sortable: false },
      { name: 'eventId', type: 'reference', reference: 'events' },
      { name: 'event', type: 'string' },
      { name: 'reservationId', type: 'reference', reference: 'reservations' },
      { name: 'membershipId', type: 'reference', reference: 'memberships' },
      { name: 'reason', type: 'string', availableValues: Object.keys(refundReasons) },
      { name: 'note', type: 'string' },
      { name: 'trouble', type: 'string' },
      { name: 'attempts', type: 'number', filterable: false },
      { name: 'createdAt', type: 'datetime' },
      { name: 'refundedAt', type: 'datetime' },
      { name: 'refundedMethod', type: 'string', availableValues: Object.keys(refundMethods) },
      { name: 'refundedByName', type: 'string', sortable: false, filterable: false },
      { name: 'refundedNote', type: 'string' },
      { name: 'reference', type: 'string' },
    ],
    ...reader,
    sum: (filter) => plain.sumOf('amount', filter),
  };
  return {
    source,
    group: 'sales',
    icon: 'CornerUpLeft',
    list: ['holder', 'amount', 'method', 'state', 'event', 'createdAt'],
    show: ['state', 'amount', 'method', 'reason', 'note', 'trouble', 'attempts', 'email', 'event', 'reservationId', 'membershipId', 'createdAt', 'refundedAt', 'refundedMethod', 'refundedByName', 'refundedNote', 'reference', 'id'], // prettier-ignore
    filter: ['due', 'state', 'eventId', 'method', 'holder', 'createdAt', 'refundedAt'],
    sort: { by: 'createdAt', direction: 'desc' },
    exports: [
      { name: 'createdAt', type: 'datetime' },
      { name: 'holder', type: 'text' },
      { name: 'email', type: 'text' },
      { name: 'amount', type: 'money' },
      { name: 'method', type: 'word' },
      { name: 'state', type: 'word' },
      { name: 'event', type: 'text' },
      { name: 'reason', type: 'word' },
      { name: 'note', type: 'text' },
      { name: 'trouble', type: 'text' },
      { name: 'refundedAt', type: 'datetime' },
      { name: 'refundedMethod', type: 'word' },
      { name: 'refundedByName', type: 'text' },
      { name: 'refundedNote', type: 'text' },
      { name: 'reference', type: 'text' },
      { name: 'reservationId', type: 'text' },
      { name: 'membershipId', type: 'text' },
      { name: 'id', type: 'text' },
    ],
    actions: refundActions(source, refunds),
    pages: { settleSome: settlePage(plain, refunds) },
    words: inBoth((language) => ({
      ...words[language],
      values: {
        method: labels(paymentMethods, language),
        state: labels(refundStandings, language),
        reason: labels(refundReasons, language),
        refundedMethod: labels(refundMethods, language),
      },
    })),
  };
}
