import { paymentMethods, PaymentProviders, RefundsService } from '#payments';
import { EmailCorrectionsService } from '#holders';
import { Membership, MembershipRenewalsService, MembershipsService } from '#memberships';
import { referenceOf, TicketDocumentsService } from '#notices';
import { AnswersService, MailsService, soldVatRateSql, vatInSql } from '#tickets';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  namedBy,
  searchProperty,
  shownCode,
  entityReader,
  related,
  relatedProperty,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { answersAction } from '../questions/answers.action.js';
import { answerColumns, answersProperty, answersView, hasQuestionsSql } from '../questions/answers.reader.js';
import { correctionItems, correctionsProperty } from '../sales/email-correction.action.js';
import { mailItems } from '../mails/mail-items.js';
import { enrolPage, membershipActions } from './memberships.actions.js';
import { membershipStandings, renewalStates, words } from './memberships.words.js';
import { paymentItems, paymentsOf, refundsDue, sumDue } from '../payments/payments.reader.js';
import { paidBy, salesWords } from '../sales/sales-columns.js';
import { withSellers } from '../sales/sellers.reader.js';

const tones = { valid: 'good', coming: 'info', waiting: 'waiting', expired: 'quiet', cancelled: 'bad' } as const;

/** SQL: the current state of a membership. */
const standing = `case when membership.status = 'cancelled' then 'cancelled' when membership.status = 'pending' then 'waiting'
  when membership.valid_from > now() then 'coming' when membership.valid_until is null or membership.valid_until > now() then 'valid'
  else 'expired' end`;

/** SQL: what becomes of the automatic renewal; null: it was never asked for. */
const renewalSql = `(select case when renewal.payment_id is not null then 'charging' else coalesce(renewal.ended, 'on') end
  from membership_renewal renewal where renewal.membership_id = membership.id)`;

/** The tenant's memberships. */
@PanelResource({ panels: 'tenant', position: 50, modules: 'membership' })
export class MembershipsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly memberships: MembershipsService,
    private readonly refunds: RefundsService,
    private readonly mails: MailsService,
    private readonly answers: AnswersService,
    private readonly documents: TicketDocumentsService,
    private readonly corrections: EmailCorrectionsService,
    private readonly providers: PaymentProviders,
    private readonly renewals: MembershipRenewalsService,
  ) {}

  entry(): PanelEntry {
    const { db, memberships, refunds, mails, answers, documents, corrections } = this;
    const rate = soldVatRateSql('membership');
    const declared = declareProperties(
      {
        name: {
          isTitle: true,
          list: true,
          filter: true,
          export: true,
          sql: `coalesce(nullif(trim(concat_ws(' ', membership.first_name, membership.last_name)), ''), membership.email)`,
        },
        email: { type: 'email', show: true, filter: true, export: true },
        state: {
          availableValues: Object.keys(membershipStandings),
          tones,
          list: true,
          show: 1,
          filter: true,
          export: true,
          sql: standing,
        },
        price: {
          list: true,
          show: true,
          filter: true,
          export: true,
          sql: `concat_ws(' · ', product.name, price.name)`,
        },
        amount: { show: true, export: true },
        vatRate: { type: 'number', hidden: true, export: true, sql: rate },
        vat: { type: 'decimal', hidden: true, export: true, sql: vatInSql('membership.amount', rate) },
        net: { type: 'decimal', hidden: true, export: true, sql: `membership.amount - ${vatInSql('membership.amount', rate)}` },
        method: { hidden: true, export: true, exportAs: 'word', sql: paidBy('membership_id = membership.id') },
        due: { type: 'decimal', hidden: true, export: true, sql: sumDue('membership_id = membership.id') },
        byUserId: { hidden: true },
        byKeyId: { hidden: true },
        seller: { hidden: true, export: true },
        validFrom: { list: true, show: true, export: true },
        validUntil: { list: true, show: true, filter: true, export: true },
        renewal: { availableValues: Object.keys(renewalStates), show: true, export: true, filter: true, sql: renewalSql },
        createdAt: { show: 12, filter: true, export: true },
        withdrawnAt: { show: true, filter: true, export: true },
        card: { type: 'mixed', components: { show: 'TicketQr' }, show: true },
        answers: { ...answersProperty, show: true },
        payments: { ...relatedProperty('payments'), show: true },
        mails: { ...relatedProperty('mails'), show: true },
        emailCorrections: { ...correctionsProperty, show: true },
        refundsDue: { hidden: true, sql: refundsDue('membership_id = membership.id') },
        asks: { hidden: true, sql: hasQuestionsSql.membership },
        signingKeyId: { hidden: true },
        id: { show: true, export: true },
        search: { ...searchProperty, filter: 1 },
      },
      { entity: Membership, alias: 'membership' },
    );

    const plain = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      joins: (query) => query.innerJoin('membership.product', 'product').innerJoin('membership.price', 'price'),
      searched: {
        own: ['membership.search_text'],
        ids: ['membership.id'],
        around: [namedBy('membership.product_id', 'product')],
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const reader = withSellers(db, plain);
    /** The card is shown only while it is, or will become, valid. */
    const cardOf = async (id: string, state: PanelValue | undefined, keyId: PanelValue | undefined) => {
      if (state !== 'valid' && state !== 'coming') return null;
      return shownCode(await memberships.codeOf({ id, signingKeyId: Number(keyId) }));
    };
    const source: PanelSource = {
      id: 'memberships',
      properties: declared.properties,
      ...reader,
      search: plain.search,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        return {
          ...row,
          card: await cardOf(id, row['state'], row['signingKeyId']),
          answers: await answersView(db, 'membership', id),
          payments: related(paymentItems(await paymentsOf(db, { membershipId: id }), this.providers)),
          mails: related(await mailItems(db, { membershipId: id })),
          emailCorrections: await correctionItems(db, { membershipId: id }),
        };
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'Users',
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      hit: {
        details: ['price', 'email'],
        at: 'validUntil',
        state: 'state',
        reference: { column: 'id', printed: referenceOf },
      },
      extraExports: answerColumns(db, 'membership'),
      actions: {
        ...membershipActions(db, memberships, refunds, documents, { corrections, mails, renewals: this.renewals }),
        answers: answersAction(answers, 'membershipId'),
      },
      pages: { enrol: enrolPage(db, memberships, mails) },
      words: inEachLanguage((language) => ({
        ...words[language],
        properties: { ...salesWords[language], ...words[language].properties },
        values: {
          state: labels(membershipStandings, language),
          renewal: labels(renewalStates, language),
          method: labels(paymentMethods, language),
        },
      })),
    };
  }
}
