import { defineSchema, objectSchema, schemaOf, type JsonSchema, type RouteDescription } from '#http';
import { pictureFields } from '../shared/picture-form.js';
import {
  answeredMembers,
  input,
  listOf,
  minimal,
  noImage,
  notChanged,
  nullable,
  properties,
  shown,
  validators,
} from '../shared/schemas.js';

const { text, url } = schemaOf;

export const addressMembers = {
  name: { ...text, maxLength: 200 },
  streetAddress: { ...text, maxLength: 300 },
  addressLocality: { ...text, maxLength: 200 },
  addressRegion: { ...text, maxLength: 200 },
  postalCode: { ...text, maxLength: 20 },
  addressCountry: { ...text, pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
} as const;
export const latitude = { type: 'number', minimum: -90, maximum: 90 };
export const longitude = { type: 'number', minimum: -180, maximum: 180 };

const addressInput: Record<string, JsonSchema> = {
  ...addressMembers,
  geo: nullable({ type: 'object', properties: { latitude, longitude } }),
  additionalProperty: nullable({
    type: 'array',
    items: { type: 'object', properties: { name: { const: 'isMain' }, value: { type: ['boolean', 'null'] } }, required: ['name'] },
    description: '`[{"name": "isMain", "value": true}]` makes it the main address.',
  }),
};
const addressRequired = ['streetAddress', 'addressLocality', 'postalCode', 'addressCountry'];
export const newAddress = input('NewPostalAddress', { ...addressInput, ...noImage }, addressRequired);
const addressChange = input('PostalAddressChange', { ...addressInput, ...answeredMembers({ type: 'integer' }) });

export const address = defineSchema(
  'PostalAddress',
  objectSchema(
    {
      '@type': { const: 'PostalAddress' },
      '@id': { ...text, description: 'Its path.' },
      identifier: { type: 'integer', minimum: 1 },
      ...addressMembers,
      image: { type: 'array', items: url },
      geo: objectSchema({ '@type': { const: 'GeoCoordinates' }, latitude, longitude }),
      additionalProperty: properties(['isMain'], { const: true }),
    },
    { optional: ['name', 'addressRegion', 'image', 'geo', 'additionalProperty'] },
  ),
);

export const addressExample = {
  '@type': 'PostalAddress',
  '@id': '/api/v2/postal-addresses/1/',
  identifier: 1,
  name: 'Main Hall',
  streetAddress: '14 quai des Ferblantiers',
  addressLocality: 'Nantes',
  postalCode: '44200',
  addressCountry: 'FR',
  geo: { '@type': 'GeoCoordinates', latitude: 47.2046, longitude: -1.5461 },
};
const newAddressExample = {
  streetAddress: addressExample.streetAddress,
  addressLocality: addressExample.addressLocality,
  postalCode: addressExample.postalCode,
  addressCountry: addressExample.addressCountry,
};
const invalid = ['body.invalid'];
const addresses = 'Postal addresses';
const id = { id: { description: 'Identifier of the address.', schema: { type: 'integer' }, example: 1 } };

/** Described routes of postal addresses. */
export const addressesApi = {
  list: {
    tag: addresses,
    summary: 'All postal addresses',
    answers: {
      200: {
        description: 'The addresses',
        schema: listOf(address),
        example: { results: [addressExample] },
        headers: { ETag: validators.ETag },
      },
      304: notChanged,
    },
  },
  create: {
    tag: addresses,
    summary: 'A new postal address',
    body: { schema: newAddress, example: newAddressExample, files: pictureFields },
    answers: {
      201: {
        ...shown(address, addressExample, 'Made; without a body when `Prefer: return=minimal` asked'),
        headers: { ...validators, Location: 'Its address.' },
      },
    },
    problems: invalid,
  },
  get: {
    tag: addresses,
    summary: 'One postal address',
    parameters: id,
    answers: { 200: shown(address, addressExample, 'The address'), 304: notChanged },
    problems: ['postal_address.unknown'],
  },
  change: {
    tag: addresses,
    summary: 'Change a postal address (JSON merge patch)',
    parameters: id,
    body: { schema: addressChange, example: { name: 'Small Hall' }, files: pictureFields },
    answers: { 200: shown(address, addressExample, 'The address as it is now'), 204: minimal },
    problems: [...invalid, 'postal_address.unknown', 'precondition.failed'],
  },
  remove: {
    tag: addresses,
    summary: 'Delete a postal address; its events live on without it',
    parameters: id,
    answers: { 204: { description: 'Deleted' } },
    problems: ['postal_address.unknown', 'precondition.failed'],
  },
} as const satisfies Record<string, RouteDescription>;
