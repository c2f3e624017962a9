import {
  allSchemas,
  appliesPrefer,
  descriptionOf,
  readsPreconditions,
  successorOf,
  versioningOf,
  type DescribedAnswer,
  type JsonSchema,
  type RouteDescription,
} from '#http';
import { allProblems, problemBody, Problem } from '#kernel';
import type { AccessRule, ControllerRoute } from '#tenancy';
import { closed, namesIn, withMembers } from './closed-schemas.js';
import { problemCodesOf } from './problem-codes.js';
import { problemSchema } from './sections/problem-schema.js';
import { schemasOfClasses } from './sections/dto-schemas.js';
import { answerHeaders, commonHeaders, problemHeaders } from './sections/headers.js';
import { linksOf } from './sections/links.js';
import { operationIdOf } from './sections/operation-id.js';
import { parametersOf } from './sections/parameters.js';
import { tagDescriptions } from './sections/tags.js';
import { webhooksSection } from './sections/webhooks-section.js';

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
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, route.rule, description, routes) };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Guichet',
      version: '2',
      description:
        'Ticketing, memberships and events of cultural venues. Each place answers on its own host. Messages and labels follow Accept-Language (en, fr), then the language of the place. Errors are RFC 9457 problems with a stable `code`. A member of a request body that is not described here is refused (400 `body.invalid` with its pointer), at any depth; the JSON-LD keywords `@context`, `@type` and `@id` are accepted in every object. Bodies of any type `application/*+json` (`application/ld+json`, `application/merge-patch+json`) are read like `application/json`. Every answer names its request in `X-Request-Id`. Paths answer with and without their final slash. Web pages of any origin may read what needs no key; with a key, those of the origins that staff list on it (CORS).',
      contact: { name: 'The people who run this place' },
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/', description: 'The host of a place' }],
    tags: [...new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags as string[])))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    webhooks: webhooksSection(),
    components: {
      headers: commonHeaders,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Api-Key <key>`: an integration key (`gkey_…`) below /api/, a device key (`gdev_…`) below /scan/.',
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
  const named = [...allSchemas()].map(([name, schema]) => [name, ofBodies.has(name) ? closed(schema) : schema] as const);
  const classes = Object.entries(ofClasses).map(([name, schema]) => [name, closed(schema as unknown as JsonSchema)] as const);
  return Object.fromEntries(
    [...classes, ...named, ['Problem', problemSchema] as const].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function operation(
  route: ControllerRoute,
  rule: AccessRule,
  description: RouteDescription,
  routes: readonly ControllerRoute[],
): JsonSchema {
  const { summary, tag, body, answers } = description;
  return {
    operationId: operationIdOf(route),
    tags: [tag],
    summary,
    ...descriptionAnd(route, description),
    security: { public: [], guest: [{}, { apiKey: [] }] }[rule.who as string] ?? [{ apiKey: [] }],
    ...('scope' in rule && rule.scope ? { 'x-scope': `${rule.scope}:${route.method === 'GET' ? 'read' : 'write'}` } : {}),
    ...(route.modules.length > 0 ? { 'x-tenant-modules': route.modules } : {}),
    parameters: parametersOf(route, description),
    ...(body ? { requestBody: requestBody(body, route.method) } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(route, status, answer, routes)])),
      ...problemResponses(problemCodesOf(route, rule, description)),
    },
  };
}

/** What the route says of itself, and what follows from its decorators. */
function descriptionAnd({ handler, method }: ControllerRoute, { description }: RouteDescription): JsonSchema {
  const successor = successorOf(handler);
  const text = [
    description,
    successor && `Followed by \`${successor}\`: answers carry \`Deprecation\` and \`Link\`.`,
    method === 'GET' && versioningOf(handler) && 'With `If-None-Match` an answer that did not change is 304.',
    readsPreconditions(handler) && 'With `If-Match` only the version that the caller read is changed (412 otherwise).',
    appliesPrefer(handler) && '`Prefer: return=minimal` leaves the body of the answer out.',
  ];
  const whole = text.filter(Boolean).join(' ');
  return { ...(whole ? { description: whole } : {}), ...(successor ? { deprecated: true } : {}) };
}

function requestBody(body: NonNullable<RouteDescription['body']>, method: string): JsonSchema {
  const schema = closed(body.schema ?? (body.type ? { $ref: `#/components/schemas/${body.type.name}` } : {}));
  const example = body.example === undefined ? {} : { example: body.example };
  const files = Object.fromEntries((body.files ?? []).map((name) => [name, { type: 'string', format: 'binary' }]));
  return {
    required: body.required ?? true,
    content: {
      'application/json': { schema, ...example },
      ...(method === 'PATCH' ? { 'application/merge-patch+json': { schema, ...example } } : {}),
      ...(body.files
        ? {
            'multipart/form-data': { schema: closed(withMembers(body.schema ?? schema, files, allSchemas())) },
            'application/x-www-form-urlencoded': { schema },
          }
        : {}),
    },
  };
}

function response(route: ControllerRoute, status: string, answer: DescribedAnswer, routes: readonly ControllerRoute[]): JsonSchema {
  const { description, schema, example, contentType } = answer;
  const [headers, links] = [answerHeaders(route, status, answer), linksOf(route, status, routes)];
  return {
    description,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(schema ? { content: { [contentType ?? 'application/json']: { schema, ...(example === undefined ? {} : { example }) } } } : {}),
    ...(Object.keys(links).length > 0 ? { links } : {}),
  };
}

/** One response a status, with an example of every problem that is answered with it. */
function problemResponses(codes: readonly string[]): Record<string, JsonSchema> {
  const known = allProblems();
  const byStatus = new Map<string, string[]>();
  for (const code of [...new Set(codes)].toSorted()) {
    const status = known.get(code)?.status;
    if (status === undefined) throw new TypeError(`"${code}" is described but is in no problems file`);
    byStatus.set(String(status), [...(byStatus.get(String(status)) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const headers = problemHeaders(status);
      return [
        status,
        {
          description: list.map((code) => `\`${code}\` ${known.get(code)?.en[0] ?? ''}`).join(' · '),
          ...(Object.keys(headers).length > 0 ? { headers } : {}),
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              examples: Object.fromEntries(list.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ];
    }),
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
