import { MethodCorrectionsService, paymentMethods, paymentStates, refundReasons, type PaymentMethod } from '#payments';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelFilter, PanelSource, ResourceProvider } from '#panel-kit';
import { currentPanelRequest, namedBy, searchProperty, inEachLanguage, labels, PanelResource, declareProperties } from '#panel-kit';
import { DonationsService } from '#selling';
import { correctMethodAction, isCorrectable } from './correct-method.action.js';
import { ledger, ledgerProperties, ledgerReader } from './ledger.reader.js';
import { cardIssuerSql, isMovedSql, moneyMethodSql, paymentTones, signedAmountSql } from './payments.reader.js';
import { paymentKinds, refundsDueWords, words } from './payments.resource.words.js';
import { isDonation, refundDonationAction } from './refund-donation.action.js';
import { withSellers } from '../sales/sellers.reader.js';

const valued = `(case when payment.method <> 'offered' then ${signedAmountSql} else 0.00 end)`;

/** With a state, the sum of what is in it, for example of what is to be refunded; else of the money that moved. */
const valueFor = (filter: PanelFilter): 'valued' | 'moved' => (filter['status'] ? 'valued' : 'moved');

/** The ledger for accountants: one line per payment or refund, refunds negative. Only the method of a payment can be corrected. */
@PanelResource({ panels: 'tenant', position: 60, modules: ['membership', 'ticketing'] })
export class PaymentsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly corrections: MethodCorrectionsService,
    private readonly donations: DonationsService,
  ) {}

  entry(): PanelEntry {
    const { db } = this;
    const declared = declareProperties(
      {
        kind: { availableValues: Object.keys(paymentKinds), show: true, filter: true, export: true },
        amount: { list: true, show: true, export: true, sql: signedAmountSql },
        method: {
          availableValues: Object.keys(paymentMethods),
          list: true,
          show: true,
          filter: true,
          export: true,
          sql: moneyMethodSql,
        },
        status: {
          availableValues: Object.keys(paymentStates),
          tones: paymentTones,
          list: true,
          show: true,
          filter: true,
          export: true,
        },
        at: {
          type: 'datetime',
          list: true,
          show: true,
          filter: 7,
          export: 1,
          sql: `case when payment.kind = 'refund' then coalesce(payment.refunded_at, payment.created_at)
            else coalesce(payment.paid_at, payment.created_at) end`,
        },
        eventId: { ...ledgerProperties.eventId, filter: true },
        event: { ...ledgerProperties.event, list: 5, show: true, export: true },
        seller: { sort: false, show: true, export: true, filter: false },
        refundedByName: { ...ledgerProperties.refundedByName, show: true, export: true },
        reason: { availableValues: Object.keys(refundReasons), show: true, export: true },
        note: { show: true, export: true, sql: `concat_ws(' · ', payment.note, payment.refunded_note)` },
        reference: {
          show: true,
          export: true,
          sql: 'coalesce(payment.refund_reference, payment.provider_payment, payment.reference)',
        },
        issuer: { type: 'string', sort: false, filter: false, show: true, export: true, sql: cardIssuerSql },
        reservationId: { ...ledgerProperties.reservationId, show: true, export: true },
        membershipId: { ...ledgerProperties.membershipId, show: true, export: true },
        createdAt: { ...ledgerProperties.createdAt },
        // Complimentary tickets count 0.
        valued: { hidden: true, sql: valued },
        // The amount that was actually paid or refunded.
        moved: { hidden: true, sql: `(case when ${isMovedSql} then ${signedAmountSql} else 0.00 end)` },
        due: { hidden: true, sql: `(case when payment.status = 'refund_due' then -${valued} else 0.00 end)` },
        correctable: { type: 'boolean', hidden: true, sql: isCorrectable },
        donation: { type: 'boolean', hidden: true, sql: isDonation },
        orderId: { hidden: true },
        origin: { hidden: true, sql: 'reservation.origin' },
        id: { ...ledgerProperties.id, show: true, export: true },
        search: { ...searchProperty, filter: 1 },
        holder: { ...ledgerProperties.holder, list: 1, filter: true, export: 7 },
        byUserId: ledgerProperties.byUserId,
        byKeyId: ledgerProperties.byKeyId,
        refundedBy: ledgerProperties.refundedBy,
      },
      ledger,
    );

    const plain = ledgerReader(db, {
      // What a gift card pays whole, or costs nothing, is a part of 0.00 of the checkout for the rest.
      where: `payment.status not in ('pending', 'failed') and (payment.amount > 0 or payment.provider = 'venue')`,
      columns: declared.columns,
      searched: {
        own: ['payment.reference', 'payment.provider_payment', 'payment.refund_reference'].map((column) => `lower(${column})`),
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
      properties: declared.properties,
      ...withSellers(db, plain),
      search: plain.search,
      sum: (filter) => plain.sumOf(valueFor(filter), filter),
      sumParts: async (filter) => {
        const { language } = currentPanelRequest();
        const methods = await plain.sumsOf(valueFor(filter), 'method', filter);
        const due = filter['status'] ? '0.00' : await plain.sumOf('due', filter);
        return [
          ...methods.map(({ value, sum }) => ({ label: paymentMethods[value as PaymentMethod][language], sum })),
          ...(Number(due) === 0 ? [] : [{ label: refundsDueWords[language], sum: due }]),
        ];
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'DollarSign',
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      actions: {
        correctMethod: correctMethodAction(source, this.corrections),
        refundDonation: refundDonationAction(source, this.donations),
      },
      hit: { details: ['amount', 'method', 'event', 'reference'], at: 'at', state: 'status', ownOnly: true },
      words: inEachLanguage((language) => ({
        ...words[language],
        values: {
          kind: labels(paymentKinds, language),
          method: labels(paymentMethods, language),
          status: labels(paymentStates, language),
          reason: labels(refundReasons, language),
        },
      })),
    };
  }
}
