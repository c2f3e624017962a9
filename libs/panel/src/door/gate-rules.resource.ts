import { GateRule, GatesService } from '#scan';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import { entityReader, PanelResource, declareProperties } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

/** What may pass a gate. A rule is created and deleted, never changed. */
@PanelResource({ panels: 'tenant', position: 24, modules: 'scanning' })
export class GateRulesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly gates: GatesService,
  ) {}

  entry(): PanelEntry {
    const { db, gates } = this;
    const declared = declareProperties(
      {
        id: {},
        title: {
          isTitle: true,
          sort: false,
          filter: false,
          sql: `(select concat(gate.name, ' · ', coalesce(product.name, price.name))
            from gate left join product on product.id = rule.product_id left join price on price.id = rule.price_id
            where gate.id = rule.gate_id)`,
        },
        gateId: { reference: 'gates', sort: false, list: true, show: true, form: true, filter: true },
        productId: { reference: 'products', sort: false, help: 'productHelp', list: true, show: true, form: true, filter: true },
        priceId: { reference: 'prices', sort: false, help: 'priceHelp', list: true, show: true, form: true, filter: true },
      },
      { entity: GateRule, alias: 'rule' },
    );
    const source: PanelSource = {
      id: 'gate-rules',
      properties: declared.properties,
      ...entityReader({ ...declared.reading, open: (work) => db.transaction(work), sort: { by: 'id', direction: 'asc' } }),
      create: async ({ gateId, productId, priceId }) => {
        const rule = { gateId: String(gateId ?? ''), productId: idOf(productId), priceId: idOf(priceId) };
        return refusable(() => gates.allow(rule));
      },
      remove: (id) => gates.disallow(id),
    };
    return {
      source,
      group: 'operations',
      icon: 'Filter',
      rare: true,
      ...declared.places,
      words: texts.perLanguage('gateRules', ({ words }) => words),
    };
  }
}

const idOf = (value: PanelValue | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);
