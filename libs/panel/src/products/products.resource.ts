import { Price, Product, productCategories, saleableCategories, ImagesService, ProductsService, QuestionsService } from '#catalogue';
import type { NewProduct, ProductChange } from '#catalogue';
import { foldedColumnSql } from '#kernel';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  searchProperty,
  entityReader,
  euros,
  newHref,
  recordHref,
  related,
  relatedProperty,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { pictureAction, pictureProperty, shownPicture } from '../forms/picture.action.js';
import { words } from './products.words.js';
import { questionItems, questionsAction } from '../questions/questions.action.js';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

/** A tenant without ticketing must choose another category: the error belongs to that field. */
const aboutKind = { 'tenant.module': 'category' };

const notPublished = texts.localized('products.notPublished');
const addPrice = texts.localized('products.addPrice');

async function pricesOf(db: TenantDb, productId: string): Promise<PanelValue> {
  const prices = await db.transaction((tx) => tx.find(Price, { where: { productId }, order: { name: 'ASC', id: 'ASC' }, take: 200 }));
  const { language } = currentPanelRequest();
  const items = prices.map(({ id, name, amount, published }) => ({
    title: name,
    href: recordHref('prices', id),
    details: euros(amount, language),
    ...(!published && { badge: { text: notPublished[language], tone: 'quiet' as const } }),
  }));
  return related(items, { href: newHref('prices', { productId }), label: addPrice[language] });
}

/** The tenant's products. */
@PanelResource({ panels: 'tenant', position: 100, modules: ['membership', 'ticketing'] })
export class ProductsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly products: ProductsService,
    private readonly questions: QuestionsService,
    private readonly images: ImagesService,
  ) {}

  entry(): PanelEntry {
    const { db, products, questions, images } = this;
    const declared = declareProperties(
      {
        name: { isTitle: true, list: true, form: true, filter: true, export: true },
        category: {
          availableValues: Object.keys(productCategories),
          offeredValues: saleableCategories,
          list: true,
          show: true,
          form: true,
          filter: true,
          export: true,
        },
        pricesCount: {
          type: 'number',
          list: true,
          export: true,
          filter: false,
          sql: '(select count(*)::int from price where price.product_id = product.id)',
        },
        published: { initial: true, list: true, show: true, form: true, filter: true, export: true },
        sendToCashless: { initial: false, help: 'sendToCashlessHelp', show: 9, form: 7, export: true },
        autoRenewal: { initial: false, help: 'autoRenewalHelp', show: true, form: true, export: true, filter: false },
        imageId: { filter: false },
        picture: { ...pictureProperty, show: true },
        shortDescription: { show: true, form: true, export: true, filter: false },
        longDescription: { type: 'textarea', show: true, form: true },
        termsAndConditions: { type: 'textarea', show: true, form: true },
        createdAt: { show: true, export: true },
        prices: { ...relatedProperty('prices'), show: 3 },
        questions: { ...relatedProperty('questions'), show: 4 },
        id: { show: true, export: true },
        search: { ...searchProperty, filter: 1 },
      },
      { entity: Product, alias: 'product' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      where: 'product.builtIn is null',
      searched: { own: [foldedColumnSql('product.name')], ids: ['product.id'] },
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'products',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        const asked = (await products.find(id))?.questions ?? [];
        const { language } = currentPanelRequest();
        return {
          ...row,
          prices: await pricesOf(db, id),
          questions: questionItems(id, asked, words[language].actions?.['questions'] ?? ''),
          picture: shownPicture(row['imageId'] as string | null),
        };
      },
      create: async (values) => {
        const { id, name } = await refusable(() => products.create(values as unknown as NewProduct), aboutKind);
        return { id, name };
      },
      update: async (id, values) =>
        (await refusable(() => products.update(id, values as ProductChange), aboutKind)) ? source.findOne(id) : null,
    };
    return {
      source,
      group: 'programme',
      icon: 'ShoppingBag',
      ...declared.places,
      actions: {
        questions: questionsAction(products, questions),
        picture: pictureAction(
          images,
          async (id) => (await products.find(id))?.imageId,
          (id, image) => products.update(id, { image }),
        ),
      },
      sort: { by: 'name', direction: 'asc' },
      hit: { details: ['category'], state: 'published' },
      words: inEachLanguage((language) => ({ ...words[language], values: { category: labels(productCategories, language) } })),
    };
  }
}
