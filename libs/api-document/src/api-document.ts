import type { INestApplication } from '@nestjs/common';
import { allWebhooks, descriptionOf } from '#http';
import type { JsonSchema } from '#http';
import type { AccessRule, ControllerRoute } from '#tenancy';
import { closed, namesIn } from './schemas/closed-schemas.js';
import { nestDocument, type NestDocument } from './schemas/nest-document.js';
import { problemCodesOf } from './sections/problem-codes.js';
import { exact } from './schemas/schemas.js';
import { commonHeaders } from './sections/headers.js';
import { operationOfRoute } from './sections/operation.js';
import { problemExamples } from './sections/problems.js';
import { problemSchema } from './schemas/problem-schema.js';
import { tagDescriptions } from './sections/tags.js';
import { webhooksSection } from './sections/webhooks-section.js';

/** An OpenAPI 3.1 document. */
export type ApiDocument = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
};

/** The documented routes. */
export const documented = /^\/(api|scan|tenant(?!\/new))\//;

/**
 * Builds the API document from the code: `@nestjs/swagger` reads controllers and classes. Then each operation gets what our own decorators
 * (`@Access`, `@Versioned`, `@TakesForm` …) and `defineProblems` declare.
 */
export function buildApiDocument(routes: readonly ControllerRoute[], app: INestApplication): ApiDocument {
  const nest = nestDocument(
    app,
    [...allWebhooks().values()].map(({ data }) => data),
  );
  const known = routes.filter((route): route is DocumentedRoute => isDocumented(route)).toSorted(byPath);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const webhooks = webhooksSection();
  for (const route of known) {
    const path = `${route.path.replace(/:(\w+)/g, '{$1}')}${slashed(route.path) ? '/' : ''}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOfRoute(route, routes, nest) };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Guichet',
      version: '2',
      description:
        'Ticketing, memberships and events of cultural venues. Each place answers on its own host. Messages and labels follow ' +
        'Accept-Language (en, fr, de, es), then the language of the place. Errors are RFC 9457 problems with a stable `code`. A ' +
        'member of a request body that is not described here is refused (400 `body.invalid` with its pointer), at any depth; the ' +
        'JSON-LD keywords `@context`, `@type` and `@id` are accepted in every object. Events and addresses also accept members of ' +
        'schema.org that are not described here, and name them in `Ignored-Members`. Bodies of any type `application/*+json` ' +
        '(`application/ld+json`, `application/merge-patch+json`) are read like `application/json`. Every answer names its request ' +
        'in `X-Request-Id`. Paths answer with and without their final slash. Web pages of any origin may read what needs no key; ' +
        'with a key, those of the origins that staff list on it (CORS).',
      contact: { name: 'The people who run this place' },
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/', description: 'The host of a place' }],
    tags: [...new Set([...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item).flatMap(tagsOf)))].map(
      (name) => ({
        name,
        description: tagDescriptions[name],
      }),
    ),
    paths,
    webhooks,
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
      examples: problemExamples(codesOf(known, nest)),
      schemas: schemas(nest),
    },
  };
}

const tagsOf = (operation: unknown): readonly string[] => (operation as { tags: readonly string[] }).tags;

type DocumentedRoute = ControllerRoute & { readonly rule: AccessRule };

function isDocumented({ path, handler, rule }: ControllerRoute): boolean {
  return documented.test(`${path}/`) && rule !== undefined && descriptionOf(handler) !== undefined;
}

/** All named schemas. Schemas of request bodies allow no additional members except JSON-LD keywords; schemas of answers allow none. */
function schemas(nest: NestDocument): Record<string, JsonSchema> {
  const all = new Map(Object.entries(nest.schemas));
  const operations = [...nest.operations.values()];
  const inBodies = namesIn(
    operations.map(({ requestBody }) => requestBody),
    all,
  );
  const inAnswers = namesIn([operations.map(({ responses }) => responses), webhooksSection()], all);
  const both = [...inBodies].find((name) => inAnswers.has(name));
  if (both !== undefined) throw new TypeError(`"${both}" describes a body and an answer, which have other rules`);
  const named = Object.entries(nest.schemas).flatMap(([name, schema]) => {
    if (inBodies.has(name)) return [[name, closed(schema)] as const];
    return inAnswers.has(name) ? [[name, exact(schema)] as const] : [];
  });
  return Object.fromEntries([...named, ['Problem', problemSchema] as const].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function codesOf(routes: readonly DocumentedRoute[], nest: NestDocument): string[] {
  return routes.flatMap((route) => problemCodesOf(route, route.rule, nest));
}

/** The paths of the specification end with a slash, except for the pairing URL. */
function slashed(path: string): boolean {
  return !/^\/scan\/:token\/pair$|\.json$/.test(path);
}

function byPath(one: ControllerRoute, other: ControllerRoute): number {
  const [left, right] = [`${one.path} ${one.method}`, `${other.path} ${other.method}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
