import { SetMetadata, type Type } from '@nestjs/common';
import { DescribeOperation, type OperationDescription } from './documentation/operation.js';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One answer of a route. */
export interface DescribedAnswer {
  readonly description: string;
  /** Without one the answer has no body. */
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Headers worth knowing, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the API document says of a route beside what the code says already: path, method, access and the shape of its DTOs. */
export interface RouteDescription {
  readonly summary: string;
  readonly description?: string;
  /** The chapter it stands in. */
  readonly tag: string;
  readonly body?: {
    /** The DTO class that checks it, or a schema when no class does. */
    readonly type?: abstract new () => object;
    readonly schema?: JsonSchema;
    readonly example?: unknown;
    /** Default true. */
    readonly required?: boolean;
    /** Names of its file fields, maybe none, when the route takes forms as well. */
    readonly files?: readonly string[];
  };
  /** The DTO class of the query parameters. */
  readonly query?: abstract new () => object;
  /** Of path parameters: what they are. Default a UUID. */
  readonly parameters?: Readonly<Record<string, { description: string; schema?: JsonSchema; example?: unknown }>>;
  /** By status. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Codes of problems that are this route's own; those of access, host and body follow from the code. */
  readonly problems?: readonly string[];
}

/** A webhook that is sent: what it tells. */
export interface WebhookDescription {
  readonly summary: string;
  readonly description: string;
  /** The schema of its `data`. */
  readonly data: JsonSchema | Type;
}

const descriptionKey = 'guichet:description';
const schemas = new Map<string, JsonSchema>();
const webhooks = new Map<string, WebhookDescription>();

/** Describes a route for the API document. Every route below `/api/` and `/scan/` has one (a test looks). */
export function Describe(description: RouteDescription | OperationDescription): MethodDecorator {
  return 'answers' in description ? SetMetadata(descriptionKey, description) : DescribeOperation(description);
}

export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(descriptionKey, handler) as RouteDescription | undefined;
}

/** Names a schema in the document. @returns the reference to it */
export function defineSchema(name: string, schema: JsonSchema): JsonSchema {
  schemas.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}

/** Describes a webhook for the API document. */
export function describeWebhook(type: string, description: WebhookDescription): void {
  webhooks.set(type, description);
}

/** Every described webhook, by its type. */
export function allWebhooks(): ReadonlyMap<string, WebhookDescription> {
  return webhooks;
}

/** Every named schema. */
export function allSchemas(): ReadonlyMap<string, JsonSchema> {
  return schemas;
}

/** An object whose members are all there unless named optional, and that has no others. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [], ...more }: { optional?: readonly string[] } & JsonSchema = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false, ...more };
}

/** Schemas that stand everywhere. */
export const schemaOf = {
  uuid: { type: 'string', format: 'uuid' },
  text: { type: 'string' },
  nullableText: { type: ['string', 'null'] },
  /** ISO 8601 with an offset. */
  instant: { type: 'string', format: 'date-time' },
  url: { type: 'string', format: 'uri' },
  boolean: { type: 'boolean' },
  count: { type: 'integer', minimum: 0 },
} as const satisfies Record<string, JsonSchema>;
