import { addressTexts, type AddressChange, type NewPostalAddress, type PostalAddress } from '#catalogue';
import {
  currentLanguage,
  isNothing,
  isObject,
  kernelProblem,
  knownName,
  may,
  mayHold,
  mayList,
  must,
  namesDiffer,
  optionalText,
  text,
  whenSent,
} from '#kernel';
import { ApiModel, ApiUnion } from '#http';
import { ApiProperty } from '@nestjs/swagger';
import { Allow, isISO31661Alpha2, ValidateIf } from 'class-validator';
import { asAnswered } from '../shared/answered-members.js';
import { AcceptsFoundAddress, AcceptsNewFoundAddress } from '../as-found/found-event.js';
import { mayBeAnsweredImage, mayBeImages } from '../shared/picture-form.js';
import { texts } from '../locales/semantic-v2.texts.js';

function degrees(most: number): PropertyDecorator {
  const sentence = texts.localized('postalAddressBody.degreesInvalid', { most });
  const described = { type: 'number' as const, minimum: -most, maximum: most };
  return may('isDegrees', (value) => typeof value === 'number' && Math.abs(value) <= most, sentence, described);
}

class GeoBody {
  @degrees(90)
  latitude?: number | null;

  @degrees(180)
  longitude?: number | null;
}

class AddressPropertyBody {
  @knownName(['isMain'])
  name!: string;

  @ApiProperty({ type: Boolean })
  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('postalAddressBody.notBoolean'))
  value?: unknown;
}

const geoSentence = texts.localized('postalAddressBody.geoIncomplete');

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countryCodes = letters.flatMap((one) => letters.map((other) => `${one}${other}`)).filter((code) => isISO31661Alpha2(code));

const isCountry = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= addressTexts.addressCountry && isISO31661Alpha2(value.trim().toUpperCase());
const countrySentence = texts.localized('postalAddressBody.countryInvalid');
const countrySchema = {
  enum: countryCodes,
  description: 'ISO 3166-1 alpha-2; also small letters, alpha-3, the name in a language of the service, or a Country.',
};

const country = must('isCountry', isCountry, countrySentence, countrySchema);
export const optionalCountry = may('isCountry', isCountry, countrySentence, countrySchema);

/** Optional members of schema.org PostalAddress in all bodies; null removes a value. */
export class AddressMembers {
  @optionalText(addressTexts.name)
  name?: string | null;

  @optionalText(addressTexts.addressRegion)
  addressRegion?: string | null;

  // A change may contain one coordinate only, if the other is stored.
  @may(
    'isGeo',
    (value, body) =>
      body instanceof AddressChangeBody || !isObject(value) || isNothing(value['latitude']) === isNothing(value['longitude']),
    geoSentence,
  )
  @mayHold(GeoBody)
  geo?: GeoBody | null;

  @ApiProperty({ description: '`[{"name": "isMain", "value": true}]` makes it the main address.' })
  @mayList(AddressPropertyBody, namesDiffer, texts.localized('postalAddressBody.propertiesInvalid'))
  additionalProperty?: AddressPropertyBody[] | null;
}

const example = { streetAddress: '14 quai des Ferblantiers', addressLocality: 'Nantes', postalCode: '44200', addressCountry: 'FR' };

/** Body of `POST /api/v2/postal-addresses/`. */
@AcceptsNewFoundAddress()
@ApiModel('NewPostalAddress', { example })
export class NewAddressBody extends AddressMembers {
  @mayBeImages()
  image?: string[] | null;

  @text(1, addressTexts.streetAddress)
  streetAddress!: string;

  @text(1, addressTexts.addressLocality)
  addressLocality!: string;

  @optionalText(addressTexts.postalCode)
  postalCode?: string | null;

  @country
  addressCountry!: string;
}

/** Body of `PATCH /api/v2/postal-addresses/{id}/`, a JSON merge patch (RFC 7396): absent members do not change. */
@AcceptsFoundAddress()
@ApiModel('PostalAddressChange', { example: { name: 'Small Hall' } })
export class AddressChangeBody extends AddressMembers {
  @ApiProperty({ type: 'integer', required: false, description: asAnswered })
  @Allow()
  identifier?: unknown;

  /** null removes the pictures; a list must be the answered one. */
  @mayBeAnsweredImage()
  image?: string[] | null;

  @whenSent()
  @text(1, addressTexts.streetAddress)
  streetAddress?: string;

  @whenSent()
  @text(1, addressTexts.addressLocality)
  addressLocality?: string;

  @optionalText(addressTexts.postalCode)
  postalCode?: string | null;

  @whenSent()
  @country
  addressCountry?: string;
}

@ApiModel('PostalAddressId')
export class PostalAddressIdBody {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  readonly postalAddressId!: number;
}

/** Schema of `LinkAddressBody` in the API document. */
@ApiUnion('LinkedPostalAddress', [PostalAddressIdBody, NewAddressBody], { example: { postalAddressId: 1 } })
export class LinkedAddressModel {}

const unlessLinked = ValidateIf((body: LinkAddressBody) => body.postalAddressId === undefined);

/** Body of `POST /api/v2/events/{id}/link-address/`: an existing address, or a new one. */
@AcceptsNewFoundAddress()
export class LinkAddressBody extends AddressMembers {
  @mayBeImages()
  image?: string[] | null;

  @whenSent()
  @must(
    'isAlone',
    (_, body) => Object.keys(body).every((name) => name === 'postalAddressId' || name.startsWith('@')),
    texts.localized('postalAddressBody.idOrNewAddress'),
  )
  @must(
    'isIdentifier',
    (value) => Number.isSafeInteger(value) && (value as number) > 0,
    texts.localized('postalAddressBody.identifierInvalid'),
  )
  postalAddressId?: number;

  @unlessLinked
  @text(1, addressTexts.streetAddress)
  streetAddress?: string;

  @unlessLinked
  @text(1, addressTexts.addressLocality)
  addressLocality?: string;

  @optionalText(addressTexts.postalCode)
  postalCode?: string | null;

  @unlessLinked
  @country
  addressCountry?: string;
}

type AddressBody = AddressMembers &
  Pick<AddressChangeBody, 'image' | 'streetAddress' | 'addressLocality' | 'postalCode' | 'addressCountry'>;

/** Maps an address body except its coordinates. */
export function toAddressChange(body: AddressBody): AddressChange {
  const { additionalProperty: properties } = body;
  const change: { [Name in keyof AddressChange]: AddressChange[Name] | undefined } = {
    name: textOf(body.name),
    streetAddress: body.streetAddress,
    addressLocality: body.addressLocality,
    addressRegion: textOf(body.addressRegion),
    postalCode: textOf(body.postalCode),
    addressCountry: body.addressCountry,
    // A list replaces all properties; without `isMain` the address is not the main one.
    isMain: properties === undefined ? undefined : properties?.find(({ name }) => name === 'isMain')?.value === true,
  };
  const pictures = body.image === null ? { picture: null, sticker: null } : {};
  return { ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)), ...pictures };
}

/**
 * Merges the coordinates of a body with the stored ones.
 * @throws Problem 400 when only latitude or only longitude would be set
 */
export function toGeo({ geo }: AddressMembers, current?: PostalAddress): AddressChange {
  if (geo === undefined) return {};
  const { latitude = current?.latitude ?? null, longitude = current?.longitude ?? null } = geo ?? {
    latitude: null,
    longitude: null,
  };
  if ((latitude === null) !== (longitude === null)) {
    const fault = { pointer: '/geo', code: 'isGeo', detail: geoSentence[currentLanguage()] };
    throw kernelProblem('body.invalid', { errors: [fault] });
  }
  return { latitude, longitude };
}

/** @param body a validated body */
export function toNewAddress(body: AddressBody): NewPostalAddress {
  return { ...toAddressChange(body), ...toGeo(body) } as NewPostalAddress;
}

function textOf(text: string | null | undefined): string | null | undefined {
  return text === undefined ? undefined : text?.trim() || null;
}
