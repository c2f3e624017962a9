import {
  allSchemas,
  descriptionOf,
  successorOf,
  type DescribedAnswer,
  type JsonSchema,
  type RouteDescription,
} from '#http';
import { allProblems, problemBody, Problem } from '#kernel';
import { honoursIdempotencyKey, type AccessRule, type ControllerRoute } from '#tenancy';
import { closed, namesIn, withMembers } from './closed-schemas.js';
import { problemCodesOf } from './problem-codes.js';
import { schemaOfClass, schemasOfClasses } from './dto-schemas.js';

/** An OpenAPI 3.1 document. */
export type ApiDocument = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
};

/** Routes that the document speaks of. */
export const documented = /^\/(api|scan|tenant(?!\/new))\//;

/**
 * The API document, put together from what the code says: controllers (path, method), `@Access` (security and its problems), DTO classes
 * (bodies and parameters), `defineProblems` (every code with its text) and `@Describe` (the rest).
 */
export function buildApiDocument(routes: readonly ControllerRoute[]): ApiDocument {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes.toSorted(byPath)) {
    const description = descriptionOf(route.handler);
    if (!documented.test(`${route.path}/`) || !description || !route.rule) continue;
    const path = `${route.path.replace(/:(\w+)/g, '{$1}')}${slashed(route.path) ? '/' : ''}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, route.rule, description) };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Guichet',
      version: '2',
      description:
        'Ticketing, memberships and events of cultural venues. Each place answers on its own host. Messages and labels follow Accept-Language (en, fr), then the language of the place. Errors are RFC 9457 problems with a stable `code`. A member of a request body that is not described here is refused (400 `body.invalid` with its pointer), at any depth; the JSON-LD keywords `@context`, `@type` and `@id` are accepted in every object. Paths answer with and without their final slash. Web pages of any origin may read what needs no key; with a key, those of the origins that staff list on it (CORS).',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/', description: 'The host of a place' }],
    tags: [...new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags as string[])))] // prettier-ignore
      .map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            '`Api-Key <key>`: an integration key (`gkey_…`) below /api/, a device key (`gdev_…`) below /scan/.',
        },
      },
      examples: problemExamples(routes),
      schemas: schemas(routes),
    },
  };
}

/** Every named schema; those of request bodies are closed. */
function schemas(routes: readonly ControllerRoute[]): Record<string, JsonSchema> {
  const ofClasses = schemasOfClasses(usedClasses(routes));
  const ofBodies = namesIn(
    routes.map(({ handler }) => descriptionOf(handler)?.body?.schema),
    allSchemas(),
  );
  const named = [...allSchemas()].map(
    ([name, schema]) => [name, ofBodies.has(name) ? closed(schema) : schema] as const,
  );
  const classes = Object.entries(ofClasses).map(
    ([name, schema]) => [name, closed(schema as unknown as JsonSchema)] as const,
  );
  return Object.fromEntries(
    [...classes, ...named, ['Problem', problemSchema] as const].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function operation(route: ControllerRoute, rule: AccessRule, description: RouteDescription): JsonSchema {
  const { summary, tag, body, answers } = description;
  return {
    operationId: route.name.replace('Controller', ''),
    tags: [tag],
    summary,
    ...descriptionAnd(successorOf(route.handler), description),
    security: { public: [], guest: [{}, { apiKey: [] }] }[rule.who as string] ?? [{ apiKey: [] }],
    ...('scope' in rule && rule.scope
      ? { 'x-scope': `${rule.scope}:${route.method === 'GET' ? 'read' : 'write'}` }
      : {}),
    ...(route.modules.length > 0 ? { 'x-tenant-modules': route.modules } : {}),
    parameters: [...pathParameters(route, description), ...queryParameters(description), ...headerParameters(route)],
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer)])),
      ...problemResponses(problemCodesOf(route, rule, description)),
    },
  };
}

function descriptionAnd(successor: string | undefined, { description }: RouteDescription): JsonSchema {
  const followed = successor && `Followed by \`${successor}\`: answers carry \`Deprecation\` and \`Link\`.`;
  const text = [description, followed].filter(Boolean).join(' ');
  return { ...(text ? { description: text } : {}), ...(successor ? { deprecated: true } : {}) };
}

function requestBody(body: NonNullable<RouteDescription['body']>): JsonSchema {
  const schema = closed(body.schema ?? (body.type ? { $ref: `#/components/schemas/${body.type.name}` } : {}));
  const example = body.example === undefined ? {} : { example: body.example };
  const files = Object.fromEntries((body.files ?? []).map((name) => [name, { type: 'string', format: 'binary' }]));
  return {
    required: body.required ?? true,
    content: {
      'application/json': { schema, ...example },
      ...(body.files
        ? {
            'multipart/form-data': { schema: closed(withMembers(body.schema ?? schema, files, allSchemas())) },
            'application/x-www-form-urlencoded': { schema },
          }
        : {}),
    },
  };
}

function response({ description, schema, example, contentType, headers }: DescribedAnswer): JsonSchema {
  return {
    description,
    ...(headers
      ? {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
          ),
        }
      : {}),
    ...(schema
      ? { content: { [contentType ?? 'application/json']: { schema, ...(example === undefined ? {} : { example }) } } }
      : {}),
  };
}

/** One response a status, with an example of every problem that is answered with it. */
function problemResponses(codes: readonly string[]): Record<string, JsonSchema> {
  const known = allProblems();
  const byStatus = new Map<number, string[]>();
  for (const code of [...new Set(codes)].toSorted()) {
    const status = known.get(code)?.status;
    if (status === undefined) throw new TypeError(`"${code}" is described but is in no problems file`);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      {
        description: list.map((code) => `\`${code}\` ${known.get(code)?.en[0] ?? ''}`).join(' · '),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(list.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  );
}

/** One of each problem that some route answers. */
function problemExamples(routes: readonly ControllerRoute[]): Record<string, JsonSchema> {
  const codes = routes.flatMap((route) => {
    const description = descriptionOf(route.handler);
    return description && route.rule ? problemCodesOf(route, route.rule, description) : [];
  });
  return Object.fromEntries(
    [...new Set(codes)].toSorted().map((code) => [code, { value: problemBody(new Problem(code), 'en', 'b1946ac9') }]),
  );
}

function pathParameters({ path }: ControllerRoute, { parameters = {} }: RouteDescription): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { description, schema = { type: 'string', format: 'uuid' }, example } = parameters[name] ?? { description: 'Identifier.' }; // prettier-ignore
    return { name, in: 'path', required: true, description, schema, ...(example === undefined ? {} : { example }) };
  });
}

function queryParameters({ query }: RouteDescription): JsonSchema[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOfClass(query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
  }));
}

function headerParameters(route: ControllerRoute): JsonSchema[] {
  if (!honoursIdempotencyKey(route)) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Of your own making, 1 to 255 characters. The same request under the same key is done once within 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}

function usedClasses(routes: readonly ControllerRoute[]): (abstract new () => object)[] {
  return routes.flatMap(({ handler }) => {
    const type = descriptionOf(handler)?.body?.type;
    return type ? [type] : [];
  });
}

/** The specification writes its paths with a final slash but for the pairing address. */
function slashed(path: string): boolean {
  return !/^\/scan\/:token\/pair$|\.json$/.test(path);
}

function byPath(one: ControllerRoute, other: ControllerRoute): number {
  const [left, right] = [`${one.path} ${one.method}`, `${other.path} ${other.method}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'RFC 9457. Act on `code`, which is stable; `detail` is for people.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The request id, also in X-Request-Id.' },
    code: { type: 'string', pattern: '^[a-z_]+\\.[a-z_]+$' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, code: { type: 'string' }, detail: { type: 'string' } },
        required: ['pointer', 'code', 'detail'],
        additionalProperties: false,
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
};
