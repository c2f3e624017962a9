import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { eventSchemaTypes, eventTypes, imagePath, productCategories, subscriptionTypes, vatRates } from '#catalogue';
import type { Price, SubscriptionType, WholeProduct } from '#catalogue';
import { ApiModel, Constant, formats } from '#http';
import { currency, isoInZone, type Language, present } from '#kernel';
import { currentTenant } from '#tenancy';
import { FormField, toFormField } from './form-fields.dto.js';

const labels = [...new Set(Object.values(productCategories).flatMap((label): string[] => Object.values(label)))];
const id = '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e';

class Inventory {
  @Constant('QuantitativeValue')
  readonly '@type'!: 'QuantitativeValue';

  @ApiProperty(formats.count)
  readonly value!: number;
}

class Quantity {
  @Constant('QuantitativeValue')
  readonly '@type'!: 'QuantitativeValue';

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly maxValue!: number;
}

export const offerExample: OfferAnswer = {
  '@type': 'Offer',
  identifier: '7c5d0c0e-53f1-4a3c-8d0c-3f6f6a8f5a10',
  name: 'Full price',
  price: '12.50',
  priceCurrency: currency,
  freePrice: false,
  vat: 'NA',
  published: true,
  hidden: false,
};

/** A price as schema.org Offer. */
@ApiModel('Offer', { example: offerExample })
export class OfferAnswer {
  @Constant('Offer')
  readonly '@type'!: 'Offer';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty({ ...formats.text, pattern: '^\\d+\\.\\d{2}$' })
  readonly price!: string;

  @Constant(currency)
  readonly priceCurrency!: typeof currency;

  @ApiProperty({ ...formats.boolean, description: 'The buyer chooses the amount; price is the least.' })
  readonly freePrice!: boolean;

  @ApiProperty({ ...formats.text, description: `${Object.keys(vatRates).join(', ')} or a rate in percent.` })
  readonly vat!: string;

  @ApiPropertyOptional({ type: Inventory })
  readonly inventoryLevel?: Inventory;

  @ApiPropertyOptional({ type: Quantity })
  readonly eligibleQuantity?: Quantity;

  @ApiPropertyOptional({ enum: Object.keys(subscriptionTypes) })
  readonly subscriptionType?: SubscriptionType;

  @ApiPropertyOptional(formats.uuid)
  readonly membershipRequiredProduct?: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'Buyers can choose it from then on.' })
  readonly availabilityStarts?: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'End of the sale.' })
  readonly availabilityEnds?: string;

  @ApiProperty({ ...formats.boolean, description: 'Whether it is sold.' })
  readonly published!: boolean;

  @ApiProperty({ ...formats.boolean, description: 'Only a code that names it, or its product, opens it to buyers.' })
  readonly hidden!: boolean;
}

export class OfferList {
  @ApiProperty({ type: [OfferAnswer] })
  readonly results!: readonly OfferAnswer[];
}

class RelatedEvent {
  @ApiProperty({ enum: eventTypes })
  readonly '@type'!: string;

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;
}

const example: ProductAnswer = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  identifier: id,
  sku: id,
  name: 'Evening ticket',
  category: 'Ticket',
  published: true,
  offers: [offerExample],
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

/** A product as schema.org Product. */
@ApiModel('Product', { example })
export class ProductAnswer {
  @Constant('https://schema.org')
  readonly '@context'!: 'https://schema.org';

  @Constant('Product')
  readonly '@type'!: 'Product';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.uuid)
  readonly sku!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiPropertyOptional(formats.text)
  readonly description?: string;

  @ApiProperty({ enum: labels, description: 'In the language of the answer.' })
  readonly category!: string;

  @ApiPropertyOptional(formats.url)
  readonly image?: string;

  @ApiPropertyOptional({ type: [RelatedEvent], description: 'Events that it is sold for.' })
  readonly isRelatedTo?: readonly RelatedEvent[];

  @ApiProperty({ ...formats.boolean, description: 'Whether it is sold.' })
  readonly published!: boolean;

  @ApiProperty({ type: [OfferAnswer] })
  readonly offers!: readonly OfferAnswer[];

  @ApiPropertyOptional({ type: [FormField], description: 'Questions that buyers are asked, in order.' })
  readonly formFields?: readonly FormField[];
}

export class ProductList {
  @ApiProperty({ type: [ProductAnswer] })
  readonly results!: readonly ProductAnswer[];
}

/**
 * Renders a product as schema.org Product, with its prices as offers.
 * @param language language of the category's label
 * @param addressOf returns the absolute URL of a path on the tenant's host
 */
export function toSchemaOrgProduct(product: WholeProduct, language: Language, addressOf: (path: string) => string): ProductAnswer {
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

/** Renders a price as schema.org Offer. With `freePrice`, `price` is the minimum that a buyer may choose. */
export function toOffer(price: Price): OfferAnswer {
  const { stock, maxPerUser, salesFrom, salesUntil } = price;
  const { timeZone } = currentTenant();
  return present({
    '@type': 'Offer',
    identifier: price.id,
    name: price.name,
    price: price.amount,
    priceCurrency: currency,
    freePrice: price.freeAmount,
    vat: price.vat,
    inventoryLevel: stock === null ? undefined : ({ '@type': 'QuantitativeValue', value: stock } as const),
    eligibleQuantity: maxPerUser === null ? undefined : ({ '@type': 'QuantitativeValue', maxValue: maxPerUser } as const),
    subscriptionType: price.subscriptionType,
    membershipRequiredProduct: price.requiredMembershipId,
    availabilityStarts: salesFrom === null ? undefined : isoInZone(salesFrom, timeZone),
    availabilityEnds: salesUntil === null ? undefined : isoInZone(salesUntil, timeZone),
    published: price.published,
    hidden: price.hidden,
  });
}
