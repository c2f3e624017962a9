import {
  subscriptionTypes,
  vatOf,
  vatRates,
  type SubscriptionType,
  amountOf,
  amountPattern,
  isAmount,
  type Price,
  type NewPrice,
  priceTexts,
} from '#catalogue';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { isUuid, must, mustBeUuid, optionalText, sayTheSame, text, uuidPattern } from '#kernel';
import { flagOf, mayBeEmpty, optionalFlag, optionalLongText, optionalWholeOrText, textOf, wholeOf } from './form-values.js';
import { texts } from '../locales/legacy-api.texts.js';

const productSentence = texts.localized('legacyPrices.productInvalid');

const id = '7c5d0c0e-53f1-4a3c-8d0c-3f6f6a8f5a10';
const productId = '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e';
const vatDescription = `${Object.keys(vatRates).join(', ')} or a rate in percent, with a point or a comma.`;
const subscriptions = Object.keys(subscriptionTypes);

const maximumOnce = sayTheSame('max_per_user', (body) => {
  const { max_per_ser: one, max_per_user: other } = body as LegacyPriceBody;
  return [one, other].map((value) => (typeof value === 'string' || typeof value === 'number' ? wholeOf(value) : null));
});

/** Body of `POST /api/prices/`. */
@ApiModel('NewLegacyPrice', { example: { product: productId, name: 'Full price', prix: 12.5, max_per_ser: 4 } })
export class LegacyPriceBody {
  @mustBeUuid(productSentence)
  product!: string;

  @text(1, priceTexts.name)
  name!: string;

  @optionalText(priceTexts.shortDescription)
  short_description?: string | null;

  @optionalLongText()
  long_description?: string | null;

  @must('isAmount', isAmount, texts.localized('legacyPrices.amountInvalid'))
  @ApiProperty({
    anyOf: [
      { type: 'number', minimum: 0, maximum: 99_999_999.99 },
      { type: 'string', pattern: amountPattern },
    ],
  })
  prix!: string | number;

  @mayBeEmpty('isVat', (value) => vatOf(value) !== undefined, texts.localized('legacyPrices.vatInvalid'))
  @ApiProperty({ anyOf: [{ type: 'string' }, { type: 'number' }], description: vatDescription })
  vat?: string | number | null;

  @ApiProperty({ description: 'null: no limit; 0: sold out.' })
  @optionalWholeOrText(0)
  stock?: string | number | null;

  @ApiProperty({ description: 'Also spelled max_per_user.' })
  @maximumOnce
  @optionalWholeOrText(1)
  max_per_ser?: string | number | null;

  @maximumOnce
  @optionalWholeOrText(1)
  max_per_user?: string | number | null;

  @mayBeEmpty(
    'isSubscriptionType',
    (value) => typeof value === 'string' && Object.hasOwn(subscriptionTypes, value),
    texts.localized('legacyPrices.subscriptionTypeInvalid'),
  )
  @ApiProperty({ enum: [...subscriptions, ''] })
  subscription_type?: string | null;

  @mayBeEmpty('isUuid', isUuid, texts.localized('legacyPrices.membershipInvalid'))
  @ApiProperty({ type: String, pattern: `^(${uuidPattern})?$`, description: 'UUID of a product of kind A.' })
  adhesion_obligatoire?: string | null;

  @optionalFlag()
  publish?: unknown;
}

/** Maps a validated body to a new price. */
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

const example: LegacyPrice = {
  uuid: id,
  product: productId,
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

@ApiModel('LegacyPrice', { example })
export class LegacyPrice {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.uuid)
  readonly product!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.nullableText)
  readonly short_description!: string | null;

  @ApiProperty(formats.nullableText)
  readonly long_description!: string | null;

  @ApiProperty({ type: 'number', minimum: 0 })
  readonly prix!: number;

  @ApiProperty({ ...formats.text, description: vatDescription })
  readonly vat!: string;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  readonly stock!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  readonly max_per_user!: number | null;

  @ApiProperty({ enum: subscriptions, nullable: true })
  readonly subscription_type!: SubscriptionType | null;

  @ApiProperty({ ...formats.uuid, nullable: true })
  readonly adhesion_obligatoire!: string | null;
}

/** A price as the first API shows it (specification, "Price"). */
export function toLegacyPrice(price: Price): LegacyPrice {
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
