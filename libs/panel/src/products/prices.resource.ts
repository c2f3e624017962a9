import { Price, subscriptionTypes, vatRates, Prices } from '#catalogue';
import type { Language } from '#kernel';
import type { NewPrice } from '#catalogue';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { entityReader, inBoth, labels, PanelResource } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
const form = [
  'productId',
  'name',
  'amount',
  'freeAmount',
  'vat',
  'stock',
  'maxPerUser',
  'subscriptionType',
  'requiredMembershipId',
  'published',
  'shortDescription',
  'longDescription',
] as const;

/** At what price products are sold. */
@PanelResource({ panels: 'tenant', position: 110, modules: ['membership', 'ticketing'] })
export class PricesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly prices: Prices,
  ) {}

  entry(): PanelEntry {
    const { db, prices } = this;
    const source: PanelSource = {
      id: 'prices',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        { name: 'productId', type: 'reference', reference: 'products', required: true },
        { name: 'name', type: 'string', isTitle: true, required: true },
        { name: 'amount', type: 'decimal', required: true },
        { name: 'freeAmount', type: 'boolean', initial: false, help: 'freeAmountHelp' },
        {
          name: 'vat',
          type: 'string',
          required: true,
          initial: 'NA',
          suggestedValues: Object.keys(vatRates),
          components: { edit: 'SuggestedEdit', show: 'SuggestedShow' },
        },
        { name: 'stock', type: 'number', help: 'stockHelp' },
        { name: 'maxPerUser', type: 'number', help: 'maxPerUserHelp' },
        { name: 'subscriptionType', type: 'string', availableValues: Object.keys(subscriptionTypes) },
        { name: 'requiredMembershipId', type: 'reference', reference: 'products', help: 'requiredMembershipHelp' },
        { name: 'published', type: 'boolean', initial: true },
        { name: 'shortDescription', type: 'string', filterable: false },
        { name: 'longDescription', type: 'textarea' },
        { name: 'createdAt', type: 'datetime', editable: false },
      ],
      ...entityReader({
        open: (work) => db.transaction(work),
        entity: Price,
        alias: 'price',
        where: 'product.builtIn is null',
        joins: (query) =>
          query.innerJoin('price.product', 'product').leftJoin('price.requiredMembership', 'membership'),
        columns: {
          id: 'price.id',
          ...Object.fromEntries([...form, 'createdAt'].map((name) => [name, `price.${name}`])),
          product: 'product.name',
          requiredMembership: 'membership.name',
        },
        sort: { by: 'name', direction: 'asc' },
      }),
      create: async (values) => {
        const { id, name } = await refusable(() => prices.create(values as unknown as NewPrice));
        return { id, name };
      },
      update: async (id, values) =>
        (await refusable(() => prices.update(id, values as Partial<NewPrice>))) ? source.findOne(id) : null,
    };
    return {
      source,
      group: 'programme',
      icon: 'Tag',
      list: ['name', 'productId', 'amount', 'stock', 'published'],
      show: [...form.filter((name) => name !== 'name'), 'createdAt', 'id'],
      edit: form,
      filter: ['name', 'productId', 'amount', 'published'],
      sort: { by: 'name', direction: 'asc' },
      exports: [
        { name: 'name', type: 'text' },
        { name: 'product', type: 'text' },
        { name: 'amount', type: 'money' },
        { name: 'freeAmount', type: 'word' },
        { name: 'vat', type: 'text' },
        { name: 'stock', type: 'number' },
        { name: 'maxPerUser', type: 'number' },
        { name: 'subscriptionType', type: 'word' },
        { name: 'requiredMembership', type: 'text' },
        { name: 'published', type: 'word' },
        { name: 'shortDescription', type: 'text' },
        { name: 'createdAt', type: 'datetime' },
        { name: 'id', type: 'text' },
      ],
      words: inBoth((language) => ({
        ...words[language],
        values: { subscriptionType: labels(subscriptionTypes, language), vat: vatLabels(language) },
      })),
    };
  }
}

/** A rate of VAT in words, codes with their rate. */
function vatLabels(language: Language): Record<string, string> {
  const decimal = (rate: string): string => (language === 'fr' ? rate.replace('.', ',') : rate);
  const rates = Object.entries(vatRates).map(([code, rate]): [string, string] => [
    code,
    `${decimal(rate)}\u00a0% (${code})`,
  ]);
  return { ...Object.fromEntries(rates), ...vatWords[language] };
}

const vatWords = {
  en: { NA: 'None', other: 'Another rate', otherLabel: 'Rate in percent' },
  fr: { NA: 'Aucune', other: 'Un autre taux', otherLabel: 'Taux en pour cent' },
};

const words = {
  en: {
    plural: 'Prices',
    singular: 'Price',
    properties: {
      productId: 'Product',
      product: 'Product',
      name: 'Name',
      amount: 'Amount (€)',
      freeAmount: 'Free price',
      vat: 'VAT',
      stock: 'Stock',
      maxPerUser: 'Per person, at most',
      subscriptionType: 'Subscription',
      requiredMembershipId: 'Membership required',
      requiredMembership: 'Membership required',
      published: 'Published',
      shortDescription: 'Short description',
      longDescription: 'Description',
      createdAt: 'Created',
      id: 'Identifier',
    },
    actions: { new: 'New price' },
    messages: {
      freeAmountHelp: 'The buyer chooses what to pay; the amount above is the least.',
      stockHelp: 'Empty: no limit. 0: sold out.',
      maxPerUserHelp: 'Empty: no limit.',
      requiredMembershipHelp: 'Only members buy at this price.',
    },
  },
  fr: {
    plural: 'Tarifs',
    singular: 'Tarif',
    properties: {
      productId: 'Produit',
      product: 'Produit',
      name: 'Nom',
      amount: 'Montant (€)',
      freeAmount: 'Prix libre',
      vat: 'TVA',
      stock: 'Stock',
      maxPerUser: 'Par personne, au plus',
      subscriptionType: 'Abonnement',
      requiredMembershipId: 'Adhésion obligatoire',
      requiredMembership: 'Adhésion obligatoire',
      published: 'Publié',
      shortDescription: 'Description courte',
      longDescription: 'Description',
      createdAt: 'Créé',
      id: 'Identifiant',
    },
    actions: { new: 'Nouveau tarif' },
    messages: {
      freeAmountHelp: 'La personne choisit ce qu’elle paie ; le montant ci-dessus est le minimum.',
      stockHelp: 'Vide : sans limite. 0 : épuisé.',
      maxPerUserHelp: 'Vide : sans limite.',
      requiredMembershipHelp: 'Réservé aux personnes qui ont cette adhésion.',
    },
  },
};
