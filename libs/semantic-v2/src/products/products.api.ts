import { eventSchemaTypes, productCategories, vatRates } from '#catalogue';
import { defineSchema, objectSchema, schemaOf, type JsonSchema, type RouteDescription } from '#http';
import { nullable } from '../shared/schemas.js';
import { formField, newFormFields } from './form-fields.api.js';

const { uuid, text, url, boolean } = schemaOf;
const vat = { ...text, description: `${Object.keys(vatRates).join(', ')} or a rate in percent.` };
const labels = [...new Set(Object.values(productCategories).flatMap((label) => Object.values(label)))];
const quantity = (member: string, minimum: number): JsonSchema =>
  objectSchema({ '@type': { const: 'QuantitativeValue' }, [member]: { type: 'integer', minimum } });
const reference = {
  anyOf: [uuid, { type: 'object', properties: { identifier: uuid, name: text }, required: ['identifier'] }],
};
const relatedEvents = { anyOf: [reference, { type: 'array', items: reference, maxItems: 100 }] };

const offer = objectSchema(
  {
    '@type': { const: 'Offer' },
    identifier: uuid,
    name: text,
    price: { ...text, pattern: '^\\d+\\.\\d{2}$' },
    priceCurrency: { const: 'EUR' },
    freePrice: { ...boolean, description: 'The buyer chooses the amount; price is the least.' },
    vat,
    inventoryLevel: quantity('value', 0),
    eligibleQuantity: quantity('maxValue', 1),
    subscriptionType: { enum: ['Y', 'M'] },
    membershipRequiredProduct: uuid,
    published: { ...boolean, description: 'Whether it is sold.' },
  },
  { optional: ['inventoryLevel', 'eligibleQuantity', 'subscriptionType', 'membershipRequiredProduct'] },
);
const event = objectSchema({ '@type': { enum: [...new Set(Object.values(eventSchemaTypes))] }, identifier: uuid, name: text });
const product = defineSchema(
  'Product',
  objectSchema(
    {
      '@context': { const: 'https://schema.org' },
      '@type': { const: 'Product' },
      identifier: uuid,
      sku: uuid,
      name: text,
      description: text,
      category: { enum: labels, description: 'In the language of the answer.' },
      image: url,
      isRelatedTo: { type: 'array', items: event, description: 'Events that it is sold for.' },
      published: { ...boolean, description: 'Whether it is sold.' },
      offers: { type: 'array', items: offer },
      formFields: { type: 'array', items: formField, description: 'Questions that buyers are asked, in order.' },
    },
    { optional: ['description', 'image', 'isRelatedTo', 'formFields'] },
  ),
);

const newOffer: JsonSchema = {
  type: 'object',
  properties: {
    name: { ...text, minLength: 1, maxLength: 200 },
    price: { type: ['string', 'number'], description: 'At most two decimals.' },
    priceCurrency: nullable({ const: 'EUR' }),
    freePrice: nullable({
      ...boolean,
      default: false,
      description: 'The buyer chooses the amount; price is the least.',
    }),
    vat: nullable({ type: ['string', 'number'], default: 'NA', description: vat.description }),
    inventoryLevel: nullable({ type: 'object', properties: { value: nullable({ type: 'integer', minimum: 0 }) } }),
    stock: nullable({
      type: 'integer',
      minimum: 0,
      description: 'Another spelling; sent beside it, it must be the same.',
    }),
    eligibleQuantity: nullable({ type: 'object', properties: { maxValue: nullable({ type: 'integer', minimum: 1 }) } }),
    maxPerUser: nullable({
      type: 'integer',
      minimum: 1,
      description: 'Another spelling; sent beside it, it must be the same.',
    }),
    subscriptionType: nullable({ enum: ['Y', 'M'] }),
    membershipRequiredProduct: nullable(reference),
    published: nullable({ ...boolean, default: true }),
    additionalProperty: nullable({
      type: 'array',
      items: { type: 'object', properties: { name: text, value: {} }, required: ['name'] },
      description: 'subscriptionType and membershipRequiredProduct may stand here, too.',
    }),
  },
  required: ['name', 'price'],
};
const formFieldsProperty = nullable({
  type: 'array',
  items: { type: 'object', properties: { name: text, value: {} }, required: ['name'] },
  maxItems: 50,
  description: 'formFields may stand here.',
});
const productChange = defineSchema('ProductChange', {
  type: 'object',
  properties: {
    name: { ...text, minLength: 1, maxLength: 200 },
    description: nullable({ ...text, maxLength: 100_000 }),
    category: text,
    published: nullable({ ...boolean, default: true }),
    isRelatedTo: nullable({ ...relatedEvents, description: 'Only these events sell it.' }),
    formFields: newFormFields,
    additionalProperty: formFieldsProperty,
  },
});
const newProduct = defineSchema('NewProduct', {
  type: 'object',
  properties: {
    name: { ...text, minLength: 1, maxLength: 200 },
    description: nullable({ ...text, maxLength: 100_000, description: 'HTML is cleaned to a small allow-list.' }),
    category: { ...text, description: `A label, or a code: ${Object.keys(productCategories).join(', ')}; also Free booking, Membership.` },
    offers: nullable({ type: 'array', items: newOffer, maxItems: 50 }),
    isRelatedTo: nullable({ ...relatedEvents, description: 'Events.' }),
    published: nullable({ ...boolean, default: true }),
    formFields: newFormFields,
    additionalProperty: formFieldsProperty,
  },
  required: ['name', 'category'],
});

const id = '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e';
const example = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  identifier: id,
  sku: id,
  name: 'Evening ticket',
  category: 'Ticket',
  published: true,
  offers: [
    {
      '@type': 'Offer',
      identifier: '7c5d0c0e-53f1-4a3c-8d0c-3f6f6a8f5a10',
      name: 'Full price',
      price: '12.50',
      priceCurrency: 'EUR',
      freePrice: false,
      vat: 'NA',
      published: true,
    },
  ],
  formFields: [
    {
      identifier: '5e0f5f6e-0f7b-4b57-9a53-8a3c1d0c7e61',
      name: 'phone',
      label: 'Phone',
      fieldType: 'shortText',
      required: true,
      order: 1,
      askedPer: 'reservation',
    },
  ],
};
const validators = { ETag: 'Send it back in If-None-Match to look, in If-Match to change.' };
const minimal = { description: 'Done; no body, as `Prefer: return=minimal` asked' };
const notChanged = { description: 'Not changed since the `ETag` of If-None-Match' };
const tag = 'Products';

/** What `link-product` takes. */
export const linkedProducts: JsonSchema = {
  type: 'object',
  properties: {
    product: reference,
    products: { type: 'array', items: reference, minItems: 1, maxItems: 100 },
    productId: {
      ...reference,
      description: 'Another spelling of product. Of several members all must name the same products.',
    },
    productIds: {
      type: 'array',
      items: reference,
      minItems: 1,
      maxItems: 100,
      description: 'Another spelling of products.',
    },
  },
};

const productId = { id: { description: 'UUID of the product.', schema: text, example: id } };

/** Described routes of products. */
export const productsApi = {
  list: {
    tag,
    summary: 'All products, the newest first',
    answers: {
      200: {
        description: 'The products',
        schema: objectSchema({ results: { type: 'array', items: product } }),
        example: { results: [example] },
        headers: validators,
      },
      304: notChanged,
    },
  },
  create: {
    tag,
    summary: 'A new product with its offers, sold for events',
    description: 'All of it or nothing. A free booking without a free offer gets one.',
    body: { schema: newProduct, example: { name: 'Evening ticket', category: 'Ticket', offers: [{ name: 'Full price', price: '12.50' }] } },
    answers: {
      201: {
        description: 'Made; without a body when `Prefer: return=minimal` asked',
        schema: product,
        example,
        headers: { ...validators, Location: 'Its address.' },
      },
    },
    problems: ['body.invalid', 'product.exists'],
  },
  get: {
    tag,
    summary: 'One product',
    parameters: productId,
    answers: { 200: { description: 'The product', schema: product, example, headers: validators }, 304: notChanged },
    problems: ['product.unknown'],
  },
  change: {
    tag,
    summary: 'Change a product (JSON merge patch)',
    description: 'What is absent stays, null removes. Offers have addresses of their own.',
    parameters: productId,
    body: { schema: productChange, example: { published: false } },
    answers: { 200: { description: 'The product as it is now', schema: product, example, headers: validators }, 204: minimal },
    problems: ['body.invalid', 'product.unknown', 'product.exists', 'precondition.failed'],
  },
  remove: {
    tag,
    summary: 'Delete a product that nobody bought, with its offers',
    parameters: productId,
    answers: { 204: { description: 'Deleted' } },
    problems: ['product.unknown', 'product.sold', 'product.required', 'precondition.failed'],
  },
} as const satisfies Record<string, RouteDescription>;

const ofProduct = { productId: productId.id };
const offerId = { ...ofProduct, id: { description: 'UUID of the offer.', schema: text, example: example.offers[0]?.identifier } };
const oneOffer = { schema: offer, example: example.offers[0], headers: validators };
const offerChange: JsonSchema = { type: 'object', properties: newOffer['properties'] };

/** Described routes of the offers of a product. */
export const offersApi = {
  list: {
    tag,
    summary: 'The offers of a product, the oldest first',
    parameters: ofProduct,
    answers: {
      200: {
        description: 'The offers',
        schema: objectSchema({ results: { type: 'array', items: offer } }),
        example: { results: example.offers },
        headers: validators,
      },
      304: notChanged,
    },
    problems: ['product.unknown'],
  },
  create: {
    tag,
    summary: 'A new offer of a product',
    parameters: ofProduct,
    body: { schema: newOffer, example: { name: 'Full price', price: '12.50' } },
    answers: {
      201: {
        ...oneOffer,
        description: 'Made; without a body when `Prefer: return=minimal` asked',
        headers: { ...validators, Location: 'Its address.' },
      },
    },
    problems: ['body.invalid', 'product.unknown'],
  },
  get: {
    tag,
    summary: 'One offer',
    parameters: offerId,
    answers: { 200: { ...oneOffer, description: 'The offer' }, 304: notChanged },
    problems: ['product.unknown', 'product.offer_unknown'],
  },
  change: {
    tag,
    summary: 'Change an offer (JSON merge patch)',
    description: 'What is absent stays, null removes. Sold tickets keep what they cost.',
    parameters: offerId,
    body: { schema: offerChange, example: { price: '15.00' } },
    answers: { 200: { ...oneOffer, description: 'The offer as it is now' }, 204: minimal },
    problems: ['body.invalid', 'product.unknown', 'product.offer_unknown', 'precondition.failed'],
  },
  remove: {
    tag,
    summary: 'Delete an offer at which nothing was sold',
    parameters: offerId,
    answers: { 204: { description: 'Deleted' } },
    problems: ['product.unknown', 'product.offer_unknown', 'product.offer_sold', 'product.last_free_offer', 'precondition.failed'],
  },
} as const satisfies Record<string, RouteDescription>;
