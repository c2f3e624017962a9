import { eventCategories, eventSchemaTypes } from '#catalogue';
import { schemaOf, type JsonSchema } from '#http';
import { answeredMembers, input, noImage, nullable } from '../shared/schemas.js';
import { linkedAddressMembers } from './event-body.dto.js';

const { uuid, text, url } = schemaOf;
export const eventTypes = [...new Set(Object.values(eventSchemaTypes))];
export const categoryLabels = [...new Set(Object.values(eventCategories).flatMap((label): string[] => Object.values(label)))];

const linkedAddress = Object.fromEntries(linkedAddressMembers.map((name) => [name, {}]));
const eventInput: Record<string, JsonSchema> = {
  '@type': nullable({
    ...text,
    description: `Of schema.org, in any case: ${eventTypes.join(', ')}. Others are taken for CHT.`,
  }),
  additionalType: nullable({ ...text, description: `Wins over @type: ${categoryLabels.join(', ')}.` }),
  name: { ...text, minLength: 1, maxLength: 200 },
  startDate: { ...text, description: 'ISO 8601; without an offset on the clocks of the place.' },
  endDate: nullable({ ...text, description: 'Not before startDate.' }),
  maximumAttendeeCapacity: nullable({ type: 'integer', minimum: 0, default: 50 }),
  alternateName: nullable({ ...text, maxLength: 200, description: 'The subtitle.' }),
  disambiguatingDescription: nullable({ ...text, maxLength: 1000 }),
  description: nullable({ ...text, maxLength: 100_000, description: 'HTML is cleaned to a small allow-list.' }),
  eventStatus: nullable({
    enum: ['https://schema.org/EventScheduled', 'https://schema.org/EventCancelled', 'EventScheduled', 'EventCancelled'],
    description: 'Scheduled publishes (as absent does when it is made), cancelled unpublishes.',
  }),
  audience: nullable({ type: 'object', properties: { audienceType: { enum: ['private', 'public'] } } }),
  keywords: nullable({ type: 'array', items: { ...text, minLength: 1, maxLength: 100 }, maxItems: 50 }),
  url: nullable({ ...url, description: 'A page about the event; without one it is the page of the place, or sameAs.' }),
  sameAs: nullable({ ...url, description: 'Makes the event an external one.' }),
  offers: nullable({
    type: 'object',
    properties: {
      eligibleQuantity: nullable({ type: 'object', properties: { maxValue: nullable({ type: 'integer', minimum: 1 }) } }),
      returnPolicy: nullable({ type: 'object', properties: { merchantReturnDays: nullable({ type: 'integer', minimum: 0, default: 7 }) } }),
    },
  }),
  additionalProperty: nullable({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { enum: ['optionsRadio', 'optionsCheckbox', 'customConfirmationMessage', 'options'] },
        value: {},
      },
      required: ['name'],
    },
    description:
      'optionsRadio and optionsCheckbox hold lists of names, customConfirmationMessage a text. options, as it is answered, changes nothing.',
  }),
  superEvent: nullable({
    anyOf: [uuid, { type: 'object', properties: { identifier: uuid, name: text }, required: ['identifier'] }],
    description: 'Of volunteering: the event it is for.',
  }),
  location: nullable({
    type: 'object',
    properties: { address: nullable({ type: 'object', properties: { identifier: { type: 'integer' }, ...linkedAddress } }) },
    description:
      'The identifier of an address that exists; new events take the main one. Its other members are accepted as they were answered.',
  }),
};
export const newEvent = input('NewEvent', { ...eventInput, ...noImage }, ['name', 'startDate']);
export const eventChange = input('EventChange', { ...eventInput, ...answeredMembers(uuid) });
