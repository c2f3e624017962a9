import { descriptionOf, formFilesOf, isWholeList, readsPreconditions } from '#http';
import { honoursIdempotencyKey, type AccessRule, type ControllerRoute } from '#tenancy';
import { operationId, type NestDocument } from '../schemas/nest-document.js';

const always = [
  'rate.limited',
  'request.malformed',
  'request.host',
  'request.text',
  'request.too_many_parameters',
  'tenant.unknown',
  'tenant.migrating',
  'tenant.suspended',
  'tenant.changed',
  'tenant.deleted',
  'server.busy',
  'server.failure',
  'server.unavailable',
];
const ofKeys = ['key.missing', 'key.malformed', 'key.unknown', 'key.revoked', 'key.expired', 'key.kind'];
const idempotency = ['idempotency.key_malformed', 'idempotency.key_reused', 'idempotency.in_progress', 'idempotency.answer_not_kept'];
const ofBodies = ['body.malformed', 'body.too_deep', 'body.too_many_values', 'body.too_large', 'body.unsupported_type'];

/** Codes of all problems of a route: its own, and those that its access rule, body and parameters imply. */
export function problemCodesOf(route: ControllerRoute, rule: AccessRule, nest: NestDocument): string[] {
  const operation = nest.operations.get(operationId(route.name));
  return codesOf(route, rule, {
    body: operation?.requestBody !== undefined,
    form: formFilesOf(route.handler) !== undefined,
    query: operation?.parameters.some((one) => one['in'] === 'query') ?? false,
    problems: descriptionOf(route.handler)?.problems ?? [],
  });
}

interface RouteFacts {
  readonly body: boolean;
  /** Whether it also accepts forms. */
  readonly form: boolean;
  readonly query: boolean;
  readonly problems: readonly string[];
}

function codesOf(route: ControllerRoute, rule: AccessRule, { body, form, query, problems }: RouteFacts): string[] {
  const reads = route.method === 'GET' || route.method === 'HEAD';
  const changes = readsPreconditions(route.handler);
  return [
    ...always,
    ...(rule.who === 'public' ? [] : ofKeys),
    ...(rule.who === 'key' || rule.who === 'guest' ? ['key.scope', 'key.address', 'key.origin', 'key.suspended'] : []),
    ...((rule.who === 'key' || rule.who === 'guest') && !reads ? ['tenant.quota'] : []),
    ...(rule.who === 'device' || rule.who === 'door' ? ['device.archived', 'key.wiped'] : []),
    ...(rule.who === 'door' ? ['device.locked', 'device.closed'] : []),
    ...(route.modules.length > 0 ? ['tenant.module'] : []),
    // A GET that changes data (pairing) is refused too.
    ...(route.method !== 'GET' || route.path.endsWith('/pair') ? ['tenant.archived'] : []),
    ...(body ? ofBodies : []),
    ...(form ? ['body.too_slow', 'tenant.busy'] : []),
    // Without a described body, a body with members is refused.
    ...(body || !reads ? ['body.invalid'] : []),
    ...(isWholeList(route.handler) ? ['tenant.busy'] : []),
    ...(query ? ['query.invalid'] : []),
    ...(honoursIdempotencyKey(route) ? idempotency : []),
    ...(changes ? ['precondition.failed'] : []),
    ...problems,
  ];
}
