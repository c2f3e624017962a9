import { Price, Product, productCategories, saleableCategories, Images, Products, QuestionsService } from '#catalogue';
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
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import { pictureAction, pictureProperty, shownPicture } from '../forms/picture.action.js';
import { words } from './products.words.js';
import { questionItems, questionsAction } from '../questions/questions.action.js';
import { refusable } from '../forms/refusals.js';
/** A place that sells no tickets chooses another kind. */
const aboutKind = { 'tenant.module': 'category' };

const notPublished = { en: 'Not published', fr: 'Non publié' };
const addPrice = { en: 'Add a price', fr: 'Ajouter un tarif' };

async function pricesOf(db: TenantDb, productId: string): Promise<PanelValue> {
  const prices = await db.transaction((tx) =>
    tx.find(Price, { where: { productId }, order: { name: 'ASC', id: 'ASC' }, take: 200 }),
  );
  const { language } = currentPanelRequest();
  const items = prices.map(({ id, name, amount, published }) => ({
    title: name,
    href: recordHref('prices', id),
    details: euros(amount, language),
    ...(!published && { badge: { text: notPublished[language], tone: 'quiet' as const } }),
  }));
  return related(items, { href: newHref('prices', { productId }), label: addPrice[language] });
}

/** What is sold, with its prices. */
@PanelResource({ panels: 'tenant', position: 100, modules: ['membership', 'ticketing'] })
export class ProductsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly products: Products,
    private readonly questions: QuestionsService,
    private readonly images: Images,
  ) {}

  entry(): PanelEntry {
    const { db, products, questions, images } = this;
    const reader = entityReader({
      open: (work) => db.transaction(work),
      entity: Product,
      alias: 'product',
      where: 'product.builtIn is null',
      columns: {
        id: 'product.id',
        name: 'product.name',
        category: 'product.category',
        pricesCount: '(select count(*)::int from price where price.product_id = product.id)',
        published: 'product.published',
        shortDescription: 'product.shortDescription',
        longDescription: 'product.longDescription',
        termsAndConditions: 'product.termsAndConditions',
        sendToCashless: 'product.sendToCashless',
        imageId: 'product.imageId',
        createdAt: 'product.createdAt',
      },
      searched: { own: [foldedColumnSql('product.name')], ids: ['product.id'] },
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'products',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        searchProperty,
        { name: 'name', type: 'string', isTitle: true, required: true },
        {
          name: 'category',
          type: 'string',
          required: true,
          availableValues: Object.keys(productCategories),
          offeredValues: saleableCategories,
        },
        { name: 'pricesCount', type: 'number', editable: false, filterable: false },
        { name: 'published', type: 'boolean', initial: true },
        { name: 'shortDescription', type: 'string', filterable: false },
        { name: 'longDescription', type: 'textarea' },
        { name: 'termsAndConditions', type: 'textarea' },
        { name: 'sendToCashless', type: 'boolean', initial: false, help: 'sendToCashlessHelp' },
        { name: 'imageId', type: 'uuid', editable: false, filterable: false },
        pictureProperty,
        { name: 'createdAt', type: 'datetime', editable: false },
        relatedProperty('prices'),
        relatedProperty('questions'),
      ],
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
      list: ['name', 'category', 'pricesCount', 'published'],
      show: [
        'category',
        'published',
        'prices',
        'questions',
        'picture',
        'shortDescription',
        'longDescription',
        'termsAndConditions',
        'sendToCashless',
        'createdAt',
        'id',
      ],
      edit: [
        'name',
        'category',
        'published',
        'shortDescription',
        'longDescription',
        'termsAndConditions',
        'sendToCashless',
      ],
      actions: {
        questions: questionsAction(products, questions),
        picture: pictureAction(
          images,
          async (id) => (await products.find(id))?.imageId,
          (id, image) => products.update(id, { image }),
        ),
      },
      filter: ['search', 'name', 'category', 'published'],
      sort: { by: 'name', direction: 'asc' },
      exports: [
        { name: 'name', type: 'text' },
        { name: 'category', type: 'word' },
        { name: 'pricesCount', type: 'number' },
        { name: 'published', type: 'word' },
        { name: 'sendToCashless', type: 'word' },
        { name: 'shortDescription', type: 'text' },
        { name: 'createdAt', type: 'datetime' },
        { name: 'id', type: 'text' },
      ],
      hit: { details: ['category'], state: 'published' },
      words: inBoth((language) => ({ ...words[language], values: { category: labels(productCategories, language) } })),
    };
  }
}
