import { type JsonSchema } from '#http';
import type { ControllerRoute } from '#tenancy';
import { operationId } from '../schemas/nest-document.js';

/** Operations on a created object, by HTTP method. */
const verbs: Readonly<Record<string, string>> = { GET: 'read', PATCH: 'change', DELETE: 'remove' };

/** Links from the response of a creation to the routes of the created object (OpenAPI Link Objects). */
export function linksOf(route: ControllerRoute, status: string, routes: readonly ControllerRoute[]): JsonSchema {
  if (route.method !== 'POST' || status !== '201') return {};
  const own = new RegExp(`^${route.path}/:(\\w+)$`);
  return Object.fromEntries(
    routes.flatMap((other) => {
      const id = own.exec(other.path)?.[1];
      const verb = verbs[other.method];
      if (id === undefined || verb === undefined) return [];
      const parents = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, `$request.path.${name}`]);
      const member = id === 'uuid' ? 'uuid' : 'identifier';
      const parameters = Object.fromEntries([...parents, [id, `$response.body#/${member}`]]) as JsonSchema;
      return [[verb, { operationId: operationId(other.name), parameters }]];
    }),
  );
}
