import {
  entryRules,
  PostalAddressesService,
  Price,
  PricesService,
  ProductCopiesService,
  subscriptionTypes,
  vatChoices,
  vatRates,
} from '#catalogue';
import { localeOf, type Language } from '#kernel';
import type { NewPrice, PriceChange } from '#catalogue';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { entityReader, inEachLanguage, labels, PanelResource, declareProperties } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { sharedWords, splitAction } from './split.action.js';
import { texts } from '../locales/panel.texts.js';

/** The prices of products. */
@PanelResource({ panels: 'tenant', position: 110, modules: ['membership', 'ticketing'] })
export class PricesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly prices: PricesService,
    private readonly addresses: PostalAddressesService,
    private readonly copies: ProductCopiesService,
  ) {}

  entry(): PanelEntry {
    const { db, prices, addresses, copies } = this;
    const declared = declareProperties(
      {
        sharedBy: { type: 'mixed', components: { show: 'Warning', edit: 'Warning' }, show: true, form: true },
        productId: { reference: 'products', list: true, show: true, form: true, filter: true },
        name: { isTitle: true, list: 1, form: true, filter: 1, export: true },
        amount: { list: true, show: true, form: true, filter: true, export: true },
        freeAmount: { initial: false, help: 'freeAmountHelp', show: true, form: true, export: true },
        suggestedAmounts: { required: false, help: 'suggestedAmountsHelp', show: true, form: true, filter: false },
        usualAmount: { required: false, help: 'usualAmountHelp', show: true, form: true, filter: false },
        vat: {
          initial: 'NA',
          suggest: async () => vatChoices(await addresses.country()),
          components: { edit: 'SuggestedEdit', show: 'SuggestedShow' },
          required: true,
          show: true,
          form: true,
          export: true,
        },
        stock: { help: 'stockHelp', list: true, show: true, form: true, export: true },
        maxPerUser: { help: 'maxPerUserHelp', show: true, form: true, export: true },
        subscriptionType: { availableValues: Object.keys(subscriptionTypes), show: true, form: true, export: true },
        requiredMembershipId: { reference: 'products', help: 'requiredMembershipHelp', show: true, form: true },
        salesFrom: { help: 'salesFromHelp', show: true, form: true, export: true, filter: false },
        salesUntil: { help: 'salesUntilHelp', show: true, form: true, export: true, filter: false },
        wholeSeries: { initial: false, help: 'wholeSeriesHelp', show: true, form: true, export: true, filter: false },
        passDates: { help: 'passDatesHelp', show: true, form: true, export: true, filter: false },
        hidden: { initial: false, help: 'hiddenHelp', show: true, form: true, filter: true, export: true },
        entryRule: { availableValues: entryRules, initial: 'once', help: 'entryRuleHelp', show: true, form: true, filter: false },
        published: { initial: true, list: true, show: true, form: true, filter: true, export: true },
        doorNote: { help: 'doorNoteHelp', show: true, form: true, export: true, filter: false },
        shortDescription: { show: true, form: true, export: true, filter: false },
        longDescription: { type: 'textarea', show: true, form: true },
        createdAt: { show: true, export: true },
        sharedByMany: {
          hidden: true,
          sql: `(product.category in ('B', 'F')
            and (select count(*) > 1 from event_product where event_product.product_id = price.product_id))`,
        },
        product: { hidden: true, export: 2, sql: 'product.name' },
        requiredMembership: { hidden: true, export: 9, sql: 'membership.name' },
        id: { show: true, export: true },
      },
      { entity: Price, alias: 'price' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      where: 'product.builtIn is null',
      joins: (query) => query.innerJoin('price.product', 'product').leftJoin('price.requiredMembership', 'membership'),
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'prices',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && { ...row, sharedBy: await sharedWords(db, id) };
      },
      create: async (values) => {
        const { id, name } = await refusable(() => prices.create(toChange(values) as NewPrice));
        return { id, name };
      },
      update: async (id, values) => ((await refusable(() => prices.update(id, toChange(values)))) ? source.findOne(id) : null),
    };
    return {
      source,
      group: 'programme',
      icon: 'Tag',
      ...declared.places,
      actions: { split: splitAction(db, copies) },
      sort: { by: 'name', direction: 'asc' },
      words: inEachLanguage((language) => ({
        ...words[language],
        values: {
          ...words[language].values,
          subscriptionType: labels(subscriptionTypes, language),
          vat: vatLabels(language),
        },
      })),
    };
  }
}

/** Converts the form's values to the service's input. */
function toChange(row: PanelRow): PriceChange {
  const { salesFrom, salesUntil, sharedBy: _, ...rest } = row;
  return {
    ...rest,
    ...(salesFrom !== undefined && { salesFrom: typeof salesFrom === 'string' ? new Date(salesFrom) : null }),
    ...(salesUntil !== undefined && { salesUntil: typeof salesUntil === 'string' ? new Date(salesUntil) : null }),
  };
}

/** The label of a stored value of VAT: its rate. */
export function vatLabel(value: string, language: Language): string {
  return vatLabels(language)[value] ?? percent(value, language);
}

const percent = (rate: string, language: Language): string =>
  `${new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 2 }).format(rate as `${number}`)}\u00a0%`;

/** Labels of VAT codes with their rates. */
function vatLabels(language: Language): Record<string, string> {
  const rates = Object.entries(vatRates).map(([code, rate]): [string, string] => [code, percent(rate, language)]);
  return { ...Object.fromEntries(rates), ...vatWords[language] };
}

const vatWords = texts.perLanguage('prices.vat', ({ words }) => words);

const words = texts.perLanguage('prices.words', ({ words }) => words);
