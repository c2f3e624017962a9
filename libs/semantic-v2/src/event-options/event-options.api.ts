import { defineSchema, objectSchema, schemaOf, type JsonSchema, type RouteDescription } from '#http';
import { nullable } from '../shared/schemas.js';

const { uuid, text, boolean } = schemaOf;
const kind = {
  enum: ['radio', 'checkbox'],
  description: 'Who books chooses one radio option, and any checkbox options.',
};
const place = { type: 'integer', minimum: 1, description: 'Its place among the options of its kind.' } as const;

/** An option as events and its own address answer it. */
export const eventOption = defineSchema(
  'EventOption',
  objectSchema({
    identifier: uuid,
    kind,
    name: text,
    published: { ...boolean, description: 'Whether it can be chosen.' },
    order: place,
  }),
);

const members = {
  name: { ...text, minLength: 1, maxLength: 200 },
  order: nullable({ ...place, description: `${place.description} Without it the last one.` }),
  published: nullable({ ...boolean, default: true }),
};
const newOption: JsonSchema = { type: 'object', properties: { kind, ...members }, required: ['kind', 'name'] };
const optionChange: JsonSchema = { type: 'object', properties: members };

const example = {
  identifier: '3b1f7a52-8a0c-4b7a-9a3e-0d5a3c7d2f11',
  kind: 'checkbox',
  name: 'Vegetarian',
  published: true,
  order: 1,
};
const validators = { ETag: 'Send it back in If-None-Match to look, in If-Match to change.' };
const minimal = { description: 'Done; no body, as `Prefer: return=minimal` asked' };
const notChanged = { description: 'Not changed since the `ETag` of If-None-Match' };
const tag = 'Events';
const ofEvent = {
  key: { description: 'UUID or slug of the event.', schema: text, example: '0cea2f59-f12f-463c-80b6-619874377bae' },
};
const parameters = {
  ...ofEvent,
  id: { description: 'UUID of the option.', schema: text, example: example.identifier },
};
const shown = (description: string): RouteDescription['answers'][number] => ({
  description,
  schema: eventOption,
  example,
  headers: validators,
});

/** Described routes of the options of an event. */
export const eventOptionsApi = {
  list: {
    tag,
    summary: 'The options of an event, in their order',
    parameters: ofEvent,
    answers: {
      200: {
        description: 'The options',
        schema: objectSchema({ results: { type: 'array', items: eventOption } }),
        example: { results: [example] },
        headers: validators,
      },
      304: notChanged,
    },
    problems: ['event.unknown'],
  },
  create: {
    tag,
    summary: 'A new option of an event',
    parameters: ofEvent,
    body: { schema: newOption, example: { kind: 'checkbox', name: 'Vegetarian' } },
    answers: {
      201: {
        ...shown('Made; without a body when `Prefer: return=minimal` asked'),
        headers: { ...validators, Location: 'Its address.' },
      },
    },
    problems: ['body.invalid', 'event.unknown', 'event.option_exists'],
  },
  get: {
    tag,
    summary: 'One option of an event',
    parameters,
    answers: { 200: shown('The option'), 304: notChanged },
    problems: ['event.unknown', 'event.option_unknown'],
  },
  change: {
    tag,
    summary: 'Change an option of an event (JSON merge patch)',
    description: 'What is absent stays. Reservations that chose it keep the name that it had then.',
    parameters,
    body: { schema: optionChange, example: { name: 'Vegan', order: 1 } },
    answers: { 200: shown('The option as it is now'), 204: minimal },
    problems: ['body.invalid', 'event.unknown', 'event.option_unknown', 'event.option_exists', 'precondition.failed'],
  },
  remove: {
    tag,
    summary: 'Delete an option that nobody chose',
    parameters,
    answers: { 204: { description: 'Deleted' } },
    problems: ['event.unknown', 'event.option_unknown', 'event.option_chosen', 'precondition.failed'],
  },
} as const satisfies Record<string, RouteDescription>;
