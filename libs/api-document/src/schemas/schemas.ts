import { modelFacts, type JsonSchema } from '#http';

const maps = new Set(['properties', 'patternProperties']);
const lists = new Set(['allOf', 'anyOf', 'oneOf']);
const single = new Set(['items', 'additionalProperties']);

/** Applies a function to a schema and all schemas inside, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => (isSchema(value) ? mapSchema(value, change) : value);
  const members = Object.entries(schema).map(([keyword, value]) => {
    if (maps.has(keyword) && isSchema(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))];
    }
    if (lists.has(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
    return [keyword, single.has(keyword) ? inner(value) : value];
  });
  return change(Object.fromEntries(members) as JsonSchema);
}

/** Converts a schema of `@nestjs/swagger` to the shorter forms of JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export function tidy(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (one) => {
    const { allOf, anyOf, enum: values, type, ...rest } = one as { [keyword: string]: unknown; allOf?: JsonSchema[]; anyOf?: JsonSchema[] };
    // OpenAPI 3.1 allows a description beside a reference.
    if (allOf?.length === 1) return { ...rest, ...allOf[0] };
    // A member that must be absent.
    if (rest['not'] !== undefined) return rest;
    // A member with any value.
    if (anyOf?.some((branch) => Object.keys(branch).length === 0)) return rest;
    if (Array.isArray(values))
      return values.length === 1 ? { ...rest, const: values[0] as unknown } : { ...rest, ...withType(type), enum: values };
    return one;
  });
}

function withType(type: unknown): JsonSchema {
  return type === undefined ? {} : { type };
}

/** The named schemas in tidy form, including unions of classes. */
export function tidiedSchemas(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { union } = modelFacts(name);
      return [name, union ? { [union.keyword]: union.references.map(($ref) => ({ $ref })) } : tidy(schema)];
    }),
  );
}

/** The schema of an answer: its objects allow no additional members. */
export function exact(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (one) =>
    isSchema(one['properties']) && one['additionalProperties'] === undefined ? { ...one, additionalProperties: false } : one,
  );
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name of a referenced component. */
export function nameOf(reference: unknown): string {
  return String(reference).split('/').at(-1) ?? '';
}
