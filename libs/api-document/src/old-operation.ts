import { allSchemas, descriptionOf, type DescribedAnswer, type JsonSchema, type RouteDescription } from '#http';
import type { AccessRule, ControllerRoute } from '#tenancy';
import { closed, withMembers } from './schemas/closed-schemas.js';
import { oldProblemCodesOf } from './sections/problem-codes.js';
import { answerHeaders } from './sections/headers.js';
import { linksOf } from './sections/links.js';
import { aboutRoute } from './sections/operation.js';
import { oldParametersOf } from './sections/parameters.js';
import { problemResponses } from './sections/problems.js';

export function oldOperation(
  route: ControllerRoute,
  rule: AccessRule,
  description: RouteDescription,
  routes: readonly ControllerRoute[],
): JsonSchema {
  const { summary, tag, body, answers } = description;
  return {
    ...aboutRoute(route, rule, { summary, tags: [tag], description: description.description ?? '' }),
    parameters: oldParametersOf(route, description),
    ...(body ? { requestBody: requestBody(body, route.method) } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(route, status, answer, routes)])),
      ...problemResponses(oldProblemCodesOf(route, rule, description)),
    },
  };
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
  const [headers, links] = [answerHeaders(route, status, answer.headers), linksOf(route, status, routes)];
  return {
    description,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(schema ? { content: { [contentType ?? 'application/json']: { schema, ...(example === undefined ? {} : { example }) } } } : {}),
    ...(Object.keys(links).length > 0 ? { links } : {}),
  };
}

export function usedClasses(routes: readonly ControllerRoute[]): (abstract new () => object)[] {
  return routes.flatMap(({ handler }) => {
    const type = descriptionOf(handler)?.body?.type;
    return type ? [type] : [];
  });
}
