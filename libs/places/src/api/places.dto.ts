import { imagePath, imageVariations, variantNames } from '#catalogue';
import { ApiModel, PageQuery } from '#http';
import { ApiProperty } from '@nestjs/swagger';
import { isAtMost, isEmail, may, must, optionalText, text, webAddress } from '#kernel';
import { isCategory, type CategoryCode } from '#tenancy';
import type { NewPlace } from '../creation/place-creation.service.js';
import type { Place } from '../directory/place.entity.js';
import { category, codes, type PictureVariations, type PlaceRecord } from './place-record.dto.js';
import { isPhoneNumber, profileTexts } from '../profile/profile-texts.js';
import { texts } from '../locales/places.texts.js';

const oneOf = texts.localized('places.oneOf', { codes: codes.join(', ') });
const isCode = (value: unknown): boolean => typeof value === 'string' && isCategory(value);

/** Query of `GET /api/place/`. */
export class PlacesQuery extends PageQuery {
  @ApiProperty({ type: String, enum: codes, description: 'Only places of this category.' })
  @may('isCategory', isCode, oneOf)
  categorie?: string;
}

/** Reads a text, or a whole number that JSON represents exactly. */
const wordOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' ? value.trim() : undefined;
};
const isPhone = (value: unknown): boolean => {
  const phone = wordOf(value);
  return phone !== undefined && phone.length <= profileTexts.phone && isPhoneNumber(phone);
};
const isPostalCode = (value: unknown): boolean => {
  const code = wordOf(value);
  return code !== undefined && isAtMost(code, profileTexts.postalCode) && /^[\p{L}\p{N}][\p{L}\p{N} .-]*$/u.test(code);
};

/** Body of `POST /api/place/`. */
@ApiModel('NewPlace', {
  example: {
    organisation: 'The Tin Heron',
    short_description: 'A music hall by the river.',
    long_description: '<p>Concerts most weeks.</p>',
    phone: '+33 2 61 91 44 20',
    email: 'hello@tin-heron.example',
    site_web: 'https://tin-heron.example',
    postal_code: '44200',
    img_url: 'https://tin-heron.example/hall.jpg',
    logo_url: 'https://tin-heron.example/logo.png',
    categorie: 'S',
    adress: '14 quai des Ferblantiers',
    city: 'Nantes',
  },
})
export class PlaceBody {
  @text(1, profileTexts.name)
  organisation!: string;

  @text(1, profileTexts.shortDescription)
  short_description!: string;

  @ApiProperty({ description: 'HTML is cleaned to a small allow-list.' })
  @text(1, profileTexts.longDescription)
  long_description!: string;

  @must('isPhone', isPhone, texts.localized('places.phoneInvalid', { phone: profileTexts.phone }))
  @ApiProperty({
    anyOf: [
      { type: 'string', maxLength: profileTexts.phone },
      { type: 'integer', minimum: 0 },
    ],
  })
  phone!: number | string;

  @must('isEmail', (value) => typeof value === 'string' && isEmail(value.trim()), texts.localized('places.emailInvalid'))
  @ApiProperty({ type: String, format: 'email' })
  email!: string;

  @webAddress()
  site_web!: string;

  @must('isPostalCode', isPostalCode, texts.localized('places.postalCodeInvalid', { postalCode: profileTexts.postalCode }))
  @ApiProperty({
    anyOf: [
      { type: 'string', maxLength: profileTexts.postalCode },
      { type: 'integer', minimum: 0 },
    ],
  })
  postal_code!: number | string;

  @ApiProperty({ description: 'Fetched by the server.' })
  @webAddress()
  img_url!: string;

  @ApiProperty({ description: 'Fetched by the server.' })
  @webAddress()
  logo_url!: string;

  @must('isCategory', isCode, oneOf, category)
  categorie!: string;

  @optionalText(profileTexts.streetAddress)
  adress?: string | null;

  @optionalText(profileTexts.city)
  city?: string | null;
}

/** Maps a validated body to a new place. */
export function toNewPlace(body: PlaceBody): NewPlace {
  return {
    name: body.organisation,
    category: body.categorie as CategoryCode,
    shortDescription: body.short_description,
    longDescription: body.long_description,
    phone: wordOf(body.phone) ?? '',
    email: body.email,
    website: body.site_web,
    postalCode: wordOf(body.postal_code) ?? '',
    streetAddress: body.adress ?? null,
    city: body.city ?? null,
    imageUrl: body.img_url,
    logoUrl: body.logo_url,
  };
}

/** Members of the body by the field names of the service. */
const fields: Readonly<Record<string, string>> = {
  name: 'organisation',
  category: 'categorie',
  shortDescription: 'short_description',
  longDescription: 'long_description',
  website: 'site_web',
  postalCode: 'postal_code',
  streetAddress: 'adress',
  imageUrl: 'img_url',
  logoUrl: 'logo_url',
};

/** JSON pointer in the body for a service's field; undefined: `/field`. */
export function placePointers(field: string): string | undefined {
  return fields[field] && `/${fields[field]}`;
}

/** The record of a place (specification, "Tenant / place"). Paths of pictures are valid on the host of the place and on the first Meta. */
export function toPlaceRecord(place: Place): PlaceRecord {
  return {
    uuid: place.tenantId,
    organisation: place.name,
    slug: place.slug,
    short_description: place.shortDescription ?? '',
    long_description: place.longDescription ?? '',
    adress: place.streetAddress,
    postal_code: toPostalCode(place.postalCode),
    city: place.city,
    phone: place.phone ?? '',
    email: place.email ?? '',
    site_web: place.website ?? '',
    legal_documents: place.legalDocuments,
    twitter: place.twitter,
    facebook: place.facebook,
    instagram: place.instagram,
    adhesion_obligatoire: place.membershipRequired,
    button_adhesion: place.membershipButton,
    map_img: place.mapImageId && picturePath(place, imagePath(place.mapImageId, 'fhd')),
    carte_restaurant: place.restaurantMenu,
    img_variations: variations(place, place.imageId),
    logo_variations: variations(place, place.logoImageId),
    categorie: place.category,
  };
}

/** A number if its decimal text is the same, so `01000` stays a text. */
function toPostalCode(code: string | null): number | string | null {
  if (!code) return null;
  const number = Number(code);
  return Number.isSafeInteger(number) && String(number) === code ? number : code;
}

function variations(place: Place, id: string | null): PictureVariations {
  const paths = id ? imageVariations(id) : undefined;
  const variants = variantNames.map((name) => [name, paths ? picturePath(place, paths[name]) : null]);
  return Object.fromEntries(variants);
}

function picturePath({ tenantId }: Place, path: string): string {
  return path.replace('/images/', `/images/${tenantId}/`);
}
