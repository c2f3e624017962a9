import { paidBackByHandSql, paymentMethods, refundMethods, refundReasons, RefundsService } from '#payments';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { ledger, ledgerProperties, ledgerReader } from '../payments/ledger.reader.js';
import { refundActions, settlePage } from './refunds.actions.js';
import { refundStandings, words } from './refunds.words.js';
import { inEachLanguage, labels, PanelResource, declareProperties } from '#panel-kit';
import { withSellers } from '../sales/sellers.reader.js';

const tones = { by_hand: 'bad', trouble: 'bad', online: 'waiting', refunded: 'good', failed: 'quiet' } as const;

/** SQL: the state of a refund for staff: to be paid by hand, failed online, in progress online, done, or returned by the bank. */
const standing = `case when payment.status = 'refunded' then 'refunded' when payment.status = 'refund_failed' then 'failed'
  when ${paidBackByHandSql('payment')} then 'by_hand' when payment.refund_trouble is not null then 'trouble' else 'online' end`;

/** Refunds: pending ones, and how others were settled. */
@PanelResource({ panels: 'tenant', position: 70, modules: ['membership', 'ticketing'] })
export class RefundsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly refunds: RefundsService,
  ) {}

  entry(): PanelEntry {
    const { db, refunds } = this;
    const declared = declareProperties(
      {
        state: {
          availableValues: Object.keys(refundStandings),
          tones,
          list: 4,
          show: true,
          filter: true,
          export: 6,
          sql: standing,
        },
        due: { type: 'boolean', sort: false, filter: 1, sql: `(payment.status = 'refund_due')` },
        eventId: { ...ledgerProperties.eventId, filter: true },
        amount: { list: true, show: true, export: true },
        method: { availableValues: Object.keys(paymentMethods), list: true, show: true, filter: true, export: true },
        reason: { availableValues: Object.keys(refundReasons), show: true, export: true },
        note: { show: true, export: true },
        trouble: {
          show: true,
          export: true,
          sql: `case when payment.status = 'refund_due' then payment.refund_trouble end`,
        },
        attempts: { show: true, filter: false },
        email: {
          type: 'email',
          show: true,
          export: 3,
          sql: `nullif(coalesce(reservation.email, membership.email), '')`,
        },
        event: { ...ledgerProperties.event, list: true, show: true, export: 7 },
        reservationId: { ...ledgerProperties.reservationId, show: true, export: 16 },
        membershipId: { ...ledgerProperties.membershipId, show: true, export: 17 },
        createdAt: { ...ledgerProperties.createdAt, list: true, show: true, filter: true, export: 1 },
        refundedAt: { show: true, filter: true, export: true },
        refundedMethod: { availableValues: Object.keys(refundMethods), show: true, export: true },
        refundedByName: { ...ledgerProperties.refundedByName, show: true, export: true },
        refundedNote: { show: true, export: true },
        reference: { show: true, export: true, sql: 'payment.refundReference' },
        id: { ...ledgerProperties.id, show: true, export: true },
        holder: { ...ledgerProperties.holder, list: 1, filter: 5, export: 2 },
        byUserId: ledgerProperties.byUserId,
        byKeyId: ledgerProperties.byKeyId,
        refundedBy: ledgerProperties.refundedBy,
      },
      ledger,
    );

    const plain = ledgerReader(db, {
      // A corrected method is no refund for anybody.
      where: `payment.kind = 'refund' and payment.reason <> 'method'`,
      columns: declared.columns,
    });
    const reader = withSellers(db, plain);
    const source: PanelSource = {
      id: 'refunds',
      properties: declared.properties,
      ...reader,
      sum: (filter) => plain.sumOf('amount', filter),
    };
    return {
      source,
      group: 'sales',
      icon: 'CornerUpLeft',
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      actions: refundActions(source, refunds),
      pages: { settleSome: settlePage(plain, refunds) },
      words: inEachLanguage((language) => ({
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
