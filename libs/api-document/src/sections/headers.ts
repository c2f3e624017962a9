import { appliesPrefer, readsFound, successorOf, versioningOf, type JsonSchema } from '#http';
import { honoursIdempotencyKey, type ControllerRoute } from '#tenancy';

const text = { type: 'string' } as const;

/** Response headers with the same meaning on all routes. */
export const commonHeaders: Readonly<Record<string, JsonSchema>> = {
  ETag: {
    description: 'Version of the answer: send it back in If-None-Match to read, in If-Match to change.',
    schema: { ...text, pattern: '^(W/)?"[^"]+"$' },
    example: '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC"',
  },
  'Last-Modified': {
    description: 'When the object changed last (an HTTP date).',
    schema: text,
    example: 'Sat, 21 Nov 2026 10:15:37 GMT',
  },
  'Preference-Applied': {
    description: 'The preference of the request that was followed.',
    schema: { ...text, pattern: '^(return=(minimal|representation))?(, )?(handling=lenient)?$' },
    example: 'return=minimal',
  },
  'Ignored-Members': {
    description:
      'JSON pointers (RFC 6901, in the encoding of URI fragments) of members of the body that were accepted and have no meaning here; ' +
      'after the first 50 the token `more` with their number.',
    schema: text,
    example: '"/aggregateRating", "/location/hasMap"',
  },
  'Idempotency-Replayed': {
    description: '`true`: the request was done before under this Idempotency-Key, and this is its answer.',
    schema: { enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds after which the request may be sent again.',
    schema: { type: 'integer', minimum: 0 },
  },
  Deprecation: {
    description: 'Since when the route has a successor (RFC 9745): `@` and seconds of Unix time. `Link` names the successor.',
    schema: { ...text, pattern: '^@\\d+$' },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text, example: 'Api-Key' },
};

/** Statuses whose responses always have a Retry-After header. */
const retried = new Set(['429', '503']);

const reference = (name: string): JsonSchema => ({ $ref: `#/components/headers/${name}` });

/** Headers of a successful response: those that the route describes, and those that its decorators imply. */
export function answerHeaders(route: ControllerRoute, status: string, headers: Readonly<Record<string, string>> = {}): JsonSchema {
  const versioning = versioningOf(route.handler);
  const isShown = versioning !== undefined && status !== '204';
  const names = [
    ...(isShown ? ['ETag', ...(versioning.modified ? ['Last-Modified'] : [])] : []),
    ...(appliesPrefer(route.handler) ? ['Preference-Applied'] : []),
    ...(readsFound(route.handler) ? ['Ignored-Members'] : []),
    ...(honoursIdempotencyKey(route) ? ['Idempotency-Replayed'] : []),
    ...(successorOf(route.handler) === undefined ? [] : ['Deprecation']),
  ];
  const described = Object.entries(headers).filter(([name]) => !names.includes(name));
  return {
    ...Object.fromEntries(described.map(([name, description]) => [name, { description, schema: schemaOf(name) }])),
    ...Object.fromEntries(names.map((name) => [name, reference(name)])),
  };
}

function schemaOf(name: string): JsonSchema {
  return (commonHeaders[name]?.['schema'] as JsonSchema | undefined) ?? text;
}

/** The headers of a problem. */
export function problemHeaders(status: string): JsonSchema {
  return {
    ...(retried.has(status) && { 'Retry-After': reference('Retry-After') }),
    ...(status === '401' && { 'WWW-Authenticate': reference('WWW-Authenticate') }),
    ...(status === '412' && { ETag: reference('ETag') }),
  };
}
