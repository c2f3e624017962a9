import { productCategories, type ProductCategory, type NewWholeProduct, type WholeProduct, productTexts } from '#catalogue';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { must, optionalText, text } from '#kernel';
import { flagOf, optionalFlag, optionalLongText, textOf } from './form-values.js';
import { LegacyPrice, toLegacyPrice } from './legacy-prices.dto.js';
import { texts } from '../locales/legacy-api.texts.js';

const codes = Object.keys(productCategories);

const category = {
  enum: codes,
  description: Object.entries(productCategories)
    .map(([code, { en }]) => `${code} ${en}`)
    .join(', '),
};

/** Body of `POST /api/products/`. */
@ApiModel('NewLegacyProduct', { example: { name: 'Ticket', categorie_article: 'B' } })
export class LegacyProductBody {
  @text(1, productTexts.name)
  name!: string;

  @must(
    'isCategory',
    (value) => codes.includes(value as string),
    texts.localized('legacyProducts.categoryInvalid', { codes: codes.join(', ') }),
  )
  @ApiProperty(category)
  categorie_article!: string;

  @optionalText(productTexts.shortDescription)
  short_description?: string | null;

  @ApiProperty({ description: 'HTML is cleaned to a small allow-list.' })
  @optionalLongText()
  long_description?: string | null;

  @optionalLongText()
  terms_and_conditions_document?: string | null;

  @ApiProperty({ default: true })
  @optionalFlag()
  publish?: unknown;

  @ApiProperty({ default: false, description: 'Of memberships (kind A) only, and of one of a place at most.' })
  @optionalFlag()
  send_to_cashless?: unknown;

  @ApiProperty({ description: 'An http or https address, fetched unless a file came as img. Empty: no picture.' })
  @optionalText(2000)
  img_url?: string | null;
}

/** Maps a validated body to a new product with its prices. */
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

const example: LegacyProduct = {
  uuid: '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e',
  name: 'Ticket',
  short_description: null,
  long_description: null,
  terms_and_conditions_document: null,
  publish: true,
  img: null,
  categorie_article: 'B',
  send_to_cashless: false,
  prices: [],
};

@ApiModel('LegacyProduct', { example })
export class LegacyProduct {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.nullableText)
  readonly short_description!: string | null;

  @ApiProperty(formats.nullableText)
  readonly long_description!: string | null;

  @ApiProperty(formats.nullableText)
  readonly terms_and_conditions_document!: string | null;

  @ApiProperty(formats.boolean)
  readonly publish!: boolean;

  @ApiProperty({ ...formats.url, nullable: true })
  readonly img!: string | null;

  @ApiProperty(category)
  readonly categorie_article!: ProductCategory;

  @ApiProperty(formats.boolean)
  readonly send_to_cashless!: boolean;

  @ApiProperty({ type: [LegacyPrice] })
  readonly prices!: readonly LegacyPrice[];
}

/**
 * A product as the first API shows it (specification, "Product").
 * @param img absolute URL of its image
 */
export function toLegacyProduct(product: WholeProduct, img: string | null): LegacyProduct {
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
