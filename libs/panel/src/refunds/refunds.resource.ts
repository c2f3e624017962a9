import { paymentMethods, refundMethods, refundReasons, RefundsService } from '#payments';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { ledgerProperties, ledgerReader } from '../payments/ledger.reader.js';
import { refundActions, settlePage } from './refunds.actions.js';
import { refundStandings, words } from './refunds.words.js';
import { inBoth, labels, PanelResource } from '#panel-kit';
import { withSellers } from '../sales/sellers.reader.js';

const tones = { by_hand: 'bad', trouble: 'bad', online: 'waiting', refunded: 'good', failed: 'quiet' } as const;

/** SQL of where a refund stands for the staff: to be given back by hand, failed online, on its way by itself, done, or sent back by the bank. */
const standing = `case when payment.status = 'refunded' then 'refunded' when payment.status = 'refund_failed' then 'failed'
  when payment.provider = 'venue' then 'by_hand' when payment.refund_trouble is not null then 'trouble' else 'online' end`;

/** What goes back to whom, what is still due, and how it was settled. */
@PanelResource({ panels: 'tenant', position: 70, modules: ['membership', 'ticketing'] })
export class RefundsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly refunds: RefundsService,
  ) {}

  entry(): PanelEntry {
    const { db, refunds } = this;
    const plain = ledgerReader(db, {
      where: `payment.kind = 'refund'`,
      columns: {
        email: `nullif(coalesce(reservation.email, membership.email), '')`,
        amount: 'payment.amount',
        method: 'payment.method',
        state: standing,
        due: `(payment.status = 'refund_due')`,
        reason: 'payment.reason',
        note: 'payment.note',
        trouble: `case when payment.status = 'refund_due' then payment.refund_trouble end`,
        attempts: 'payment.attempts',
        refundedAt: 'payment.refundedAt',
        refundedMethod: 'payment.refundedMethod',
        refundedNote: 'payment.refundedNote',
        reference: 'payment.refundReference',
      },
    });
    const reader = withSellers(db, plain);
    const source: PanelSource = {
      id: 'refunds',
      properties: [
        ledgerProperties.id,
        ledgerProperties.holder,
        { name: 'email', type: 'email' },
        { name: 'amount', type: 'decimal' },
        { name: 'method', type: 'string', availableValues: Object.keys(paymentMethods) },
        { name: 'state', type: 'string', availableValues: Object.keys(refundStandings), tones },
        { name: 'due', type: 'boolean', sortable: false },
        ledgerProperties.eventId,
        ledgerProperties.event,
        ledgerProperties.reservationId,
        ledgerProperties.membershipId,
        { name: 'reason', type: 'string', availableValues: Object.keys(refundReasons) },
        { name: 'note', type: 'string' },
        { name: 'trouble', type: 'string' },
        { name: 'attempts', type: 'number', filterable: false },
        ledgerProperties.createdAt,
        { name: 'refundedAt', type: 'datetime' },
        { name: 'refundedMethod', type: 'string', availableValues: Object.keys(refundMethods) },
        ledgerProperties.refundedByName,
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
}
