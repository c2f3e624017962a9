import { defineSchema, objectSchema, schemaOf, type RouteDescription } from '#http';
import { address, addressExample, addressMembers, latitude, longitude, newAddress } from '../addresses/addresses.api.js';
import { eventOption } from '../event-options/event-options.api.js';
import { linkedProducts } from '../products/products.api.js';
import { pictureFields } from '../shared/picture-form.js';
import { listOf, minimal, notChanged, properties, shown, validators } from '../shared/schemas.js';
import { categoryLabels, eventChange, eventTypes, newEvent } from './event-bodies.api.js';
import { EventsQuery } from './events-query.dto.js';

const { uuid, text, instant, url } = schemaOf;

const event = defineSchema(
  'Event',
  objectSchema(
    {
      '@context': { const: 'https://schema.org' },
      '@type': { enum: eventTypes },
      additionalType: { enum: categoryLabels, description: 'The category, in the language of the answer.' },
      identifier: uuid,
      name: text,
      url,
      sameAs: url,
      startDate: instant,
      endDate: instant,
      maximumAttendeeCapacity: { type: 'integer', minimum: 0 },
      alternateName: { ...text, description: 'The subtitle.' },
      disambiguatingDescription: text,
      description: { ...text, description: 'HTML of a small allow-list; the short description when there is none.' },
      eventStatus: { enum: ['https://schema.org/EventScheduled', 'https://schema.org/EventCancelled'] },
      audience: objectSchema({ '@type': { const: 'Audience' }, audienceType: { const: 'private' } }),
      keywords: { type: 'array', items: text },
      image: { type: 'array', items: url, description: 'The picture, and the small one for lists.' },
      offers: objectSchema(
        {
          '@type': { const: 'Offer' },
          eligibleQuantity: objectSchema({ '@type': { const: 'QuantitativeValue' }, maxValue: { type: 'integer', minimum: 1 } }),
          returnPolicy: objectSchema({ '@type': { const: 'MerchantReturnPolicy' }, merchantReturnDays: { type: 'integer', minimum: 0 } }),
        },
        { optional: ['eligibleQuantity'] },
      ),
      additionalProperty: properties(['optionsRadio', 'optionsCheckbox', 'options', 'customConfirmationMessage'], {
        anyOf: [text, { type: 'array', items: text }, { type: 'array', items: eventOption }],
      }),
      superEvent: { ...uuid, description: 'The parent event.' },
      location: objectSchema({ '@type': { const: 'Place' }, address }),
    },
    {
      optional: [
        'sameAs',
        'endDate',
        'alternateName',
        'disambiguatingDescription',
        'description',
        'audience',
        'keywords',
        'image',
        'additionalProperty',
        'superEvent',
        'location',
      ],
    },
  ),
);

/** An event of a network's member. What concerns bookings is asked of the place that sends it. */
const networkEvent = defineSchema(
  'NetworkEvent',
  objectSchema(
    {
      '@context': { const: 'https://schema.org' },
      '@type': { enum: eventTypes },
      additionalType: { enum: categoryLabels, description: 'The category, in the language of the answer.' },
      identifier: uuid,
      name: text,
      url,
      sameAs: url,
      startDate: { ...instant, description: 'With the offset of the place that sends it.' },
      endDate: instant,
      alternateName: { ...text, description: 'The subtitle.' },
      disambiguatingDescription: text,
      eventStatus: {
        enum: ['https://schema.org/EventScheduled', 'https://schema.org/EventCancelled'],
        description: 'Cancelled: it was announced and does not take place.',
      },
      keywords: { type: 'array', items: text },
      image: { type: 'array', items: url },
      organizer: objectSchema({ '@type': { const: 'Organization' }, identifier: uuid, name: text, url }),
      location: objectSchema(
        {
          '@type': { const: 'Place' },
          name: text,
          address: objectSchema(
            {
              '@type': { const: 'PostalAddress' },
              ...addressMembers,
              geo: objectSchema({ '@type': { const: 'GeoCoordinates' }, latitude, longitude }),
            },
            { optional: ['name', 'addressRegion', 'geo'] },
          ),
        },
        { optional: ['name'] },
      ),
    },
    { optional: ['sameAs', 'endDate', 'alternateName', 'disambiguatingDescription', 'keywords', 'image', 'location'] },
  ),
);

const eventExample = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  additionalType: 'Concert',
  identifier: '0cea2f59-f12f-463c-80b6-619874377bae',
  name: 'Nuit blanche',
  url: 'https://demo.example.org/event/nuit-blanche-20270301-2000-0cea2f59',
  startDate: '2027-03-01T20:00:00+01:00',
  maximumAttendeeCapacity: 50,
  eventStatus: 'https://schema.org/EventScheduled',
  keywords: ['jazz'],
  offers: { '@type': 'Offer', returnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays: 7 } },
  location: { '@type': 'Place', address: addressExample },
};
const events = 'Events';
const key = { key: { description: 'UUID or slug of the event.', schema: text, example: eventExample.identifier } };
const invalid = ['body.invalid'];
const eventRefusals = [...invalid, 'event.exists', 'event.super_event_required'];

/** Described routes of events. */
export const eventsApi = {
  list: {
    tag: events,
    summary: 'Published events, private ones included, by their start',
    description:
      'On a network (a tenant of category M): the public events of its members that were not over yesterday, at most 2000, each with its `organizer`.',
    query: EventsQuery,
    answers: {
      200: {
        description: 'The events',
        schema: { anyOf: [listOf(event), listOf(networkEvent)] },
        example: { results: [eventExample] },
        headers: { ETag: validators.ETag },
      },
      304: notChanged,
    },
  },
  create: {
    tag: events,
    summary: 'A new event',
    body: {
      schema: newEvent,
      example: { name: 'Nuit blanche', startDate: '2027-03-01T20:00', '@type': 'MusicEvent', keywords: ['jazz'] },
      files: pictureFields,
    },
    answers: {
      201: {
        ...shown(event, eventExample, 'Made; without a body when `Prefer: return=minimal` asked'),
        headers: { ...validators, Location: 'Its address.' },
      },
    },
    problems: eventRefusals,
  },
  get: {
    tag: events,
    summary: 'One event, also an unpublished one',
    parameters: key,
    answers: { 200: shown({ anyOf: [event, networkEvent] }, eventExample, 'The event'), 304: notChanged },
    problems: ['event.unknown'],
  },
  change: {
    tag: events,
    summary: 'Change an event (JSON merge patch)',
    description: 'What is absent stays, null removes.',
    parameters: key,
    body: { schema: eventChange, example: { eventStatus: 'https://schema.org/EventCancelled' }, files: pictureFields },
    answers: { 200: shown(event, eventExample, 'The event as it is now'), 204: minimal },
    problems: [...eventRefusals, 'event.unknown', 'event.has_sub_events', 'precondition.failed'],
  },
  remove: {
    tag: events,
    summary: 'Delete an event that nobody booked',
    parameters: key,
    answers: { 204: { description: 'Deleted' } },
    problems: ['event.unknown', 'event.has_reservations', 'event.has_sub_events', 'precondition.failed'],
  },
  linkAddress: {
    tag: events,
    summary: 'Where an event takes place: an address that exists, or a new one',
    parameters: key,
    body: {
      schema: { anyOf: [objectSchema({ postalAddressId: { type: 'integer', minimum: 1 } }), newAddress] },
      example: { postalAddressId: 1 },
    },
    answers: { 200: shown(event, eventExample, 'The event as it is now'), 204: minimal },
    problems: [...invalid, 'event.unknown', 'precondition.failed'],
  },
  linkProduct: {
    tag: events,
    summary: 'What is sold for an event: products that exist, all or none',
    description: 'Those that are sold for it already stay, and are no change.',
    parameters: key,
    body: { schema: linkedProducts, example: { product: '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e' } },
    answers: { 200: shown(event, eventExample, 'The event as it is now'), 204: minimal },
    problems: [...invalid, 'event.unknown', 'precondition.failed'],
  },
} as const satisfies Record<string, RouteDescription>;
