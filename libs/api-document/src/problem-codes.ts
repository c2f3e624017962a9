import { isWholeList, type RouteDescription } from '#http';
import { honoursIdempotencyKey, type AccessRule, type ControllerRoute } from '#tenancy';

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
  'server.failure',
  'server.unavailable',
];
const ofKeys = ['key.missing', 'key.malformed', 'key.unknown', 'key.revoked', 'key.expired', 'key.kind'];
const idempotency = ['idempotency.key_malformed', 'idempotency.key_reused', 'idempotency.in_progress', 'idempotency.answer_not_kept'];
const ofBodies = ['body.malformed', 'body.too_deep', 'body.too_many_values', 'body.too_large', 'body.unsupported_type'];

/** Every problem that a route may answer: its own, and those that follow from its access, its body and its parameters. */
export function problemCodesOf(
  route: Pick<ControllerRoute, 'method' | 'path' | 'handler' | 'modules'>,
  rule: AccessRule,
  { body, query, problems = [] }: RouteDescription,
): string[] {
  return [
    ...always,
    ...(rule.who === 'public' ? [] : ofKeys),
    ...(rule.who === 'key' || rule.who === 'guest' ? ['key.scope', 'key.address', 'key.origin', 'key.suspended'] : []),
    ...(rule.who === 'device' || rule.who === 'door' ? ['device.archived'] : []),
    ...(route.modules.length > 0 ? ['tenant.module'] : []),
    // A GET that changes something (pairing) is refused, too.
    ...(route.method !== 'GET' || route.path.endsWith('/pair') ? ['tenant.archived'] : []),
    ...(body ? ofBodies : []),
    ...(body?.files ? ['body.too_slow', 'body.invalid', 'tenant.busy'] : []),
    // Where no body is described, one with members is refused.
    ...(body?.type || (!body && route.method !== 'GET' && route.method !== 'HEAD') ? ['body.invalid'] : []),
    ...(isWholeList(route.handler) ? ['tenant.busy'] : []),
    ...(query ? ['query.invalid'] : []),
    ...(honoursIdempotencyKey(route) ? idempotency : []),
    ...problems,
  ];
}
