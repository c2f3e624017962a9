import { defineSchema, objectSchema, pagedAnswer, PageQuery, schemaOf, type RouteDescription } from '#http';
import { isUuid, must, mustBeUuid, optionalText, sayTheSame, text } from '#kernel';
import { subscriptionTypes, vatOf, vatRates, type SubscriptionType } from '../values/catalogue-codes.js';
import { amountOf, isAmount } from '../values/price-amounts.js';
import type { Price } from '../entities/price.entity.js';
import type { NewPrice } from '../products/prices.service.js';
import { priceTexts } from '../values/text-limits.js';
import { flagOf, mayBeEmpty, optionalFlag, optionalLongText, optionalWholeOrText, textOf, wholeOf } from './form-values.js';
import { texts } from '../locales/catalogue.texts.js';

const productSentence = texts.localized('legacyPrices.productSentence');

const maximumOnce = sayTheSame('max_per_user', (body) => {
  const { max_per_ser: one, max_per_user: other } = body as LegacyPriceBody;
  return [one, other].map((value) => (typeof value === 'string' || typeof value === 'number' ? wholeOf(value) : null));
});

/** Body of `POST /api/prices/`. */
export class LegacyPriceBody {
  @mustBeUuid(productSentence)
  product!: string;

  @text(1, priceTexts.name)
  name!: string;

  @optionalText(priceTexts.shortDescription)
  short_description?: string | null;

  @optionalLongText()
  long_description?: string | null;

  @must('isAmount', isAmount, texts.localized('legacyPrices.sendAmountFrom099999999'))
  prix!: string | number;

  @mayBeEmpty('isVat', (value) => vatOf(value) !== undefined, texts.localized('legacyPrices.sendNaDxVgHc'))
  vat?: string | number | null;

  @optionalWholeOrText(0)
  stock?: string | number | null;

  /** The spelling of the specification's table for creation. */
  @maximumOnce
  @optionalWholeOrText(1)
  max_per_ser?: string | number | null;

  @maximumOnce
  @optionalWholeOrText(1)
  max_per_user?: string | number | null;

  @mayBeEmpty(
    'isSubscriptionType',
    (value) => typeof value === 'string' && Object.hasOwn(subscriptionTypes, value),
    texts.localized('legacyPrices.sendYYearlyMMonthly'),
  )
  subscription_type?: string | null;

  @mayBeEmpty('isUuid', isUuid, texts.localized('legacyPrices.sendUuidMembershipProduct'))
  adhesion_obligatoire?: string | null;

  @optionalFlag()
  publish?: unknown;
}

export function toNewPrice(body: LegacyPriceBody): NewPrice {
  const published = flagOf(body.publish);
  const maxPerUser = wholeOf(body.max_per_user) ?? wholeOf(body.max_per_ser);
  return {
    productId: body.product,
    name: body.name,
    amount: amountOf(body.prix),
    shortDescription: textOf(body.short_description),
    longDescription: textOf(body.long_description),
    vat: String(body.vat ?? '').trim() || 'NA',
    stock: wholeOf(body.stock),
    maxPerUser,
    subscriptionType: (body.subscription_type || null) as SubscriptionType | null,
    requiredMembershipId: body.adhesion_obligatoire || null,
    ...(published !== undefined && { published }),
  };
}

/** A price as the first API shows it (specification, "Price"). */
export function toLegacyPrice(price: Price): Readonly<Record<string, unknown>> {
  return {
    uuid: price.id,
    product: price.productId,
    name: price.name,
    short_description: price.shortDescription,
    long_description: price.longDescription,
    // Eight digits and two decimals are exact in a double.
    prix: Number(price.amount),
    vat: price.vat,
    stock: price.stock,
    max_per_user: price.maxPerUser,
    subscription_type: price.subscriptionType,
    adhesion_obligatoire: price.requiredMembershipId,
  };
}

const { uuid, text: words, nullableText, boolean } = schemaOf;
const whole = { type: ['integer', 'null'], minimum: 0 };
const vat = {
  ...words,
  description: `${Object.keys(vatRates).join(', ')} or a rate in percent, with a point or a comma.`,
};

export const legacyPrice = defineSchema(
  'LegacyPrice',
  objectSchema({
    uuid,
    product: uuid,
    name: words,
    short_description: nullableText,
    long_description: nullableText,
    prix: { type: 'number', minimum: 0 },
    vat,
    stock: whole,
    max_per_user: whole,
    subscription_type: { enum: ['Y', 'M', null] },
    adhesion_obligatoire: { type: ['string', 'null'], format: 'uuid' },
  }),
);
const newPrice = defineSchema('NewLegacyPrice', {
  type: 'object',
  properties: {
    product: uuid,
    name: { ...words, minLength: 1, maxLength: 200 },
    short_description: nullableText,
    long_description: nullableText,
    prix: { type: ['number', 'string'] },
    vat: { type: ['string', 'number', 'null'], description: vat.description },
    stock: { type: ['integer', 'string', 'null'], description: 'null: no limit; 0: sold out.' },
    max_per_ser: { type: ['integer', 'string', 'null'], description: 'Also spelled max_per_user.' },
    max_per_user: { type: ['integer', 'string', 'null'] },
    subscription_type: { enum: ['Y', 'M', '', null] },
    adhesion_obligatoire: { type: ['string', 'null'], description: 'UUID of a product of kind A.' },
    publish: boolean,
  },
});

export const legacyPriceExample = {
  uuid: '7c5d0c0e-53f1-4a3c-8d0c-3f6f6a8f5a10',
  product: '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e',
  name: 'Full price',
  short_description: null,
  long_description: null,
  prix: 12.5,
  vat: 'NA',
  stock: null,
  max_per_user: 4,
  subscription_type: null,
  adhesion_obligatoire: null,
};
const { product, name, prix } = legacyPriceExample;
const listed = pagedAnswer('The prices', legacyPrice, legacyPriceExample);
const shownToGuests = 'Everybody sees published prices of published products; a key with `product:read` sees all.';

/** Descriptions of the routes for prices. */
export const legacyPricesApi = {
  list: {
    tag: 'First API',
    summary: 'Prices, the newest first',
    description: shownToGuests,
    query: PageQuery,
    answers: { 200: listed },
  },
  createOrList: {
    tag: 'First API',
    summary: 'A new price; without a body, or with an empty object, the list',
    description: `${shownToGuests} Making one needs \`product:write\`.`,
    body: { schema: newPrice, example: { product, name, prix, max_per_ser: 4 }, required: false, files: [] },
    query: PageQuery,
    answers: { 200: listed, 201: { description: 'Made', schema: legacyPrice, example: legacyPriceExample } },
  },
} as const satisfies Record<string, RouteDescription>;
