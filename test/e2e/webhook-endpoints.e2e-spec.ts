import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { WebhookWorker } from '#webhooks';
import type supertest from 'supertest';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { letPass, loopbackAllowed, newKey, personalScopes } from '../support/webhooks.js';

const path = '/api/v2/webhook-endpoints/';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  test = await startTestApp({ environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'webhook:read', 'webhook:write', ...personalScopes);
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());
afterAll(() => test.close());

type Method = Parameters<ReturnType<TestApp['on']>['call']>[0];

function call(method: Method, below = '', as = authorization, on = tenant): supertest.Test {
  return test.on(on).call(method, `${path}${below}`).set('Authorization', as);
}

interface Made {
  readonly identifier: string;
  readonly secret: string;
}

async function create(types: readonly string[] = ['*']): Promise<Made> {
  const { body } = await call('post').send({ url: receiver.url, types }).expect(201);
  receiver.secret = body.secret as string;
  return body as Made;
}

/** Creates an object, which publishes a webhook event. */
function happen(name = `Concert ${randomUUID()}`): Promise<unknown> {
  return test.inside(tenant, () => test.app.get(EventsService).create({ name, startsAt: new Date(Date.now() + 3_600_000) }));
}

/** Moves all events from the outbox to the feed by reading the feed. */
async function handOn(): Promise<void> {
  await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
}

describe('POST /api/v2/webhook-endpoints/', () => {
  it('answers 201 with identifier, url, types and the secret, which is shown only once', async () => {
    const answer = await call('post')
      .send({ url: receiver.url, types: ['ticket.scanned', 'event.created'], description: 'Till' })
      .expect(201);
    const { identifier, secret } = answer.body as Made;
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

  it('receives only its types', async () => {
    const { identifier } = await create(['ticket.scanned']);
    await happen();
    await handOn();
    await call('patch', `${identifier}/`)
      .send({ types: ['event.created'] })
      .expect(200);
    await happen('Wanted');
    await receiver.until(({ length }) => length > 0);
    expect(receiver.received.map(({ data }) => data['name'])).toEqual(['Wanted']);
  });

  it('receives a test on request, which is not in the feed', async () => {
    const { identifier } = await create(['ticket.scanned']);
    const { body } = await call('post', `${identifier}/ping/`).expect(202);
    await receiver.until(({ length }) => length === 1);
    expect(receiver.received[0]).toMatchObject({ id: body.event, type: 'webhook.ping' });
    expect(receiver.refused).toEqual([]);
    const { body: feed } = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization);
    expect(feed).toEqual({ results: [], next: 0, more: false });
  });

  it('receives nothing while disabled, and the waiting events when enabled', async () => {
    const { identifier } = await create();
    await call('patch', `${identifier}/`).send({ enabled: false }).expect(200);
    const { body: disabled } = await call('get', `${identifier}/`);
    expect(disabled).toMatchObject({ enabled: false, disabledReason: 'staff' });
    expect((await call('post', `${identifier}/ping/`).expect(409)).body).toMatchObject({
      code: 'webhook_endpoint.disabled',
    });
    await happen('While disabled');
    await handOn();
    await call('patch', `${identifier}/`).send({ enabled: true }).expect(200);
    await happen('Afterwards');
    await receiver.until(({ length }) => length > 0);
    expect(receiver.received.map(({ data }) => data['name'])).toEqual(['Afterwards']);
    // Events of that period are not lost: they are sent on request.
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await call('post', `${identifier}/send-again/`).send({ since }).expect(202)).body).toEqual({ deliveries: 1 });
    await receiver.until(({ length }) => length === 2);
    expect(receiver.received[1]!.data['name']).toBe('While disabled');
  });

  it('signs with both secrets for 24 hours after a rotation, then only with the new one', async () => {
    const { identifier, secret: first } = await create();
    const { body } = await call('post', `${identifier}/rotate-secret/`).expect(200);
    const second = body.secret as string;
    expect(second).not.toBe(first);
    const hours = (Date.parse(body.previousSecretValidUntil as string) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    for (const secret of [first, second]) {
      receiver.secret = secret;
      await happen();
      const count = receiver.received.length + 1;
      await receiver.until(({ length }) => length >= count);
    }
    expect(receiver.refused).toEqual([]);
    expect(String(receiver.received[0]!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await letPass(test, tenant, '24 hours');
    receiver.secret = first;
    await happen();
    await receiver.until(({ length }) => length === 3);
    expect(receiver.refused).toEqual(['No matching signature found']);
    expect(String(receiver.received[2]!.headers['webhook-signature']).split(' ')).toHaveLength(1);
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

describe('deliveries', () => {
  it('are listed with their results, and one is sent again with the same id', async () => {
    const { identifier } = await create();
    receiver.behaviour = (_request, response) => void response.writeHead(404).end('no such hook');
    await happen();
    await receiver.until(({ length }) => length === 1);
    let list: Record<string, unknown>[] = [];
    for (let look = 0; look < 100 && list[0]?.['attempts'] !== 1; look += 1) {
      list = (await call('get', `${identifier}/deliveries/?status=waiting`).expect(200)).body.results as typeof list;
    }
    expect(list).toMatchObject([{ type: 'event.created', status: 'waiting', attempts: 1, lastStatus: 404, lastFailure: 'status' }]);
    const delivery = list[0]!['identifier'];
    receiver.accept();
    await call('post', `${identifier}/send-again/`).send({ delivery }).expect(202);
    await receiver.until(({ length }) => length === 2);
    expect(receiver.ids.size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('are sent again only with an explicit selection', async () => {
    const { identifier } = await create();
    const other = await create();
    await happen();
    await receiver.until(({ length }) => length === 2);
    const { body } = await call('get', `${other.identifier}/deliveries/`).expect(200);
    const foreign = body.results[0].identifier as string;
    const again = (payload: object) => call('post', `${identifier}/send-again/`).send(payload);
    expect((await again({}).expect(400)).body).toMatchObject({ code: 'webhook_delivery.choose' });
    expect((await again({ delivery: randomUUID() }).expect(404)).body).toMatchObject({ code: 'webhook_delivery.unknown' });
    await again({ delivery: foreign }).expect(404);
    await again({ delivery: 'x' }).expect(400);
    await again({ since: 'yesterday' }).expect(400);
    await again({ since: new Date().toISOString(), delivery: foreign }).expect(400);
    for (const query of ['status=lost', 'limit=0', 'limit=501', 'limit=1.5', 'limit=x']) {
      const { body: problem } = await call('get', `${identifier}/deliveries/?${query}`).expect(400);
      expect(problem).toMatchObject({ code: 'query.invalid' });
    }
  });
});
