import { foldedColumnSql } from '#kernel';
import { TaxReceiptDocumentsService } from '#notices';
import { TaxReceipt } from '#selling';
import { TenantDb } from '#tenancy';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { declareProperties, entityReader, PanelResource, searchProperty } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

const words = texts.perLanguage('taxReceipts', ({ words: own }) => own);

/** The series of tax receipts for donations. Nothing in it changes. */
@PanelResource({ panels: 'tenant', position: 72, modules: 'ticketing' })
export class TaxReceiptsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly documents: TaxReceiptDocumentsService,
  ) {}

  entry(): PanelEntry {
    const { db, documents } = this;
    const declared = declareProperties(
      {
        number: { isTitle: true, list: true, export: true },
        donorName: { list: true, show: true, export: true, filter: false },
        donorAddress: { show: true, export: true, filter: false, sort: false },
        amount: { list: true, show: true, export: true, filter: false },
        paidAt: { list: true, show: true, export: true },
        issuedAt: { list: true, show: true, filter: true, export: true },
        endedAt: { list: true, show: true, export: true },
        id: { show: true, export: true },
        search: { ...searchProperty, filter: 1 },
      },
      { entity: TaxReceipt, alias: 'receipt' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      searched: { own: [foldedColumnSql('receipt.donor_name'), 'receipt.number::text'], ids: ['receipt.id'] },
      sort: { by: 'number', direction: 'desc' },
    });
    return {
      source: { id: 'tax-receipts', properties: declared.properties, ...reader },
      group: 'sales',
      icon: 'FileText',
      rare: true,
      ...declared.places,
      sort: { by: 'number', direction: 'desc' },
      actions: {
        pdf: {
          icon: 'Download',
          visible: ({ donorName }) => donorName !== null && donorName !== '',
          file: { open: 'save', read: (id) => documents.read(id) },
        },
      },
      hit: { details: ['donorName', 'amount'], at: 'issuedAt' },
      words,
    };
  }
}
