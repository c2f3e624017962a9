import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { WebhookWorker } from '#webhooks';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { endpointsApi, endpointsPath as path, type MadeEndpoint } from '../support/webhook-endpoints.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { loopbackAllowed, newKey, personalScopes } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'many', environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'webhook:read', 'webhook:write', ...personalScopes);
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());
afterAll(() => test.close());

const { call, create, happen } = endpointsApi(() => ({ test, tenant, authorization, receiver }));

describe('POST /api/v2/webhook-endpoints/', () => {
  it('answers 201 with identifier, url, types and the secret, which is shown only once', async () => {
    const answer = await call('post')
      .send({ url: receiver.url, types: ['ticket.scanned', 'event.created'], description: 'Till' })
      .expect(201);
    const { identifier, secret } = answer.body as MadeEndpoint;
    expect(answer.body).toMatchObject({
      url: receiver.url,
      types: ['event.created', 'ticket.scanned'],
      description: 'Till',
      enabled: true,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.headers).toMatchObject({ location: `${path}${identifier}/`, 'cache-control': 'no-store' });
    const { body: found } = await call('get', `${identifier}/`).expect(200);
    expect(found).toEqual({ ...answer.body, secret: undefined });
    const { body: listed } = await call('get').expect(200);
    expect(listed).toEqual({ results: [found] });
    const [row] = await test.database.query<{ sealed_secret: Buffer }>(`select sealed_secret from "${tenant.schemaName}".webhook_endpoint`);
    expect(row!.sealed_secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
  });

  it.each([
    [{ types: ['*'] }, '/url'],
    [{ url: 'not an address', types: ['*'] }, '/url'],
    [{ url: 'ftp://example.org/', types: ['*'] }, '/url'],
    [{ url: 'http://example.org/hook', types: ['*'] }, '/url'],
    [{ url: 'https://user:secret@example.org/hook', types: ['*'] }, '/url'],
    [{ url: 'https://10.1.2.3/hook', types: ['*'] }, '/url'],
    [{ url: 'https://[::ffff:10.1.2.3]/hook', types: ['*'] }, '/url'],
    [{ url: 'https://169.254.169.254/latest/meta-data', types: ['*'] }, '/url'],
    [{ url: 'https://localhost/hook', types: ['*'] }, '/url'],
    [{ url: `https://example.org/${'x'.repeat(2000)}`, types: ['*'] }, '/url'],
    [{ url: `https://example.org/${'漢'.repeat(300)}`, types: ['*'] }, '/url'],
    [{ url: 'https://example.org/hook' }, '/types'],
    [{ url: 'https://example.org/hook', types: [] }, '/types'],
    [{ url: 'https://example.org/hook', types: ['ticket.eaten'] }, '/types'],
    [{ url: 'https://example.org/hook', types: [7] }, '/types'],
    [{ url: 'https://example.org/hook', types: 'ticket.scanned' }, '/types'],
    [{ url: 'https://example.org/hook', types: ['*'], description: 7 }, '/description'],
  ])('refuses %j at %s', async (body, pointer) => {
    const { body: problem } = await call('post').send(body).expect(400);
    expect(problem).toMatchObject({ code: 'body.invalid', errors: [{ pointer }] });
    expect((await call('get').expect(200)).body).toEqual({ results: [] });
  });

  it('accepts a public https address', async () => {
    await call('post')
      .send({ url: 'https://example.org/hook?for=us', types: ['*'] })
      .expect(201);
  });

  it('creates 20 of 30 that are requested at once', async () => {
    // Verified to create 25 without the lock on the feed's row.
    const answers = await Promise.all(Array.from({ length: 30 }, () => call('post').send({ url: receiver.url, types: ['*'] })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code as string)).toEqual(
      Array(10).fill('webhook_endpoint.too_many'),
    );
  });
});

describe('a webhook endpoint', () => {
  it('requires a key with the scope webhook, separately for reading and writing', async () => {
    const { identifier } = await create();
    const reader = await newKey(test, tenant, 'webhook:read');
    const stranger = await newKey(test, tenant, 'event:read', 'event:write');
    await call('get', '', reader).expect(200);
    await call('get', `${identifier}/deliveries/`, reader).expect(200);
    for (const [method, below] of [
      ['post', ''],
      ['patch', `${identifier}/`],
      ['delete', `${identifier}/`],
      ['post', `${identifier}/ping/`],
      ['post', `${identifier}/rotate-secret/`],
      ['post', `${identifier}/send-again/`],
    ] as const) {
      expect((await call(method, below, reader).send({}).expect(403)).body).toMatchObject({ code: 'key.scope' });
    }
    await call('get', '', stranger).expect(403);
    await test.on(tenant).get(path).expect(401);
  });

  it('accepts types with personal data only from keys that may read them, and refuses redirection without', async () => {
    const key = await newKey(test, tenant, 'webhook:write', 'reservation:read');
    const send = (types: string[]) => call('post', '', key).send({ url: 'https://example.org/hook', types });
    for (const types of [['*'], ['ticket.scanned'], ['event.created', 'membership.created']]) {
      expect((await send(types).expect(403)).body).toMatchObject({ code: 'key.scope' });
    }
    await send(['event.created', 'reservation.created']).expect(201);
    const { identifier } = await create();
    for (const change of [{ url: 'https://other.example/hook' }, { types: ['ticket.scanned'] }, { enabled: true }]) {
      expect((await call('patch', `${identifier}/`, key).send(change).expect(403)).body.code).toBe('key.scope');
    }
    await call('patch', `${identifier}/`, key)
      .send({ types: ['event.created'] })
      .expect(200);
  });

  it('is unknown to every other place, like an unknown id', async () => {
    const { identifier } = await create();
    const other = await test.newTenant();
    const theirs = await newKey(test, other, 'webhook:read', 'webhook:write', ...personalScopes);
    for (const id of [identifier, randomUUID(), 'not-an-id', '%00']) {
      for (const [method, below] of [
        ['get', `${id}/`],
        ['patch', `${id}/`],
        ['delete', `${id}/`],
        ['post', `${id}/ping/`],
        ['post', `${id}/rotate-secret/`],
        ['get', `${id}/deliveries/`],
      ] as const) {
        const { status } = await call(method, below, theirs, other).send(method === 'get' ? undefined : {});
        expect([id, method, below, id === '%00' ? [400, 404].includes(status) : status === 404]).toEqual([id, method, below, true]);
      }
    }
    await call('get', `${identifier}/`).expect(200);
  });

  it('changes address, types and description separately', async () => {
    const { identifier } = await create(['ticket.scanned']);
    await call('patch', `${identifier}/`)
      .send({ types: ['event.created'] })
      .expect(200);
    await call('patch', `${identifier}/`).send({ description: 'For the agenda' }).expect(200);
    const { body } = await call('patch', `${identifier}/`)
      .send({ url: `${receiver.url}/2` })
      .expect(200);
    expect(body).toMatchObject({ types: ['event.created'], description: 'For the agenda', url: `${receiver.url}/2` });
    const { body: cleared } = await call('patch', `${identifier}/`).send({ description: null }).expect(200);
    expect(cleared).not.toHaveProperty('description');
    await call('patch', `${identifier}/`).send({ description: 'For the agenda' }).expect(200);
    const { schemas } = (await test.on(tenant).get('/api/v2/openapi.json').expect(200)).body.components;
    for (const name of ['NewEndpointBody', 'EndpointChangeBody'])
      expect(schemas[name].properties.description.type).toEqual(['string', 'null']);
    const { body: refused } = await call('patch', `${identifier}/`)
      .send({ url: 'https://127.0.0.2.nip/', types: ['no'] })
      .expect(400);
    expect(refused.errors).toMatchObject([{ pointer: '/types' }]);
    expect((await call('get', `${identifier}/`)).body).toEqual(body);
  });

  it('is deleted with its deliveries', async () => {
    const { identifier } = await create();
    await happen();
    await receiver.until(({ length }) => length === 1);
    await call('delete', `${identifier}/`).expect(204);
    await call('get', `${identifier}/`).expect(404);
    await call('delete', `${identifier}/`).expect(404);
    const left = await test.database.query(
      `select 1 from "${tenant.schemaName}".webhook_delivery union all select 1 from shared.webhook_queue where endpoint_id = $1`,
      [identifier],
    );
    expect(left).toEqual([]);
  });
});
