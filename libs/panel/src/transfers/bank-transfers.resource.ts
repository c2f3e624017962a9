import { paidOfOrderSql } from '#payments';
import { TenantDb } from '#tenancy';
import {
  AccountOrdersService,
  BankEntriesService,
  BankTransfer,
  dueOfOrderSql,
  isOfOrderSql,
  payerNameSql,
  receivedOfOrderSql,
  TransferAccountService,
} from '#transfers';
import { currentPanelRequest, declareProperties, entityReader, inEachLanguage, PanelFieldError, PanelResource } from '#panel-kit';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { instalmentsAction, recordPaymentAction } from './account.actions.js';
import { accountPage } from './transfer-pages.js';
import { transferForms, transferListWords, withAccountWords } from './transfers.words.js';

/** SQL of something of the first reservation of an order. */
const ofFirst = (value: string): string =>
  `(select ${value} from reservation where ${isOfOrderSql('reservation', 'bank_transfer.order_id')} and not is_draft
    order by created_at, id limit 1)`;
const missing = `greatest(${dueOfOrderSql('bank_transfer.order_id')} - ${receivedOfOrderSql('bank_transfer.order_id')}, 0)::numeric(12, 2)`;
/** SQL: what was transferred, also what staff recorded without a statement; what is used of statements is in the ledger. */
const received = `(${receivedOfOrderSql('bank_transfer.order_id')} + (select coalesce(sum(payment.amount), 0)
    from payment where payment.order_id = bank_transfer.order_id and payment.kind = 'payment' and payment.status = 'paid'
      and payment.provider = 'transfer'))::numeric(12, 2)`;
/** SQL: the names of the first events of an order. */
const events = `(select array_to_string((array_agg(distinct event.name))[1:3], ', ')
      || case when count(distinct event.name) > 3 then ', …' else '' end
    from reservation part join event on event.id = part.event_id
    where ${isOfOrderSql('part', 'bank_transfer.order_id')} and not part.is_draft)`;

const customerId = '(select customer_id from orders where orders.id = bank_transfer.order_id)';

/** The orders that are to be paid by bank transfer, or are on account. */
@PanelResource({ panels: 'tenant', position: 71, modules: 'ticketing' })
export class BankTransfersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly entries: BankEntriesService,
    private readonly accounts: AccountOrdersService,
    private readonly account: TransferAccountService,
  ) {}

  entry(): PanelEntry {
    const { db, entries } = this;
    const declared = declareProperties(
      {
        orderId: { type: 'uuid', isId: true },
        reference: { isTitle: true, list: true, show: true, filter: true, export: true },
        event: { type: 'string', sql: events, sort: false, list: true, show: true, filter: false, export: true },
        name: { type: 'string', sql: payerNameSql('bank_transfer.order_id'), list: true, show: true, filter: true, export: true },
        customerId: {
          reference: 'customers',
          sql: customerId,
          show: true,
          sort: false,
          filter: true,
        },
        email: { type: 'email', sql: ofFirst('email'), show: true, filter: true, export: true },
        missing: { type: 'decimal', sql: missing, list: true, show: true, filter: false, export: true },
        received: {
          type: 'decimal',
          sql: `case when ${customerId} is null then ${received} else ${paidOfOrderSql('bank_transfer.order_id')} end::numeric(12, 2)`,
          list: true,
          show: true,
          filter: false,
          export: true,
        },
        open: { type: 'boolean', sql: `(${missing} > 0)`, sort: false, list: true, show: true, filter: true, export: true },
        dueOn: { list: true, show: true, filter: true, export: true },
        instalments: { show: true, export: true },
        remindedAt: { show: true, export: true },
        reservationId: {
          reference: 'reservations',
          sql: ofFirst('id'),
          list: 3,
          show: true,
          sort: false,
          filter: false,
          export: true,
        },
        createdAt: { show: true, export: true },
      },
      { entity: BankTransfer, alias: 'bank_transfer' },
    );
    const reader = entityReader({ ...declared.reading, open: (work) => db.transaction(work), sort: { by: 'dueOn', direction: 'desc' } });
    return {
      source: { id: 'bank-transfers', properties: declared.properties, ...reader },
      group: 'sales',
      icon: 'Send',
      rare: true,
      ...declared.places,
      sort: { by: 'dueOn', direction: 'desc' },
      actions: {
        record: recordPaymentAction(this.accounts, (id) => reader.findOne(id)),
        divide: instalmentsAction(this.accounts, (id) => reader.findOne(id)),
        paid: {
          icon: 'Check',
          variant: 'primary',
          guard: 'paidGuard',
          visible: ({ open, customerId }) => open === true && !customerId,
          act: async (id) => {
            const outcome = await entries.payUnseen(id);
            const { settled, late } = transferForms[currentPanelRequest().language];
            if (outcome !== 'paid') throw new PanelFieldError({}, outcome === 'late' ? late : settled);
            return { message: 'paidDone' };
          },
        },
      },
      pages: { transferAccount: accountPage(this.account) },
      words: inEachLanguage((language) => withAccountWords(transferListWords[language], language)),
    };
  }
}
