import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Model = abstract new (...args: never[]) => object;

interface ModelFacts {
  readonly example?: unknown;
  /** The schema is one of these. */
  readonly union?: { readonly keyword: 'anyOf' | 'oneOf'; readonly references: readonly string[] };
}

const facts = new Map<string, ModelFacts>();

/** What was declared of a named schema beside its properties. */
export function modelFacts(name: string): ModelFacts {
  return facts.get(name) ?? {};
}

/**
 * Names the schema of a request or response class in the API document.
 * @param options.example of a whole object; it is shown wherever a body or an answer is of this class
 */
export function ApiModel(name: string, { example, description }: { example?: unknown; description?: string } = {}): ClassDecorator {
  facts.set(name, { example });
  return ApiSchema({ name, ...(description !== undefined && { description }) });
}

/**
 * Names a schema that is one of several classes. The decorated class is empty: its type is the union of these.
 * @param options.anyOf a value may be of several of them
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

/** A property that has always the same value. */
export function Constant(value: string | number | boolean, options: ApiPropertyOptions = {}): PropertyDecorator {
  return ApiProperty({ ...options, type: typeof value, enum: [value] } as ApiPropertyOptions);
}

/** A property that is a list whose items are each one of several classes. */
export function ListOfOne(models: readonly Model[], options: ApiPropertyOptions = {}): PropertyDecorator {
  const oneOf = models.map((model) => ({ $ref: getSchemaPath(model) }));
  return withModels(models, { ...options, type: 'array', items: oneOf.length === 1 && oneOf[0] ? oneOf[0] : { oneOf } });
}

/** A property that is one of several classes, or of what `others` describe. */
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

/** Options of a property that may hold any JSON value. */
export const anyValue = { type: 'string', anyOf: [{}] } as const satisfies ApiPropertyOptions;

/** Options of properties that occur everywhere. */
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
