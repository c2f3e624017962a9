import { appliesPrefer, readsFound, readsPreconditions, versioningOf, type JsonSchema } from '#http';
import { honoursIdempotencyKey, type ControllerRoute } from '#tenancy';

const text = { type: 'string' } as const;

/** All parameters of a route: path, query and headers. */
export function parametersOf(route: ControllerRoute, described: readonly JsonSchema[]): JsonSchema[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { description = 'Identifier.', schema } = described.find((one) => one['name'] === name && one['in'] === 'path') ?? {};
    return {
      name,
      in: 'path',
      required: true,
      description,
      ...withExampleBeside((schema ?? { type: 'string', format: 'uuid' }) as JsonSchema),
    };
  });
  const inQuery = described
    .filter((one) => one['in'] === 'query')
    .map((one) => ({ ...one, schema: withoutNull(one['schema'] as JsonSchema) }));
  return [...inPath, ...inQuery, ...headerParameters(route)];
}

function withExampleBeside({ example, ...schema }: JsonSchema): JsonSchema {
  return { schema, ...(example === undefined ? {} : { example }) };
}

/** Query parameters cannot be null, unlike members of a body. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(Array.isArray(type) && { type: type.find((one) => one !== 'null') as unknown }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}

function headerParameters(route: ControllerRoute): JsonSchema[] {
  const versioning = versioningOf(route.handler);
  const reads = route.method === 'GET';
  return [
    ...(honoursIdempotencyKey(route) ? [idempotencyKey] : []),
    ...(reads && versioning ? [header('If-None-Match', 'Entity tags that the caller has: answered 304 when one is current.')] : []),
    ...(reads && versioning?.modified
      ? [header('If-Modified-Since', 'An HTTP date: answered 304 when nothing changed since. Ignored beside If-None-Match.')]
      : []),
    ...(readsPreconditions(route.handler)
      ? [
          header('If-Match', 'Entity tags, or `*`: refused with 412 unless one is current.'),
          header('If-None-Match', 'Entity tags, or `*`: refused with 412 when one is current.'),
        ]
      : []),
    ...(readsPreconditions(route.handler) && versioning?.modified
      ? [header('If-Unmodified-Since', 'An HTTP date: refused with 412 when the object changed since. Ignored beside If-Match.')]
      : []),
    ...(appliesPrefer(route.handler)
      ? [
          header(
            'Prefer',
            [
              '`return=minimal`: an answer without a body, 204 instead of 200.',
              readsFound(route.handler) && '`handling=lenient`: members that schema.org does not have are accepted and ignored, too.',
              'Other preferences are ignored (RFC 7240).',
            ]
              .filter(Boolean)
              .join(' '),
          ),
        ]
      : []),
  ];
}

const idempotencyKey = {
  ...header(
    'Idempotency-Key',
    'Made by the caller, 1 to 255 visible ASCII characters or spaces, with or without quotation marks. The same request under the ' +
      'same key is done once within 24 hours.',
  ),
  schema: { ...text, pattern: '^[!#-~]([ -~]{0,253}[!#-~])?$', minLength: 1, maxLength: 255 },
};

function header(name: string, description: string): JsonSchema {
  return { name, in: 'header', required: false, description, schema: text };
}
