import { eventSchemaTypes, imagePath, productCategories, type Price, type WholeProduct } from '#catalogue';
import { present, type Language } from '#kernel';
import { toFormField } from './form-fields.dto.js';

type SchemaOrg = Readonly<Record<string, unknown>>;

/**
 * A product as schema.org Product, its prices as offers.
 * @param language of the category's label
 * @param addressOf the full address of a path on the tenant's host
 */
export function toSchemaOrgProduct(product: WholeProduct, language: Language, addressOf: (path: string) => string): SchemaOrg {
  const { image, events } = product;
  return present({
    '@context': 'https://schema.org',
    '@type': 'Product',
    identifier: product.id,
    sku: product.id,
    name: product.name,
    description: product.longDescription ?? product.shortDescription,
    category: productCategories[product.category][language],
    image: image && addressOf(imagePath(image.id, 'fhd', image.kind)),
    isRelatedTo:
      events.length > 0
        ? events.map(({ id, name, category }) => ({ '@type': eventSchemaTypes[category], identifier: id, name }))
        : undefined,
    published: product.published,
    offers: product.prices.map(toOffer),
    formFields: product.questions.length > 0 ? product.questions.map(toFormField) : undefined,
  });
}

/** A price as schema.org Offer. With `freePrice` the price is the least that a buyer may choose. */
export function toOffer(price: Price): SchemaOrg {
  const { stock, maxPerUser } = price;
  return present({
    '@type': 'Offer',
    identifier: price.id,
    name: price.name,
    price: price.amount,
    priceCurrency: 'EUR',
    freePrice: price.freeAmount,
    vat: price.vat,
    inventoryLevel: stock === null ? undefined : { '@type': 'QuantitativeValue', value: stock },
    eligibleQuantity: maxPerUser === null ? undefined : { '@type': 'QuantitativeValue', maxValue: maxPerUser },
    subscriptionType: price.subscriptionType,
    membershipRequiredProduct: price.requiredMembershipId,
    published: price.published,
  });
}
