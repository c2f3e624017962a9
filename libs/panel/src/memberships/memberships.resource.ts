import { paymentMethods, RefundsService } from '#payments';
import {
  Membership,
  referenceOf,
  AnswersService,
  EmailCorrections,
  Mails,
  Memberships,
  TicketDocuments,
} from '#booking';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  namedBy,
  searchProperty,
  qrPicture,
  entityReader,
  related,
  relatedProperty,
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import { answersAction } from '../questions/answers.action.js';
import { answerColumns, answersProperty, answersView, asksSql } from '../questions/answers.reader.js';
import { correctionItems, correctionsProperty } from '../sales/email-correction.action.js';
import { mailItems } from '../mails/mail-items.js';
import { enrolPage, membershipActions } from './memberships.actions.js';
import { membershipStandings, words } from './memberships.words.js';
import { paymentItems, paymentsOf, refundsDue, sumDue } from '../payments/payments.reader.js';
import { netOf, paidBy, salesWords, vatOf, vatRate } from '../sales/sales-columns.js';
import { withSellers } from '../sales/sellers.reader.js';

const tones = { valid: 'good', coming: 'info', waiting: 'waiting', expired: 'quiet', cancelled: 'bad' } as const;

/** SQL of how a membership stands at this moment. */
const standing = `case when membership.status = 'cancelled' then 'cancelled' when membership.status = 'pending' then 'waiting'
  when membership.valid_from > now() then 'coming' when membership.valid_until is null or membership.valid_until > now() then 'valid'
  else 'expired' end`;

/** Who is a member, since when and until when. */
@PanelResource({ panels: 'tenant', position: 50, modules: 'membership' })
export class MembershipsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly memberships: Memberships,
    private readonly refunds: RefundsService,
    private readonly mails: Mails,
    private readonly answers: AnswersService,
    private readonly documents: TicketDocuments,
    private readonly corrections: EmailCorrections,
  ) {}

  entry(): PanelEntry {
    const { db, memberships, refunds, mails, answers, documents, corrections } = this;
    const rate = vatRate('membership');
    const plain = entityReader({
      open: (work) => db.transaction(work),
      entity: Membership,
      alias: 'membership',
      joins: (query) => query.innerJoin('membership.product', 'product').innerJoin('membership.price', 'price'),
      columns: {
        id: 'membership.id',
        name: `coalesce(nullif(trim(concat_ws(' ', membership.first_name, membership.last_name)), ''), membership.email)`,
        email: 'membership.email',
        state: standing,
        price: `concat_ws(' · ', product.name, price.name)`,
        amount: 'membership.amount',
        validFrom: 'membership.validFrom',
        validUntil: 'membership.validUntil',
        refundsDue: refundsDue('membership_id = membership.id'),
        createdAt: 'membership.createdAt',
        asks: asksSql.membership,
        signingKeyId: 'membership.signingKeyId',
        method: paidBy('membership_id = membership.id'),
        vatRate: rate,
        vat: vatOf('membership.amount', rate),
        net: netOf('membership.amount', rate),
        due: sumDue('membership_id = membership.id'),
        byUserId: 'membership.byUserId',
        byKeyId: 'membership.byKeyId',
      },
      searched: {
        own: ['membership.search_text'],
        ids: ['membership.id'],
        around: [namedBy('membership.product_id', 'product')],
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const reader = withSellers(db, plain);
    /** A card that is not valid any more is shown to nobody. */
    const cardOf = async (id: string, state: PanelValue | undefined, keyId: PanelValue | undefined) => {
      if (state !== 'valid' && state !== 'coming') return null;
      const text = await memberships.codeOf({ id, signingKeyId: Number(keyId) });
      return { text, picture: await qrPicture(text) };
    };
    const source: PanelSource = {
      id: 'memberships',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        searchProperty,
        { name: 'name', type: 'string', isTitle: true },
        { name: 'email', type: 'email' },
        { name: 'state', type: 'string', availableValues: Object.keys(membershipStandings), tones },
        { name: 'price', type: 'string' },
        { name: 'amount', type: 'decimal' },
        { name: 'validFrom', type: 'datetime' },
        { name: 'validUntil', type: 'datetime' },
        { name: 'createdAt', type: 'datetime' },
        { name: 'card', type: 'mixed', components: { show: 'TicketQr' } },
        answersProperty,
        relatedProperty('payments'),
        relatedProperty('mails'),
        correctionsProperty,
      ],
      ...reader,
      search: plain.search,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        return {
          ...row,
          card: await cardOf(id, row['state'], row['signingKeyId']),
          answers: await answersView(db, 'membership', id),
          payments: related(paymentItems(await paymentsOf(db, { membershipId: id }))),
          mails: related(await mailItems(db, { membershipId: id })),
          emailCorrections: await correctionItems(db, { membershipId: id }),
        };
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'Users',
      list: ['name', 'state', 'price', 'validFrom', 'validUntil'],
      show: ['state', 'email', 'price', 'amount', 'validFrom', 'validUntil', 'card', 'answers', 'payments', 'mails', 'emailCorrections', 'createdAt', 'id'], // prettier-ignore
      filter: ['search', 'name', 'email', 'state', 'price', 'validUntil', 'createdAt'],
      sort: { by: 'createdAt', direction: 'desc' },
      exports: [
        { name: 'name', type: 'text' },
        { name: 'email', type: 'text' },
        { name: 'state', type: 'word' },
        { name: 'price', type: 'text' },
        { name: 'amount', type: 'money' },
        { name: 'vatRate', type: 'number' },
        { name: 'vat', type: 'money' },
        { name: 'net', type: 'money' },
        { name: 'method', type: 'word' },
        { name: 'due', type: 'money' },
        { name: 'seller', type: 'text' },
        { name: 'validFrom', type: 'datetime' },
        { name: 'validUntil', type: 'datetime' },
        { name: 'createdAt', type: 'datetime' },
        { name: 'id', type: 'text' },
      ],
      hit: {
        details: ['price', 'email'],
        at: 'validUntil',
        state: 'state',
        reference: { column: 'id', printed: referenceOf },
      },
      extraExports: answerColumns(db, 'membership'),
      actions: {
        ...membershipActions(db, memberships, refunds, documents, { corrections, mails }),
        answers: answersAction(answers, 'membershipId'),
      },
      pages: { enrol: enrolPage(db, memberships, mails) },
      words: inBoth((language) => ({
        ...words[language],
        properties: { ...salesWords[language], ...words[language].properties },
        values: { state: labels(membershipStandings, language), method: labels(paymentMethods, language) },
      })),
    };
  }
}
