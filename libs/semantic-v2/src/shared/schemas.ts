import { defineSchema, objectSchema, schemaOf, type JsonSchema, type RouteDescription } from '#http';

const { url } = schemaOf;

/** A schema that also allows null, which removes the value. */
export const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** Defines a named schema of a request body. */
export const input = (name: string, members: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema =>
  defineSchema(name, { type: 'object', properties: members, ...(required.length > 0 ? { required } : {}) });

export const noImage = { image: { type: 'null', description: 'Pictures come as files.' } };
const answered = 'Accepted as it was answered; it cannot be changed.';
export const answeredMembers = (identifier: JsonSchema): Record<string, JsonSchema> => ({
  identifier: { ...identifier, description: answered },
  image: nullable({
    type: 'array',
    items: url,
    description: `null removes the pictures; they come as files. A list is ${answered.toLowerCase()}`,
  }),
});

export const properties = (names: readonly string[], value: JsonSchema): JsonSchema => ({
  type: 'array',
  items: objectSchema({ '@type': { const: 'PropertyValue' }, name: { enum: names }, value }),
});

export const validators = {
  ETag: 'Send it back in If-None-Match to look, in If-Match to change.',
  'Last-Modified': 'When it last changed.',
};
export const minimal = { description: 'Done; no body, as `Prefer: return=minimal` asked' };
export const notChanged = { description: 'Not changed since the `ETag` of If-None-Match' };
export const listOf = (schema: JsonSchema): JsonSchema => objectSchema({ results: { type: 'array', items: schema } });
export const shown = (schema: JsonSchema, example: unknown, description: string): RouteDescription['answers'][number] => ({
  description,
  schema,
  example,
  headers: validators,
});
