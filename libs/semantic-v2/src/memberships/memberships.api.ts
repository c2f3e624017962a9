import { membershipStates } from '#booking';
import { defineSchema, objectSchema, schemaOf, type RouteDescription } from '#http';
import {
  amount,
  answers,
  answersInput,
  checkoutUrl,
  euro,
  inLanguage,
  inLanguageInput,
  listed,
  made,
  minimal,
  notChanged,
  person,
  personInput,
  propertiesInput,
  property,
  qrcode,
  reference,
  shown,
} from '../bookings/booking-schemas.js';
import { nullable } from '../shared/schemas.js';
import { MembershipsQuery } from '../bookings/bookings-query.dto.js';

const tag = 'Memberships';
const { uuid, text, instant } = schemaOf;

const membership = defineSchema(
  'ProgramMembership',
  objectSchema(
    {
      '@context': { const: 'https://schema.org' },
      '@type': { const: 'ProgramMembership' },
      identifier: uuid,
      programName: text,
      member: person,
      inLanguage,
      membershipPlan: objectSchema({ '@type': { const: 'Offer' }, identifier: uuid, name: text }),
      validFrom: instant,
      validUntil: { ...instant, description: 'Absent: without end.' },
      totalPrice: amount,
      priceCurrency: euro,
      checkoutUrl,
      qrcode,
      additionalProperty: {
        type: 'array',
        items: { oneOf: [property('status', { enum: Object.keys(membershipStates) }), answers] },
      },
    },
    { optional: ['inLanguage', 'validUntil', 'checkoutUrl', 'qrcode'] },
  ),
);
const mode = { enum: ['FREE', 'CASH', 'CARD'], description: 'How it was paid at the place; in any case.' };
const newMembership = defineSchema('NewProgramMembership', {
  type: 'object',
  properties: {
    member: personInput,
    inLanguage: inLanguageInput,
    membershipPlan: reference('The offer, which is a price of a membership product.'),
    validFrom: nullable({ ...text, description: 'Date or date and time. Absent: now, or when what is valid ends.' }),
    validUntil: nullable({
      ...text,
      description: 'Date (its end) or date and time. Absent: by the subscription type.',
    }),
    price: nullable({
      type: ['string', 'number'],
      description: 'What the member pays where the offer has freePrice, at least its price.',
    }),
    paymentMode: nullable(mode),
    additionalProperty: propertiesInput(`paymentMode may stand here, and price as customAmount. ${answersInput}`),
  },
  required: ['member', 'membershipPlan'],
});
const membershipChange = defineSchema('ProgramMembershipChange', {
  type: 'object',
  properties: { membershipStatus: { const: 'cancelled' } },
  required: ['membershipStatus'],
});

const example = {
  '@context': 'https://schema.org',
  '@type': 'ProgramMembership',
  identifier: '2b0d6c5e-93a3-4d0c-9b27-6f3e5a1c7d42',
  programName: 'Friends of the house',
  member: { '@type': 'Person', email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
  membershipPlan: { '@type': 'Offer', identifier: 'a9c1f0de-4b1b-4c1f-8b5a-0e3b9d7c6f21', name: 'One year' },
  validFrom: '2027-01-04T10:00:00+01:00',
  validUntil: '2028-01-04T10:00:00+01:00',
  totalPrice: '15.00',
  priceCurrency: 'EUR',
  additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: 'active' }],
};
const wanted = {
  member: { email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
  membershipPlan: { identifier: example.membershipPlan.identifier },
  additionalProperty: [{ name: 'paymentMode', value: 'CASH' }],
};
const id = { id: { description: 'Identifier of the membership.', schema: uuid, example: example.identifier } };

/** Described routes of memberships. */
export const membershipsApi = {
  list: {
    tag,
    summary: 'Memberships, the newest first',
    description: 'All of them, unless a page is asked for. `email` finds every spelling of an address.',
    query: MembershipsQuery,
    answers: { 200: listed(membership, example, 'The memberships, without codes'), 304: notChanged },
  },
  create: {
    tag,
    summary: 'A new membership',
    description: 'Valid at once when it costs nothing or `paymentMode` says how it was paid; a card goes by mail.',
    body: { schema: newMembership, example: wanted },
    answers: { 201: made(membership, example) },
    problems: [
      'body.invalid',
      'booking.sold_out',
      'booking.limit_per_user',
      'booking.membership_required',
      'booking.price_not_published',
      'payment.unavailable',
      'payment.refused',
    ],
  },
  get: {
    tag,
    summary: 'One membership',
    parameters: id,
    answers: { 200: shown(membership, example, 'The membership'), 304: notChanged },
    problems: ['membership.unknown'],
  },
  change: {
    tag,
    summary: 'End a membership',
    description: 'One that is cancelled already stays so. What was paid online is given back.',
    parameters: id,
    body: { schema: membershipChange, example: { membershipStatus: 'cancelled' } },
    answers: { 200: shown(membership, example, 'The membership as it is now'), 204: minimal },
    problems: ['body.invalid', 'membership.unknown', 'precondition.failed'],
  },
} as const satisfies Record<string, RouteDescription>;
