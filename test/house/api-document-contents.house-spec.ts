import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { webhookEventTypes } from '#webhooks';

interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly responses: Readonly<Record<string, { headers?: object; links?: Record<string, { operationId: string }> }>>;
}

interface Webhook {
  readonly post: {
    readonly requestBody: { readonly content: { 'application/json': { schema: { properties: { data: { $ref?: string } } } } } };
  };
}

type Schema = Readonly<Record<string, unknown>>;

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly webhooks: Readonly<Record<string, Webhook>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as ApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ route: `${method} ${path}`, method, operation })),
);
const named = (name: string, place: string) =>
  operations.filter(({ operation }) => operation.parameters.some((one) => one.name === name && one.in === place));

function enumsIn(node: unknown, at = ''): { at: string; values: readonly unknown[] }[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, value]) => enumsIn(value, `${at}/${name}`));
  const { enum: values } = node as { enum?: unknown };
  return Array.isArray(values) ? [{ at, values }, ...inner] : inner;
}

describe('the contents of the API document', () => {
  it('describe every tag and every operation', () => {
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
    expect(operations.filter(({ operation }) => !operation.description).map(({ route }) => route)).toEqual([]);
  });

  it('name no value of an enum twice', () => {
    expect(enumsIn(document).filter(({ values }) => new Set(values).size < values.length)).toEqual([]);
  });

  it('describe pages and days as whole numbers with bounds', () => {
    for (const name of ['page', 'page_size', 'next_days', 'limit']) {
      const found = named(name, 'query').flatMap(({ operation }) => operation.parameters.filter((one) => one.name === name));
      expect(found.length).toBeGreaterThan(0);
      for (const { schema } of found) expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: expect.any(Number) });
    }
  });

  it('describe the headers of conditional requests, preferences and repeats as parameters', () => {
    expect(named('If-Match', 'header').length).toBe(19);
    expect(named('If-None-Match', 'header').length).toBeGreaterThan(30);
    expect(named('Prefer', 'header').length).toBeGreaterThan(15);
    for (const { operation } of named('Idempotency-Key', 'header')) {
      const { schema } = operation.parameters.find(({ name }) => name === 'Idempotency-Key')!;
      const pattern = new RegExp(String(schema['pattern']));
      expect(['a', '8e03978e 40d5', 'é', '', ' a'].map((key) => pattern.test(key))).toEqual([true, true, false, false, false]);
    }
  });

  it('describe when a refused request may be sent again', () => {
    for (const { operation } of operations)
      for (const status of ['429', '503']) expect(operation.responses[status]).toMatchObject({ headers: { 'Retry-After': {} } });
  });

  it('link the creation of an object to the operations that read and change it', () => {
    const links = operations.flatMap(({ operation }) => Object.values(operation.responses['201']?.links ?? {}));
    const ids = new Set(operations.map(({ operation }) => operation.operationId));
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter(({ operationId }) => !ids.has(operationId))).toEqual([]);
  });

  it('describe every type of webhook, with the class of its data', () => {
    expect(Object.keys(document.webhooks)).toEqual(webhookEventTypes);
    const open = Object.entries(document.webhooks).filter(([, { post }]) => {
      const { $ref } = post.requestBody.content['application/json'].schema.properties.data;
      return document.components.schemas[$ref?.split('/').at(-1) ?? '']?.['additionalProperties'] !== false;
    });
    expect(open.map(([type]) => type)).toEqual([]);
  });

  it('come from the classes of requests and answers: no schema is written by hand, and no controller answers any object', () => {
    const sources = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    expect(sources.filter((path) => path.endsWith('.api.ts'))).toEqual([]);
    const untyped = sources.filter((path) => {
      const text = readFileSync(join(root, 'libs', path), 'utf8');
      return /@Describe\(/.test(text) && /Promise<(?:Reply<)?(?:object|unknown)\b/.test(text);
    });
    expect(untyped).toEqual([]);
  });
});
