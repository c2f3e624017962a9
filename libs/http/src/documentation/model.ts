import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Model = abstract new (...args: never[]) => object;

interface ModelFacts {
  readonly example?: unknown;
  /** The schema is a union of these. */
  readonly union?: { readonly keyword: 'anyOf' | 'oneOf'; readonly references: readonly string[] };
}

const facts = new Map<string, ModelFacts>();

/** Additional facts about a named schema. */
export function modelFacts(name: string): ModelFacts {
  return facts.get(name) ?? {};
}

/**
 * Sets the name of the schema of a request or response class in the API document.
 * @param options.example a complete object, shown wherever a body or an answer has this class
 */
export function ApiModel(name: string, { example, description }: { example?: unknown; description?: string } = {}): ClassDecorator {
  facts.set(name, { example });
  return ApiSchema({ name, ...(description !== undefined && { description }) });
}

/**
 * Declares a schema that is a union of classes. The decorated class is empty.
 * @param options.anyOf a value may match several of the classes
 */
export function ApiUnion(
  name: string,
  models: readonly Model[],
  { example, anyOf = false }: { example?: unknown; anyOf?: boolean } = {},
): ClassDecorator {
  const references = models.map((model) => getSchemaPath(model));
  facts.set(name, { union: { keyword: anyOf ? 'anyOf' : 'oneOf', references }, example });
  return applyDecorators(ApiSchema({ name }), ApiExtraModels(...models));
}

/** A property with a constant value. */
export function Constant(value: string | number | boolean, options: ApiPropertyOptions = {}): PropertyDecorator {
  return ApiProperty({ ...options, type: typeof value, enum: [value] } as ApiPropertyOptions);
}

/** A property that is a list; each item is of one of these classes. */
export function ListOfOne(models: readonly Model[], options: ApiPropertyOptions = {}): PropertyDecorator {
  const oneOf = models.map((model) => ({ $ref: getSchemaPath(model) }));
  return withModels(models, { ...options, type: 'array', items: oneOf.length === 1 && oneOf[0] ? oneOf[0] : { oneOf } });
}

/** A property of one of these classes, or of the schemas in `others`. */
export function OneOf(models: readonly Model[], others: readonly object[] = [], options: ApiPropertyOptions = {}): PropertyDecorator {
  const anyOf = [...others, ...models.map((model) => ({ $ref: getSchemaPath(model) }))];
  return withModels(models, { ...options, anyOf });
}

function withModels(models: readonly Model[], options: object): PropertyDecorator {
  return (target, name) => {
    ApiExtraModels(...models)(target.constructor);
    ApiProperty(options)(target, name);
  };
}

/** Options of a property with any JSON value. */
export const anyValue = { type: 'string', anyOf: [{}] } as const satisfies ApiPropertyOptions;

/** Options of common properties. */
export const formats = {
  uuid: { type: 'string', format: 'uuid' },
  text: { type: 'string' },
  nullableText: { type: 'string', nullable: true },
  /** ISO 8601 with an offset. */
  instant: { type: 'string', format: 'date-time' },
  nullableInstant: { type: 'string', format: 'date-time', nullable: true },
  url: { type: 'string', format: 'uri' },
  boolean: { type: 'boolean' },
  count: { type: 'integer', minimum: 0 },
} as const satisfies Record<string, ApiPropertyOptions>;
