import type { JsonSchema } from '#http';
import { targetConstructorToSchema } from 'class-validator-jsonschema';

type Constructor = abstract new () => object;

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, JsonSchema & { readonly description?: string }>>;
  readonly required?: readonly string[];
}

/** The schema of a DTO, from the very decorators that check it. */
export function schemaOfClass(type: Constructor): ObjectSchema {
  return targetConstructorToSchema(type, {
    additionalConverters: { isIso8601: () => ({ type: 'string', format: 'date-time' }) },
  }) as ObjectSchema;
}

/** The schemas of several DTOs, by class name. */
export function schemasOfClasses(types: readonly Constructor[]): Record<string, ObjectSchema> {
  return Object.fromEntries([...new Set(types)].map((type) => [type.name, schemaOfClass(type)]));
}
