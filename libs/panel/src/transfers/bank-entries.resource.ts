import { TenantDb } from '#tenancy';
import {
  BankEntriesService,
  BankEntry,
  BankTransfersService,
  entryFindings,
  entryStates,
  OrderedRefundsService,
  StatementUploadsService,
  TransferAccountService,
} from '#transfers';
import { declareProperties, entityReader, inEachLanguage, labels, PanelResource } from '#panel-kit';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { entryActions } from './bank-entries.actions.js';
import { accountPage, refundsPage, uploadPage } from './transfer-pages.js';
import { entryWords } from './transfers.words.js';

const tones = { open: 'bad', matched: 'good', ignored: 'quiet', refund_due: 'bad', refund_ordered: 'waiting', refunded: 'info' } as const;

/** What staff see first: entries that nobody settled. */
const urgency = `case bank_entry.state when 'open' then 0 when 'refund_due' then 1 when 'refund_ordered' then 2 else 3 end`;

/** Some banks name nobody: then the day stands for the entry. */
const payer = `coalesce(nullif(bank_entry.name, ''), to_char(bank_entry.booked_on, 'YYYY-MM-DD'))`;

/** The entries of bank statements, with what they pay. */
@PanelResource({ panels: 'tenant', position: 72, modules: 'ticketing' })
export class BankEntriesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly entries: BankEntriesService,
    private readonly transfers: BankTransfersService,
    private readonly uploads: StatementUploadsService,
    private readonly accounts: TransferAccountService,
    private readonly refunds: OrderedRefundsService,
  ) {}

  entry(): PanelEntry {
    const { db, entries, transfers, uploads, accounts, refunds } = this;
    const declared = declareProperties(
      {
        urgency: { type: 'number', sql: urgency, hidden: true, filter: false },
        bookedOn: { list: true, show: true, filter: true, export: true },
        name: { type: 'string', isTitle: true, sql: payer, list: true, show: true, filter: true, export: true },
        amount: { list: true, show: true, export: true },
        currency: { show: true, export: true },
        state: { availableValues: Object.keys(entryStates), tones, list: true, show: true, filter: true, export: true },
        finding: { availableValues: Object.keys(entryFindings), list: true, show: true, filter: true, export: true },
        reference: {
          type: 'string',
          sql: `coalesce((select string_agg(transfer.reference, ', ') from bank_share share
            join bank_transfer transfer on transfer.order_id = share.order_id
            where share.entry_id = bank_entry.id), (select reference from bank_transfer where order_id = bank_entry.suggested_order_id))`,
          sort: false,
          list: true,
          show: true,
          filter: false,
          export: true,
        },
        text: { list: true, show: true, filter: true, export: true },
        iban: { show: true, export: true },
        bic: { show: true, export: true },
        excess: { show: true, export: true },
        refundReference: { show: true, export: true },
        note: { show: true, export: true },
        settledAt: { show: true, export: true },
        account: { show: true, export: true },
        suggestedOrderId: { hidden: true, filter: false },
        createdAt: { show: true, export: true },
        id: { show: true },
      },
      { entity: BankEntry, alias: 'bank_entry' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'urgency', direction: 'asc' },
    });
    const reading = { findOne: reader.findOne, openOrders: () => transfers.open() };
    return {
      source: { id: 'bank-entries', properties: declared.properties, ...reader },
      // They are what the bank tells of the account.
      support: 'closed',
      group: 'sales',
      icon: 'FileText',
      rare: true,
      ...declared.places,
      sort: { by: 'urgency', direction: 'asc' },
      actions: entryActions(entries, reading),
      pages: { upload: uploadPage(uploads), orderRefunds: refundsPage(refunds), transferAccount: accountPage(accounts) },
      words: inEachLanguage((language) => ({
        ...entryWords[language],
        values: { state: labels(entryStates, language), finding: labels(entryFindings, language) },
      })),
    };
  }
}
