import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocumentService, documented, type ApiDocument } from '#api-document';
import { descriptionOf } from '#http';
import { ApiKeysService, ControllerRoutes } from '#tenancy';
import { format } from 'oxfmt';
import { schemaValidator } from '../support/api-answers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const file = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'openapi.json');

let test: TestApp;
let document: ApiDocument;

beforeAll(async () => {
  test = await startTestApp();
  document = test.app.get(ApiDocumentService).document();
});
afterAll(() => test.close());

function problemExamples(of: ApiDocument): Record<string, { value: unknown }> {
  return (of['components'] as { examples: Record<string, { value: unknown }> }).examples;
}

describe('the API document', () => {
  it('describes every route below /api/, /scan/ and /tenant/, except the pages of the form', () => {
    const missing = test.app
      .get(ControllerRoutes)
      .all()
      .filter(({ path, handler }) => documented.test(`${path}/`) && !descriptionOf(handler));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('equals the committed openapi.json (UPDATE_OPENAPI=1 npm test -- api-document rewrites it)', async () => {
    const text = JSON.stringify(document);
    if (process.env['UPDATE_OPENAPI']) writeFileSync(file, (await format('openapi.json', text, { printWidth: 150 })).code);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text));
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)) as never);
    expect(JSON.stringify({ valid, errors }).slice(0, 1000)).toBe('{"valid":true}');
    expect(document['openapi']).toBe('3.1.0');
  });

  it('has examples that match their schemas', () => {
    const ajv = schemaValidator(document);
    const unfit: string[] = [];
    let looked = 0;
    const walk = (node: unknown, at: string): void => {
      if (node === null || typeof node !== 'object') return;
      const { schema, example, examples } = node as { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> };
      if (schema && !Array.isArray(node)) {
        const all = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples ?? {}).flatMap(({ value }) => (value === undefined ? [] : [value])),
        ];
        const validate = all.length > 0 ? ajv.compile({ $ref: `document#${encodeURI(`${at}/schema`)}` }) : undefined;
        for (const one of all) {
          looked += 1;
          if (!validate?.(one)) unfit.push(`${at}: ${ajv.errorsText(validate?.errors)}`);
        }
      }
      for (const [name, value] of Object.entries(node)) walk(value, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    };
    walk(document.paths, '/paths');
    const validProblem = ajv.compile({ $ref: 'document#/components/schemas/Problem' });
    for (const [code, { value }] of Object.entries(problemExamples(document))) {
      looked += 1;
      if (!validProblem(value)) unfit.push(`${code}: ${ajv.errorsText(validProblem.errors)}`);
    }
    expect(unfit).toEqual([]);
    expect(looked).toBeGreaterThan(50);
  });

  it('is served for generated clients, also valid, without webhooks', async () => {
    const tenant = await test.newTenant();
    const { body, headers } = await test.on(tenant).get('/api/v2/openapi-clients.json').expect(200);
    expect((await new Validator().validate(body as never)).valid).toBe(true);
    expect(Object.keys((body as ApiDocument).paths)).toEqual(Object.keys(document.paths));
    expect(body).not.toHaveProperty('webhooks');
    await test.on(tenant).get('/api/v2/openapi-clients.json').set('If-None-Match', String(headers['etag'])).expect(304);
  });

  it('is served at /api/v2/openapi.json, with 304 when unchanged', async () => {
    const tenant = await test.newTenant();
    const { body, headers } = await test.on(tenant).get('/api/v2/openapi.json').expect(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    await test.on(tenant).get('/api/v2/openapi.json').set('If-None-Match', String(headers['etag'])).expect(304);
  });

  it('describes the answer to a key that is used from another address', async () => {
    const tenant = await test.newTenant();
    const { key } = await test.inside(tenant, () =>
      test.app.get(ApiKeysService).createIntegrationKey({ name: 'Elsewhere', scopes: ['webhook:read'], allowedAddresses: ['192.0.2.1'] }),
    );
    const { body } = await test.on(tenant).get('/api/v2/webhook-endpoints/').set('Authorization', `Api-Key ${key}`).expect(403);
    expect(body).toMatchObject({ code: 'key.address' });
  });
});
