import { reservationStates, ticketStates } from '#booking';
import { eventSchemaTypes } from '#catalogue';
import { defineSchema, objectSchema, schemaOf, type JsonSchema, type RouteDescription } from '#http';
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
} from './booking-schemas.js';
import { nullable } from '../shared/schemas.js';
import { ReservationsQuery } from './bookings-query.dto.js';

const tag = 'Reservations';
const { uuid, text, instant, boolean } = schemaOf;
const statuses = ['ReservationHold', 'ReservationPending', 'ReservationConfirmed', 'ReservationCancelled'];
const states = Object.entries(reservationStates).map(([code, { en }]) => `${code} ${en}`);
const venueMethod = { enum: ['cash', 'card', 'offered'] };

const reservation = defineSchema(
  'EventReservation',
  objectSchema(
    {
      '@context': { const: 'https://schema.org' },
      '@type': { const: 'EventReservation' },
      identifier: uuid,
      reservationStatus: { enum: statuses.map((status) => `https://schema.org/${status}`) },
      bookingTime: instant,
      reservationFor: objectSchema({
        '@type': { enum: [...new Set(Object.values(eventSchemaTypes))] },
        identifier: uuid,
        name: text,
        startDate: instant,
      }),
      underName: person,
      inLanguage,
      reservedTicket: {
        type: 'array',
        items: objectSchema(
          {
            '@type': { const: 'Ticket' },
            identifier: uuid,
            name: text,
            itemOffered: objectSchema({
              '@type': { const: 'Offer' },
              identifier: uuid,
              name: text,
              category: { enum: ['admission', 'goods'], description: 'Goods let nobody in: they are handed out.' },
            }),
            ticketQuantity: { const: 1, description: 'Each ticket is an entry of its own.' },
            underName: person,
            totalPrice: amount,
            priceCurrency: euro,
            status: { enum: Object.keys(ticketStates) },
            qrcode,
            additionalProperty: { type: 'array', items: answers },
          },
          { optional: ['qrcode', 'additionalProperty'] },
        ),
      },
      totalPrice: amount,
      priceCurrency: euro,
      paymentDueDate: { ...instant, description: 'Until then it keeps its places.' },
      checkoutUrl,
      paymentMethod: { enum: ['cash', 'card', 'offered', 'online'] },
      additionalProperty: {
        type: 'array',
        items: {
          oneOf: [
            property('status', { enum: Object.keys(reservationStates), description: states.join(', ') }),
            property('options', { type: 'array', items: uuid }),
            answers,
          ],
        },
      },
    },
    { optional: ['inLanguage', 'paymentDueDate', 'checkoutUrl', 'paymentMethod'] },
  ),
);

const holder: JsonSchema = { type: 'object', properties: { givenName: nullable(text), familyName: nullable(text) } };
const newReservation = defineSchema('NewEventReservation', {
  type: 'object',
  properties: {
    reservationFor: nullable(reference('The event; absent: the one upcoming event that sells the offers.')),
    underName: personInput,
    inLanguage: inLanguageInput,
    reservedTicket: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        properties: {
          identifier: nullable({
            ...uuid,
            description:
              'The offer, which is a price of a product. Required, but for volunteers who sign up for a slot (an event of category ACT) for which no ticket is sold.',
          }),
          ticketQuantity: nullable({ type: 'integer', minimum: 1, maximum: 100, default: 1 }),
          price: nullable({
            type: ['string', 'number'],
            description:
              'What the buyer pays for each ticket of an offer with freePrice, at least its price. Of another offer it must be its price.',
          }),
          underName: {
            anyOf: [holder, { type: 'array', items: holder }, { type: 'null' }],
            description: 'Whose the first of these tickets are; the others are for who books.',
          },
          additionalProperty: propertiesInput(
            `${answersInput} They hold for each ticket of this line; tickets with other answers are another line.`,
          ),
        },
      },
    },
    confirmed: nullable({
      ...boolean,
      default: false,
      description: 'Sold or given away by the caller: valid at once.',
    }),
    paymentMethod: nullable({ ...venueMethod, description: 'Of a confirmed one; without it cash.' }),
    additionalProperty: propertiesInput(
      `options holds UUIDs or names of options of the event; confirmed and paymentMethod may stand here, too. ${answersInput} A question that is asked for each ticket is answered so for all of them.`,
    ),
  },
  required: ['underName', 'reservedTicket'],
});
const reservationChange = defineSchema('EventReservationChange', {
  type: 'object',
  properties: {
    reservationStatus: {
      enum: ['ReservationCancelled', 'ReservationConfirmed'].flatMap((word) => [`https://schema.org/${word}`, word]),
    },
    paymentMethod: nullable({
      ...venueMethod,
      description: 'Paid at the venue, and thereby confirmed; a confirmed one without it was paid in cash.',
    }),
    additionalProperty: propertiesInput('paymentMethod may stand here, too.'),
  },
  required: ['reservationStatus'],
});

const example = {
  '@context': 'https://schema.org',
  '@type': 'EventReservation',
  identifier: '7d5730a7-0e62-4827-8eea-1fbc650d93f4',
  reservationStatus: 'https://schema.org/ReservationConfirmed',
  bookingTime: '2027-02-01T12:00:00.120+01:00',
  reservationFor: {
    '@type': 'MusicEvent',
    identifier: '0cea2f59-f12f-463c-80b6-619874377bae',
    name: 'Nuit blanche',
    startDate: '2027-03-01T20:00:00+01:00',
  },
  underName: { '@type': 'Person', email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
  reservedTicket: [
    {
      '@type': 'Ticket',
      identifier: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
      name: 'Full price',
      itemOffered: {
        '@type': 'Offer',
        identifier: 'c4a5bd0e-0e63-4a39-8f4e-1d1f3b7f8a51',
        name: 'Full price',
        category: 'admission',
      },
      ticketQuantity: 1,
      underName: { '@type': 'Person', givenName: 'Ada', familyName: 'Martin' },
      totalPrice: '12.50',
      priceCurrency: 'EUR',
      status: 'K',
    },
  ],
  totalPrice: '12.50',
  priceCurrency: 'EUR',
  paymentMethod: 'cash',
  additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: 'V' }],
};
const wanted = {
  reservationFor: { identifier: example.reservationFor.identifier },
  underName: { email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
  reservedTicket: [{ identifier: 'c4a5bd0e-0e63-4a39-8f4e-1d1f3b7f8a51', ticketQuantity: 1 }],
  confirmed: true,
  paymentMethod: 'cash',
};
const id = { id: { description: 'Identifier of the reservation.', schema: uuid, example: example.identifier } };
const conflicts = ['booking.sold_out', 'booking.limit_per_user', 'booking.membership_required'];

/** Described routes of reservations. */
export const reservationsApi = {
  list: {
    tag,
    summary: 'Reservations, the newest first',
    description: 'All of them, unless a page is asked for. `email` finds every spelling of an address.',
    query: ReservationsQuery,
    answers: { 200: listed(reservation, example, 'The reservations, without codes'), 304: notChanged },
  },
  create: {
    tag,
    summary: 'A new reservation: all of its tickets, or none',
    description:
      'What costs something waits for payment, what is free for the confirmation of the e-mail address; both keep their places until `paymentDueDate`. An entry without `identifier` signs up for a volunteering slot, which costs nothing. `confirmed`, and `paymentMethod` (paid at the venue), make the tickets valid at once.',
    body: { schema: newReservation, example: wanted },
    answers: { 201: made(reservation, example) },
    problems: [
      'body.invalid',
      ...conflicts,
      'booking.event_not_published',
      'booking.event_over',
      'booking.price_not_published',
      'payment.unavailable',
      'payment.refused',
      'tenant.busy',
    ],
  },
  get: {
    tag,
    summary: 'One reservation',
    parameters: id,
    answers: { 200: shown(reservation, example, 'The reservation'), 304: notChanged },
    problems: ['reservation.unknown'],
  },
  change: {
    tag,
    summary: 'Cancel or confirm a reservation',
    description:
      'What it is already it stays. Cancelling frees the places and gives back what was paid online. Confirming one that is past its time needs places that are left.',
    parameters: id,
    body: { schema: reservationChange, example: { reservationStatus: 'https://schema.org/ReservationCancelled' } },
    answers: { 200: shown(reservation, example, 'The reservation as it is now'), 204: minimal },
    problems: [
      'body.invalid',
      'tenant.module',
      'reservation.unknown',
      'reservation.transition',
      'reservation.scanned',
      'reservation.fulfilled',
      ...conflicts,
      'precondition.failed',
    ],
  },
} as const satisfies Record<string, RouteDescription>;
