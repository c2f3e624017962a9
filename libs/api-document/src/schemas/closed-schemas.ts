import type { JsonSchema } from '#http';
/** The JSON-LD keywords, which every object of a request body may contain. */
const jsonLdKeywords = { '^@(context|type|id)$': { type: 'string' } };

/**
 * The schema of a request body as the server validates it: its objects allow no additional members except JSON-LD keywords. Does not follow
 * references; close the schemas of `namesIn` as well.
 */
export function closed(schema: JsonSchema): JsonSchema {
  const inner = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, closedAt(keyword, value)]));
  if (!isSchema(schema['properties'])) return inner;
  return { ...inner, patternProperties: jsonLdKeywords, additionalProperties: false };
}

function closedAt(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isSchema(value)) return mapped(value, (member) => closed(member as JsonSchema));
  if (keyword === 'items' && isSchema(value)) return closed(value);
  if (/^(any|one|all)Of$/.test(keyword) && Array.isArray(value)) return value.map((one) => closed(one as JsonSchema));
  return value;
}

function mapped(object: JsonSchema, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** The names of all schemas that a schema refers to, directly or indirectly. */
export function namesIn(schema: unknown, all: ReadonlyMap<string, JsonSchema>, names = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) namesIn(item, all, names);
  else if (isSchema(schema)) {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== '$ref') namesIn(value, all, names);
      const name = keyword === '$ref' ? String(value).split('/').at(-1) : undefined;
      if (name === undefined || names.has(name)) continue;
      names.add(name);
      namesIn(all.get(name), all, names);
    }
  }
  return names;
}

/** Adds members to a schema. The result is one object, because a closed schema in an `allOf` would refuse them. */
export function withMembers(schema: JsonSchema, members: JsonSchema, all: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const reference = schema['$ref'];
  const whole = typeof reference === 'string' ? (all.get(reference.split('/').at(-1) as string) ?? schema) : schema;
  return { ...whole, properties: { ...(whole['properties'] as object | undefined), ...members } };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
