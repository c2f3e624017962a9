import {
  appliesPrefer,
  descriptionOf,
  formFilesOf,
  modelFacts,
  readsPreconditions,
  successorOf,
  versioningOf,
  type JsonSchema,
  type RouteDescription,
} from '#http';
import type { AccessRule, ControllerRoute } from '#tenancy';
import { closed, withMembers } from '../schemas/closed-schemas.js';
import { operationId, type NestDocument, type NestOperation } from '../schemas/nest-document.js';
import { problemCodesOf } from './problem-codes.js';
import { exact, isSchema, nameOf } from '../schemas/schemas.js';
import { answerHeaders } from './headers.js';
import { linksOf } from './links.js';
import { parametersOf } from './parameters.js';
import { problemResponses } from './problems.js';

/** The operation of a route: from `@nestjs/swagger`, and from our own decorators. */
export function operationOfRoute(
  route: ControllerRoute & { readonly rule: AccessRule },
  routes: readonly ControllerRoute[],
  nest: NestDocument,
): JsonSchema {
  const described = nest.operations.get(operationId(route.name));
  const { summary, description } = descriptionOf(route.handler) as RouteDescription;
  if (!described?.tags) throw new TypeError(`${route.name} has no @ApiTags`);
  return {
    ...aboutRoute(route, route.rule, { summary, description, tags: described.tags }),
    parameters: parametersOf(route, described.parameters),
    ...(described.requestBody ? { requestBody: requestBody(route, described.requestBody, nest) } : {}),
    responses: {
      ...answers(route, described, routes, nest),
      ...problemResponses(problemCodesOf(route, route.rule, nest)),
    },
  };
}

/** The parts of an operation that access rule, modules and decorators imply. */
export function aboutRoute(
  route: ControllerRoute,
  rule: AccessRule,
  { summary, description, tags }: { summary: string; description: string; tags: readonly string[] },
): JsonSchema {
  const { handler, method, modules } = route;
  const successor = successorOf(handler);
  const text = [
    description,
    successor && `Followed by \`${successor}\`: answers carry \`Deprecation\` and \`Link\`.`,
    method === 'GET' && versioningOf(handler) && 'With `If-None-Match` an answer that did not change is 304.',
    readsPreconditions(handler) && 'With `If-Match` only the version that the caller read is changed (412 otherwise).',
    appliesPrefer(handler) && '`Prefer: return=minimal` leaves the body of the answer out.',
  ];
  const whole = text.filter(Boolean).join(' ');
  return {
    operationId: operationId(route.name),
    tags,
    summary,
    ...(whole ? { description: whole } : {}),
    ...(successor ? { deprecated: true } : {}),
    security: { public: [], guest: [{}, { apiKey: [] }] }[rule.who as string] ?? [{ apiKey: [] }],
    ...('scope' in rule && rule.scope ? { 'x-scope': `${rule.scope}:${method === 'GET' ? 'read' : 'write'}` } : {}),
    ...(modules.length > 0 ? { 'x-tenant-modules': modules } : {}),
  };
}

/** The request body in every content type that the route accepts: JSON, merge patch, and forms when allowed. */
function requestBody(
  { handler, method }: ControllerRoute,
  { required = true, content }: NonNullable<NestOperation['requestBody']>,
  nest: NestDocument,
): JsonSchema {
  const schema = closed(content['application/json']?.schema ?? {});
  const example = exampleOf(schema, nest);
  const shown = { schema, ...(example === undefined ? {} : { example }) };
  const files = formFilesOf(handler);
  const fileMembers = Object.fromEntries((files ?? []).map((name) => [name, { type: 'string', format: 'binary' }]));
  return {
    required,
    content: {
      'application/json': shown,
      ...(method === 'PATCH' ? { 'application/merge-patch+json': shown } : {}),
      ...(files
        ? {
            'multipart/form-data': { schema: closed(withMembers(schema, fileMembers, new Map(Object.entries(nest.schemas)))) },
            'application/x-www-form-urlencoded': { schema },
          }
        : {}),
    },
  };
}

function answers(
  route: ControllerRoute,
  { responses, parameters }: NestOperation,
  routes: readonly ControllerRoute[],
  nest: NestDocument,
): Record<string, JsonSchema> {
  const { handler, method } = route;
  const isPaged = parameters.some(({ name }) => name === 'page_size');
  const declared = Object.entries(responses).map(
    ([status, answer]) => [status, answerOf(route, status, answer, { routes, nest, isPaged: isPaged && status === '200' })] as const,
  );
  const notChanged = method === 'GET' && versioningOf(handler);
  return {
    ...Object.fromEntries(declared),
    ...(notChanged ? { 304: { description: 'Not changed since the `ETag` of If-None-Match', ...headersOf(route, '304') } } : {}),
    ...(appliesPrefer(handler) && responses['200']
      ? { 204: { description: 'Done; no body, as `Prefer: return=minimal` asked', ...headersOf(route, '204') } }
      : {}),
  };
}

function answerOf(
  route: ControllerRoute,
  status: string,
  answer: JsonSchema,
  { routes, nest, isPaged }: { routes: readonly ControllerRoute[]; nest: NestDocument; isPaged: boolean },
): JsonSchema {
  const {
    description,
    content,
    headers = {},
  } = answer as {
    description: string;
    content?: Record<string, { schema: JsonSchema; example?: unknown }>;
    headers?: Record<string, { description: string }>;
  };
  const links = linksOf(route, status, routes);
  const own = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, header.description]));
  const bodies = Object.entries(content ?? {}).map(([type, { schema, example = exampleOf(schema, nest) }]) => {
    return [type, { schema: exact(schema), ...(example === undefined ? {} : { example }) }];
  });
  return {
    description:
      status === '201' && appliesPrefer(route.handler) ? `${description}; no body when \`Prefer: return=minimal\` asked` : description,
    ...headersOf(route, status, {
      ...own,
      ...(isPaged && { Link: 'Of a page: first, prev, next, last.' }),
      ...(links['read'] ? { Location: 'Path of what was created.' } : {}),
    }),
    ...(bodies.length > 0 ? { content: Object.fromEntries(bodies) as JsonSchema } : {}),
    ...(Object.keys(links).length > 0 ? { links } : {}),
  };
}

function headersOf(route: ControllerRoute, status: string, described: Readonly<Record<string, string>> = {}): JsonSchema {
  const headers = answerHeaders(route, status, described);
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** The example of a class, or of a list of it; undefined when there is none. */
function exampleOf(schema: JsonSchema, nest: NestDocument): unknown {
  const { $ref, items, properties } = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return modelFacts(name).example ?? (nest.schemas[name] && listExample(nest.schemas[name], nest));
  }
  if (isSchema(items)) return listed(items, nest);
  return properties === undefined ? undefined : listExample(schema, nest);
}

/** Lists of API version 2 are in `results`. */
function listExample({ properties }: JsonSchema, nest: NestDocument): unknown {
  const members = (properties ?? {}) as Record<string, JsonSchema>;
  const results = Object.keys(members).length === 1 ? members['results'] : undefined;
  const list = isSchema(results?.['items']) ? listed(results['items'], nest) : undefined;
  return list && { results: list };
}

function listed(items: JsonSchema, nest: NestDocument): unknown[] | undefined {
  const example = exampleOf(items, nest);
  return example === undefined ? undefined : [example];
}
