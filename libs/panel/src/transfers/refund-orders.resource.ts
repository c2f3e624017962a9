import { TenantDb } from '#tenancy';
import { OrderedRefundsService, RefundOrder } from '#transfers';
import { declareProperties, entityReader, inEachLanguage, PanelResource } from '#panel-kit';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { orderListWords } from './transfers.words.js';

/** Refunds that staff ordered at their bank, with the file for it. */
@PanelResource({ panels: 'tenant', position: 73, modules: 'ticketing' })
export class RefundOrdersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly refunds: OrderedRefundsService,
  ) {}

  entry(): PanelEntry {
    const { db, refunds } = this;
    const declared = declareProperties(
      {
        reference: { isTitle: true, list: true, show: true, filter: true, export: true },
        refunds: { list: true, show: true, filter: false, export: true },
        amount: { list: true, show: true, filter: false, export: true },
        createdAt: { list: true, show: true, filter: true, export: true },
        id: { show: true },
      },
      { entity: RefundOrder, alias: 'refund_order' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'createdAt', direction: 'desc' },
    });
    return {
      source: { id: 'refund-orders', properties: declared.properties, ...reader },
      support: 'closed',
      group: 'sales',
      icon: 'Archive',
      rare: true,
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      actions: {
        download: {
          icon: 'Download',
          variant: 'primary',
          main: true,
          file: {
            open: 'save',
            read: async (id) => {
              const file = await refunds.file(id);
              return file && { ...file, type: 'xml' };
            },
          },
        },
      },
      words: inEachLanguage((language) => orderListWords[language]),
    };
  }
}
