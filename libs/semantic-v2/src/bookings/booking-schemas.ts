import { objectSchema, schemaOf, type DescribedAnswer, type JsonSchema } from '#http';
import { languages } from '#kernel';
import { nullable } from '../shared/schemas.js';

const { text, url } = schemaOf;

export const amount = { ...text, pattern: '^\\d+\\.\\d\\d$', description: 'Decimal text.' };
export const euro = { const: 'EUR' };
export const qrcode = { ...text, description: 'To be shown at the door. Only while it is valid, and not in lists.' };
export const checkoutUrl = { ...url, description: 'Where to pay, while that is awaited.' };
export const property = (name: string, value: JsonSchema): JsonSchema =>
  objectSchema({ '@type': { const: 'PropertyValue' }, name: { const: name }, value });
/** Answers to questions in answers of the API. */
export const answers = property('customForm', {
  type: 'array',
  description: 'Answers to the questions of the products.',
  items: objectSchema({
    '@type': { const: 'PropertyValue' },
    propertyID: { ...text, description: 'Name of the question.' },
    name: { ...text, description: 'The question as it was asked.' },
    value: { anyOf: [text, { type: 'boolean' }, { type: 'array', items: text }] },
  }),
});
/** The language of mails and documents for the holder. */
export const inLanguage: JsonSchema = { enum: languages, description: 'In which language the holder is written to.' };
/** The same in a request body. */
export const inLanguageInput = nullable({
  ...text,
  examples: [...languages],
  description: `In which language the holder is written to: ${languages.join(' or ')}, also with a region. Absent: as Accept-Language says, else that of the place.`,
});
/** The description of `customForm` in request bodies. */
export const answersInput =
  'customForm holds answers to questions: an object by the name or identifier of the question, or a list of PropertyValue with propertyID and value.';
/** `additionalProperty` in a request body, with its known names. */
export const propertiesInput = (description: string): JsonSchema =>
  nullable({
    type: 'array',
    items: { type: 'object', properties: { name: text, value: {} }, required: ['name'] },
    maxItems: 50,
    description,
  });
export const person = objectSchema(
  { '@type': { const: 'Person' }, email: { ...text, format: 'idn-email' }, givenName: text, familyName: text },
  { optional: ['email', 'givenName', 'familyName'] },
);

/** The holder in a request body. */
export const personInput: JsonSchema = {
  type: 'object',
  properties: {
    email: { ...text, format: 'idn-email' },
    givenName: nullable({ ...text, maxLength: 100 }),
    familyName: nullable({ ...text, maxLength: 100 }),
  },
  required: ['email'],
};

/** A reference: an object, or only its identifier. */
export const reference = (description: string): JsonSchema => ({
  anyOf: [{ ...schemaOf.uuid }, { type: 'object', properties: { identifier: schemaOf.uuid, name: text }, required: ['identifier'] }],
  description,
});

const validators = { ETag: 'Send it back in If-None-Match to look, in If-Match to change.' };
export const notChanged: DescribedAnswer = { description: 'Not changed since the `ETag` of If-None-Match' };
export const minimal: DescribedAnswer = { description: 'Done; no body, as `Prefer: return=minimal` asked' };

export const shown = (schema: JsonSchema, example: unknown, description: string): DescribedAnswer => ({
  description,
  schema,
  example,
  headers: validators,
});

export const made = (schema: JsonSchema, example: unknown): DescribedAnswer => ({
  ...shown(schema, example, 'Made; without a body when `Prefer: return=minimal` asked'),
  headers: { ...validators, Location: 'Its address.' },
});

export const listed = (schema: JsonSchema, example: unknown, description: string): DescribedAnswer => ({
  description,
  schema: objectSchema({ results: { type: 'array', items: schema } }),
  example: { results: [example] },
  headers: { ...validators, Link: 'Of a page: first, prev, next, last.' },
});
