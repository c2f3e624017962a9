import { defineSchema, objectSchema, schemaOf, type RouteDescription } from '#http';
import { cardStatuses } from './card.dto.js';
import { notChanged, property, shown } from '../bookings/booking-schemas.js';

const { uuid, text, instant, boolean } = schemaOf;

const memberOf = objectSchema(
  {
    '@type': { const: 'ProgramMembership' },
    identifier: uuid,
    programName: text,
    validFrom: instant,
    validUntil: { ...instant, description: 'Absent: without end.' },
  },
  { optional: ['validUntil'] },
);

const card = defineSchema(
  'Card',
  objectSchema(
    {
      '@context': { const: 'https://schema.org' },
      '@type': { const: 'IndividualProduct' },
      identifier: { ...text, description: 'Tag: the UID in upper-case hexadecimal digits.' },
      serialNumber: { ...text, description: 'As printed on the card. Absent: it has none.' },
      owner: {
        ...objectSchema({ '@type': { const: 'Person' }, email: { ...text, format: 'idn-email' }, memberOf }, { optional: ['memberOf'] }),
        description: 'Only of an owner who is a member or a buyer of this place; `memberOf` while a membership is valid.',
      },
      additionalProperty: {
        type: 'array',
        items: { oneOf: [property('status', { enum: cardStatuses }), property('hasMembership', boolean)] },
      },
    },
    { optional: ['serialNumber', 'owner'] },
  ),
);

const example = {
  '@context': 'https://schema.org',
  '@type': 'IndividualProduct',
  identifier: '04A22F1B445E80',
  serialNumber: '4F2A 0017',
  owner: {
    '@type': 'Person',
    email: 'ada@example.org',
    memberOf: {
      '@type': 'ProgramMembership',
      identifier: '8a0a2c7e-9c5b-4c53-8a5e-6f1f4d8c5f10',
      programName: 'Friends of the house',
      validFrom: '2026-09-01T00:00:00+02:00',
      validUntil: '2027-09-01T00:00:00+02:00',
    },
  },
  additionalProperty: [
    { '@type': 'PropertyValue', name: 'status', value: 'active' },
    { '@type': 'PropertyValue', name: 'hasMembership', value: true },
  ],
};

/** Described routes of NFC cards. */
export const cardsApi = {
  get: {
    tag: 'Cards',
    summary: 'One NFC card by its tag',
    description:
      'Cards that this place gave out, and cards of its members and buyers. Every other card is answered as one that does not exist.',
    parameters: {
      tag: { description: 'UID of 4, 7 or 10 bytes in hexadecimal digits, also with `:`, `-` or spaces between the bytes.', schema: text },
    },
    answers: { 200: shown(card, example, 'The card'), 304: notChanged },
    problems: ['card.unknown'],
  },
} as const satisfies Record<string, RouteDescription>;
