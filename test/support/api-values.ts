import fc from 'fast-check';

export type Schema = Readonly<Record<string, unknown>>;
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** Placeholders of ids: of any noun, or of the noun in a path. */
export const knownOf = (noun?: string): fc.Arbitrary<string> =>
  fc.nat(199).map((number) => `${noun === undefined ? 'known' : `of-${noun}`}:${number}`);
export const known = knownOf();

/** Valid values of text fields. */
const usualWords = [
  'Concert',
  'Été',
  'B',
  'A',
  'F',
  'FR',
  'Y',
  '12.50',
  '0',
  '7',
  'true',
  'cash',
  'ada@example.org',
  'Zoë',
  'not_yet',
  '*',
  'event.updated',
  '2027-05-21T20:30',
  '2027-05-21T23:30:00+02:00',
  '2027-05-21',
  '2020-01-01T00:00:00Z',
  'https://schema.org/ReservationCancelled',
  'https://schema.org/ReservationConfirmed',
  'EventScheduled',
  'cancelled',
  'http://127.0.0.1:1/',
  'https://nobody.invalid/',
];
const usual = fc.constantFrom(...usualWords);

/** Values that break programs without input validation. */
export const evil: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    '',
    ' ',
    0,
    -1,
    0.1,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53,
    1e21,
    [],
    {},
    [[]],
    [null],
    '\u0000',
    '\ud800',
    '\u202e',
    "'; --",
    '%00',
    '../..',
    '{{7*7}}',
    'NaN',
    'Infinity',
    '1e999',
    '0x10',
    '٣',
    '\uffff',
    '𝒳',
    '9999-12-31T23:59:59Z',
    '0000-00-00',
    '2027-02-30',
    '-271821-04-20T00:00:00Z',
    '00000000-0000-0000-0000-000000000000',
    'constructor',
    '__proto__',
    { constructor: null },
    { toString: 1, length: -1 },
    'x'.repeat(201),
    'é'.repeat(100_001),
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.string({ unit: 'binary', maxLength: 30 }),
  known,
  usual,
);

/** Values that match a schema, including its limits. */
export function fitting(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): fc.Arbitrary<Json> {
  const of = (inner: unknown): fc.Arbitrary<Json> => fitting(inner as Schema, schemas, depth + 1);
  const {
    $ref,
    anyOf,
    oneOf,
    allOf,
    enum: values,
    type,
    format,
    pattern,
  } = schema as {
    readonly $ref?: string;
    readonly anyOf?: readonly Schema[];
    readonly oneOf?: readonly Schema[];
    readonly allOf?: readonly Schema[];
    readonly enum?: readonly Json[];
    readonly type?: string | readonly string[];
    readonly format?: string;
    readonly pattern?: string;
  };
  if (depth > 8) return fc.constant(null);
  if ($ref) return of(schemas[$ref.split('/').at(-1) as string]);
  if (anyOf || oneOf) return fc.oneof(...(anyOf ?? oneOf ?? []).map(of));
  if (allOf) return fc.tuple(...allOf.map(of)).map((parts) => Object.assign({}, ...parts) as Json);
  if (values) return fc.constantFrom(...values);
  if ('const' in schema) return fc.constant(schema['const'] as Json);
  const types = typeof type === 'string' ? [type] : (type ?? ['any']);
  return fc.oneof(...types.map((one) => ofType(one, schema, of, format, pattern)));
}

function ofType(
  type: string,
  schema: Schema,
  of: (inner: unknown) => fc.Arbitrary<Json>,
  format: string | undefined,
  pattern: string | undefined,
): fc.Arbitrary<Json> {
  const { minimum = -5, maximum = 1_000_000, minLength = 0, maxLength = 60, minItems = 0, maxItems = 3 } = schema as Record<string, number>;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
    case 'number':
      return fc.integer({ min: minimum * 100, max: Math.min(maximum, 1_000_000) * 100 }).map((cents) => cents / 100);
    case 'array':
      return fc.array(of(schema['items']), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
      const requiredKeys = ((schema['required'] ?? []) as string[]).filter((name) => properties.some(([known]) => known === name));
      const members = Object.fromEntries(properties.map(([name, inner]) => [name, of(inner)]));
      const needed = Object.fromEntries(requiredKeys.map((name) => [name, members[name] as fc.Arbitrary<Json>]));
      const some = fc.record(members, { requiredKeys: requiredKeys as never[] });
      return (requiredKeys.length === 0 ? some : fc.oneof(some, fc.record(needed))) as fc.Arbitrary<Json>;
    }
    case 'string': {
      if (format === 'uuid') return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: fc.uuid() });
      if (format === 'date-time') return fc.constantFrom('2027-05-21T20:30:00+02:00', '2026-01-01T00:00:00Z');
      if (format === 'idn-email') return fc.constantFrom('ada@example.org', 'zoé@exämple.org');
      if (format === 'uri') return fc.constantFrom('https://nobody.invalid/', 'http://127.0.0.1:1/');
      if (pattern) {
        const expression = new RegExp(pattern);
        const words = usualWords.filter((word) => expression.test(word));
        const any = fc.stringMatching(expression);
        return words.length === 0 ? any : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: any });
      }
      const limits = fc.constantFrom('x'.repeat(minLength), 'x'.repeat(Math.min(maxLength, 100_000)));
      return fc.oneof({ weight: 4, arbitrary: usual }, { weight: 2, arbitrary: known }, { weight: 1, arbitrary: limits });
    }
    default:
      return evil;
  }
}
