import { defineSchema, objectSchema, pagedAnswer, PageQuery, schemaOf, type RouteDescription } from '#http';
import { must, optionalText, text } from '#kernel';
import { productCategories, type ProductCategory } from '../values/catalogue-codes.js';
import type { NewWholeProduct } from '../products/products.service.js';
import type { WholeProduct } from '../products/whole-product.js';
import { productTexts } from '../values/text-limits.js';
import { flagOf, optionalFlag, optionalLongText, textOf } from './form-values.js';
import { legacyPrice, legacyPriceExample, toLegacyPrice } from './legacy-prices.dto.js';
import { texts } from '../locales/catalogue.texts.js';

const codes = Object.keys(productCategories);

/** Body of `POST /api/products/`. */
export class LegacyProductBody {
  @text(1, productTexts.name)
  name!: string;

  @must('isCategory', (value) => codes.includes(value as string), texts.localized('legacyProducts.sendOne', { codes: codes.join(', ') }))
  categorie_article!: string;

  @optionalText(productTexts.shortDescription)
  short_description?: string | null;

  @optionalLongText()
  long_description?: string | null;

  @optionalLongText()
  terms_and_conditions_document?: string | null;

  @optionalFlag()
  publish?: unknown;

  @optionalFlag()
  send_to_cashless?: unknown;

  /** URL from which the server downloads the image, unless a file was sent. */
  @optionalText(2000)
  img_url?: string | null;
}

export function toNewProduct(body: LegacyProductBody): NewWholeProduct {
  const published = flagOf(body.publish);
  return {
    name: body.name,
    category: body.categorie_article as ProductCategory,
    shortDescription: textOf(body.short_description),
    longDescription: textOf(body.long_description),
    termsAndConditions: textOf(body.terms_and_conditions_document),
    sendToCashless: flagOf(body.send_to_cashless) ?? false,
    ...(published !== undefined && { published }),
  };
}

/**
 * A product as the first API shows it (specification, "Product").
 * @param img absolute URL of its image
 */
export function toLegacyProduct(product: WholeProduct, img: string | null): Readonly<Record<string, unknown>> {
  return {
    uuid: product.id,
    name: product.name,
    short_description: product.shortDescription,
    long_description: product.longDescription,
    terms_and_conditions_document: product.termsAndConditions,
    publish: product.published,
    img,
    categorie_article: product.category,
    send_to_cashless: product.sendToCashless,
    prices: product.prices.map(toLegacyPrice),
  };
}

const { uuid, text: words, nullableText, boolean, url } = schemaOf;
const category = {
  enum: codes,
  description: Object.entries(productCategories)
    .map(([code, { en }]) => `${code} ${en}`)
    .join(', '),
};

const product = defineSchema(
  'LegacyProduct',
  objectSchema({
    uuid,
    name: words,
    short_description: nullableText,
    long_description: nullableText,
    terms_and_conditions_document: nullableText,
    publish: boolean,
    img: { type: ['string', 'null'], format: 'uri' },
    categorie_article: category,
    send_to_cashless: boolean,
    prices: { type: 'array', items: legacyPrice },
  }),
);
const flag = { type: ['boolean', 'string'] };
const newProduct = defineSchema('NewLegacyProduct', {
  type: 'object',
  properties: {
    name: { ...words, minLength: 1, maxLength: 200 },
    categorie_article: category,
    short_description: nullableText,
    long_description: { ...nullableText, description: 'HTML is cleaned to a small allow-list.' },
    terms_and_conditions_document: nullableText,
    publish: { ...flag, default: true },
    send_to_cashless: {
      ...flag,
      default: false,
      description: 'Of memberships (kind A) only, and of one of a place at most.',
    },
    img_url: { ...url, description: 'Fetched, unless a file came as img.' },
  },
  required: ['name', 'categorie_article'],
});
const example = {
  uuid: legacyPriceExample.product,
  name: 'Ticket',
  short_description: null,
  long_description: null,
  terms_and_conditions_document: null,
  publish: true,
  img: null,
  categorie_article: 'B',
  send_to_cashless: false,
  prices: [legacyPriceExample],
};

/** Descriptions of the routes for products. */
export const legacyProductsApi = {
  list: {
    tag: 'First API',
    summary: 'Products with their prices, the newest first',
    description: 'Everybody sees what is published; a key with `product:read` sees all.',
    query: PageQuery,
    answers: { 200: pagedAnswer('The products', product, example) },
  },
  create: {
    tag: 'First API',
    summary: 'A new product, maybe with a picture',
    body: { schema: newProduct, example: { name: 'Ticket', categorie_article: 'B' }, files: ['img'] },
    answers: { 201: { description: 'Made', schema: product, example: { ...example, prices: [] } } },
    problems: ['product.exists', 'product.cashless_taken', 'image.busy'],
  },
} as const satisfies Record<string, RouteDescription>;
