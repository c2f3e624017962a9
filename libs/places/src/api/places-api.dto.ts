import { defineSchema, objectSchema, pagedAnswer, schemaOf, type JsonSchema, type RouteDescription } from '#http';
import { categories } from '#tenancy';
import { profileTexts } from '../profile/profile-texts.js';
import { toPlaceRecord, PlacesQuery } from './places.dto.js';

const { uuid, text: words, nullableText, boolean } = schemaOf;
const tag = 'Places';

const variations: JsonSchema = objectSchema(Object.fromEntries(['fhd', 'hdr', 'med', 'thumbnail'].map((name) => [name, nullableText])), {
  description: 'Paths on this host and on the host of the place; null without a picture.',
});
const category = {
  enum: Object.keys(categories),
  description: Object.entries(categories)
    .map(([code, { label }]) => `${code} ${label.en}`)
    .join(', '),
};
const properties: Readonly<Record<string, JsonSchema>> = {
  uuid,
  slug: { ...words, description: 'The first label of its first host name.' },
  postal_code: {
    type: ['number', 'string', 'null'],
    description: 'A number when it is one that comes back unchanged.',
  },
  legal_documents: { ...nullableText, description: 'Address of its statutes.' },
  map_img: { ...nullableText, description: 'Path of a picture.' },
  carte_restaurant: { ...nullableText, description: 'Address of the menu of its restaurant.' },
  img_variations: variations,
  logo_variations: variations,
  categorie: category,
};

const id = '0b7e4b4c-6f6a-4a7e-9a53-0d6a5a1f2c11';
const example = toPlaceRecord({
  tenantId: id,
  name: 'The Tin Heron',
  slug: 'the-tin-heron',
  category: 'S',
  shortDescription: 'A music hall by the river.',
  longDescription: '<p>Concerts most weeks.</p>',
  streetAddress: '14 quai des Ferblantiers',
  postalCode: '44200',
  city: 'Nantes',
  country: 'FR',
  phone: '+33 2 61 91 44 20',
  email: 'hello@tin-heron.example',
  website: 'https://tin-heron.example',
  membershipRequired: false,
  membershipButton: true,
  twitter: null,
  facebook: null,
  instagram: 'https://www.instagram.com/tin_heron',
  legalDocuments: null,
  restaurantMenu: null,
  imageId: '6a0f2a5e-2b1d-4c7e-8f3a-2f2f6c1f0a01',
  logoImageId: '6a0f2a5e-2b1d-4c7e-8f3a-2f2f6c1f0a02',
  mapImageId: null,
} as Parameters<typeof toPlaceRecord>[0]);

/** Members that are not listed above have the type of the example. */
const shape = (value: unknown): JsonSchema => (typeof value === 'boolean' ? boolean : typeof value === 'string' ? words : nullableText);
const nullable = new Set(['adress', 'city', 'twitter', 'facebook', 'instagram']);
const place = defineSchema(
  'Place',
  objectSchema(
    Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, properties[name] ?? (nullable.has(name) ? nullableText : shape(value))]),
    ),
  ),
);

const address = { ...schemaOf.url, maxLength: 2000 };
const newPlace = defineSchema('NewPlace', {
  type: 'object',
  properties: {
    organisation: { ...words, minLength: 1, maxLength: profileTexts.name },
    short_description: { ...words, minLength: 1, maxLength: profileTexts.shortDescription },
    long_description: {
      ...words,
      minLength: 1,
      maxLength: profileTexts.longDescription,
      description: 'HTML is cleaned to a small allow-list.',
    },
    phone: { type: ['string', 'integer'] },
    email: { ...words, format: 'email' },
    site_web: address,
    postal_code: { type: ['string', 'integer'] },
    img_url: { ...address, description: 'Fetched by the server.' },
    logo_url: { ...address, description: 'Fetched by the server.' },
    categorie: category,
    adress: { ...nullableText, maxLength: profileTexts.streetAddress },
    city: { ...nullableText, maxLength: profileTexts.city },
  },
  required: [
    'organisation',
    'short_description',
    'long_description',
    'phone',
    'email',
    'site_web',
    'postal_code',
    'img_url',
    'logo_url',
    'categorie',
  ],
  additionalProperties: false,
});
const bodyExample = {
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
};

/** Descriptions of the routes for places. */
export const placesApi = {
  list: {
    tag,
    summary: 'Places of the server, the newest first',
    description: 'On the first Meta. Without Root, Metas and places that are suspended, archived or being deleted.',
    query: PlacesQuery,
    answers: { 200: pagedAnswer('The places', place, example), 304: { description: 'Not changed' } },
    problems: ['route.unknown'],
  },
  get: {
    tag,
    summary: 'One place',
    answers: { 200: { description: 'The place', schema: place, example }, 304: { description: 'Not changed' } },
    problems: ['place.unknown', 'route.unknown'],
  },
  create: {
    tag,
    summary: 'A new place with its pictures, all of it or nothing',
    description:
      'On the first Meta, with a key of that Meta whose owner may create places. The owner becomes the first administrator of the place, which answers on its ' +
      'sub-domain as soon as this answer arrives. `phone` and `postal_code` are numbers or texts.',
    body: { schema: newPlace, example: bodyExample },
    answers: { 201: { description: 'Created', schema: place, example } },
    problems: ['body.invalid', 'place.permission', 'place.exists', 'place.root_exists', 'image.busy', 'route.unknown'],
  },
} as const satisfies Record<string, RouteDescription>;
