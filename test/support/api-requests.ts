import type { ApiDocument } from '#api-document';
import fc from 'fast-check';
import { evil, fitting, known, knownOf, type Json, type Schema } from './api-values.js';

/** A generated request. Ids of the tenant under test are placeholders `known:<number>`, which `withKnownIds` replaces. */
export interface ApiRequest {
  readonly operation: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'head';
  readonly path: string;
  readonly authorization: 'right' | 'none' | 'other' | 'forged';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Operation {
  readonly responses: object;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: Json; readonly examples?: object }>>;
  };
}

/** Ids and codes of the tenant under test, by the path segment before them: `events`, `reservations` … */
export type Known = Readonly<Record<string, readonly string[]>>;

/** Replaces the placeholders of a request by ids and codes of a tenant. */
export function withKnownIds(text: string, known: Known): string {
  const all = Object.values(known).flat();
  return text.replace(/\b(known|of-[a-z-]+):(\d+)/g, (_, kind: string, number: string) => {
    const some = known[kind.slice(3)] ?? all;
    return some[Number(number) % some.length] as string;
  });
}

/** Requests for every operation of an API document: valid, at the limits, with single values changed, and with other content. */
export function requestsOf(document: ApiDocument): fc.Arbitrary<ApiRequest> {
  const schemas = (document as unknown as { components: { schemas: Record<string, Schema> } }).components.schemas;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as unknown as Readonly<Record<string, Operation>>)
      .filter(([, operation]) => typeof operation === 'object' && 'responses' in operation)
      .map(([method, operation]) => requestOf(path, method as ApiRequest['method'], operation, schemas)),
  );
  return fc.oneof(...operations);
}

function requestOf(
  path: string,
  method: ApiRequest['method'],
  { parameters = [], requestBody }: Operation,
  schemas: Readonly<Record<string, Schema>>,
): fc.Arbitrary<ApiRequest> {
  const valueOf = (schema: Schema): fc.Arbitrary<Json> => fitting(schema, schemas, 0);
  const textOf = (schema: Schema): fc.Arbitrary<string> =>
    fc.oneof({ weight: 3, arbitrary: valueOf(schema) }, { weight: 1, arbitrary: evil }).map((value) =>
      // Lone surrogates cannot be encoded in an address or a header.
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300).replaceAll(/[\ud800-\udfff]/g, '�'),
    );
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const [, noun] = /([a-z-]+)\/\{/.exec(path) ?? [];
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const contents = Object.entries(requestBody?.content ?? {});
  const body = contents.length === 0 ? fc.constant(undefined) : bodyOf(contents, valueOf);
  return fc
    .record({
      ids: fc.tuple(
        ...inPath.map(({ schema }) =>
          fc.oneof({ weight: 6, arbitrary: knownOf(noun) }, { weight: 2, arbitrary: known }, { weight: 2, arbitrary: textOf(schema) }),
        ),
      ),
      query: fc.tuple(
        ...inQuery.map(({ name, schema }) =>
          fc.option(
            textOf(schema).map((text) => [name, text] as const),
            { freq: 3 },
          ),
        ),
      ),
      authorization: fc.oneof(
        { weight: 9, arbitrary: fc.constant('right' as const) },
        { weight: 1, arbitrary: fc.constantFrom('none' as const, 'other' as const, 'forged' as const) },
      ),
      headers: fc.record(
        {
          'Accept-Language': fc.constantFrom('fr', 'en;q=0', '*', 'x'.repeat(300)),
          'If-Match': fc.constantFrom('*', '"x"', 'W/"x", "y"', 'x'),
          'If-None-Match': fc.constantFrom('"x"', 'W/"x"', 'x'),
          'Idempotency-Key': fc.constantFrom('', 'a', 'b', '"c"', 'x'.repeat(256)),
          Prefer: fc.constantFrom('return=minimal', 'return=;', 'x'),
          Accept: fc.constantFrom('*/*', 'text/html', 'application/json;q=0'),
        },
        { requiredKeys: [] },
      ),
      quiet: fc.nat(3),
      sent: body,
    })
    .map(({ ids, query, authorization, headers, quiet, sent }) => {
      const address = inPath.reduce((so, { name }, index) => so.replace(`{${name}}`, segment(ids[index] as string)), path);
      const asked = query.filter((part) => part !== null);
      const pairs = asked.map(([name, text]): [string, string] => [name, text]);
      return {
        operation: `${method.toUpperCase()} ${path}`,
        method,
        path: asked.length === 0 ? address : `${address}?${new URLSearchParams(pairs).toString().replaceAll('%3A', ':')}`,
        authorization,
        headers: { ...(quiet === 0 && headers), ...(sent && { 'Content-Type': sent.type }) },
        ...(sent && { body: sent.text }),
      };
    });
}

/** Encodes a path segment. A segment of dots only would change the path. */
function segment(text: string): string {
  if (/^(known|of-[a-z-]+):\d+$/.test(text)) return text;
  return /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(text);
}

interface SentBody {
  readonly type: string;
  readonly text: string;
}

function bodyOf(
  contents: readonly [string, { readonly schema: Schema; readonly example?: Json; readonly examples?: object }][],
  valueOf: (schema: Schema) => fc.Arbitrary<Json>,
): fc.Arbitrary<SentBody> {
  const examples = contents.flatMap(([, { example, examples: named = {} }]) => [
    ...(example === undefined ? [] : [example]),
    ...Object.values(named).map(({ value }: { value: Json }) => value),
  ]);
  const [[, { schema }]] = contents as [[string, { schema: Schema }]];
  const meant = fc.oneof(
    valueOf(schema),
    ...(examples.length === 0 ? [] : [fc.tuple(fc.constantFrom(...examples), fc.nat(199)).map(([value, at]) => here(value, at))]),
  );
  const lying = fc
    .tuple(meant, fc.array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'wrap', 'add'), evil), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<Json>((so, [at, how, other]) => changed(so, at, how, other), value));
  const value = fc.oneof({ weight: 5, arbitrary: meant }, { weight: 5, arbitrary: lying }, { weight: 1, arbitrary: evil });
  return fc.oneof(
    { weight: 8, arbitrary: value.map((sent) => ({ type: 'application/json', text: JSON.stringify(sent) })) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...contents.map(([type]) => type)), value).map(([type, sent]) => asType(type, sent)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            'application/json',
            'application/x-www-form-urlencoded',
            'multipart/form-data; boundary=x',
            'text/plain',
            'application/json; charset=utf-16',
            'x',
          ),
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('{', '[', '{"a":1,"a":2}', '[[[['.repeat(200), '--x\r\n\r\n', 'a[b][c]=1&a=2', '%', '{"__proto__":{"a":1}}'),
          ),
        )
        .map(([type, text]) => ({ type, text })),
    },
  );
}

/** An example with its ids replaced by placeholders. */
function here(value: Json, at: number): Json {
  const text = JSON.stringify(value).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, `known:${at}`);
  return JSON.parse(text) as Json;
}

function asType(type: string, value: Json): SentBody {
  const members = value !== null && typeof value === 'object' ? Object.entries(value) : [['value', value] as const];
  const texts = members.map(([name, member]) => [name, typeof member === 'string' ? member : JSON.stringify(member)] as const);
  if (type === 'multipart/form-data') {
    const part = ([name, text]: readonly [string, string]): string => {
      const file = name === 'img' || name === 'sticker_img' ? '; filename="a.png"\r\nContent-Type: image/png' : '';
      return `--x\r\nContent-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '')}"${file}\r\n\r\n${text}\r\n`;
    };
    return { type: `${type}; boundary=x`, text: `${texts.map(part).join('')}--x--\r\n` };
  }
  if (type === 'application/x-www-form-urlencoded')
    return { type, text: new URLSearchParams(texts.map(([name, text]): [string, string] => [name, text])).toString() };
  return { type, text: JSON.stringify(value) };
}

/** A copy with one nested value changed. */
function changed(value: Json, at: number, how: string, other: Json): Json {
  const copy = structuredClone({ root: value }) as { [member: string]: Json };
  const places: [Json[] | { [member: string]: Json }, string][] = [];
  const walk = (holder: Json[] | { [member: string]: Json }): void => {
    for (const [name, member] of Object.entries(holder)) {
      places.push([holder, name]);
      if (member !== null && typeof member === 'object') walk(member);
    }
  };
  walk(copy);
  const [holder, name] = places[at % places.length] as [{ [member: string]: Json }, string];
  if (how === 'remove') delete holder[name];
  else if (how === 'wrap') holder[name] = [holder[name] as Json, other];
  else if (how === 'add' && holder[name] !== null && typeof holder[name] === 'object') Object.assign(holder[name], { unexpected: other });
  else holder[name] = other;
  return copy['root'] ?? null;
}
