import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskSchedulerService } from '#jobs';
import { IdempotentRequestsService, type TenantIdentity } from '#tenancy';
import { WebhookEndpointsService } from '#webhooks';
import type supertest from 'supertest';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey, personalScopes } from '../support/webhooks.js';

const path = '/api/v2/webhook-endpoints/';
const wanted = { url: 'https://example.org/hook', types: ['*'], description: 'Till' };

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let key: string;
let logged = '';

beforeAll(async () => {
  test = await startTestApp({ tenants: 'many', log: (line) => (logged += line) });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'webhook:read', 'webhook:write', ...personalScopes);
  key = randomUUID();
});
afterAll(() => test.close());

interface Call {
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly as?: string;
  readonly on?: TenantIdentity;
  readonly to?: string;
}

function post({ body = wanted, idempotencyKey = key, as = authorization, on = tenant, to = path }: Call = {}) {
  return test.on(on).post(to).set('Authorization', as).set('Idempotency-Key', idempotencyKey).send(body);
}

/** The parts of a response that a repetition must return again. */
function toldBy({ status, text, headers }: supertest.Response): object {
  const { 'content-type': type, 'cache-control': cache, location } = headers;
  return { status, text, type, cache, location };
}

async function endpoints(of = tenant): Promise<number> {
  return (await test.inside(of, () => test.app.get(WebhookEndpointsService).list())).length;
}

function rows<Row extends object>(columns = '*'): Promise<Row[]> {
  return test.database.query(`select ${columns} from "${tenant.schemaName}".idempotent_request`);
}

/** Leaves the row of a running request, as a crashed process does. */
async function crashed(seconds: number): Promise<void> {
  await test.database.query(
    `begin; set local search_path to "${tenant.schemaName}"; delete from webhook_endpoint;
     update idempotent_request set status = null, sealed_answer = null, held_until = now() + interval '60 s' - interval '${seconds} s';
     commit`,
  );
}

describe('the same Idempotency-Key', () => {
  it('with the same body gets the same answer byte for byte, and creates nothing twice', async () => {
    const first = await post().expect(201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(first.headers['location']).toBe(`${path}${first.body.identifier as string}/`);
    for (const to of [path, path.slice(0, -1), '/API/v2/Webhook-Endpoints/']) {
      const again = await post({ to });
      expect(toldBy(again)).toEqual(toldBy(first));
      expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    }
    const reordered = await post({ body: { description: 'Till', types: ['*'], url: wanted.url } });
    expect(toldBy(reordered)).toEqual(toldBy(first));
    expect(toldBy(await post({ idempotencyKey: `"${key}"` }))).toEqual(toldBy(first));
    expect(await endpoints()).toBe(1);
  });

  it('sent twenty times at once creates one endpoint; each request gets its answer or is asked to retry', async () => {
    // Verified to create two endpoints when the row is selected first and inserted afterwards.
    for (let round = 0; round < 5; round += 1) {
      key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post()));
      const made = answers.filter(({ status }) => status === 201);
      const waiting = answers.filter(({ status }) => status === 409);
      expect(made.length + waiting.length).toBe(20);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      expect(made.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
      for (const { body, headers } of waiting) {
        expect([body.code, headers['retry-after']]).toEqual(['idempotency.in_progress', '1']);
      }
      expect(toldBy(await post())).toEqual(toldBy(made[0]!));
      expect(await endpoints()).toBe(round + 1);
    }
  });

  it('with another body or other parameters is 422', async () => {
    await post().expect(201);
    expect((await post({ body: { ...wanted, description: 'Bar' } }).expect(422)).body.code).toBe('idempotency.key_reused');
    await post({ to: `${path}?x=1` }).expect(422);
    expect(await endpoints()).toBe(1);
  });

  it('is independent for other tenants, API keys and paths', async () => {
    const first = await post().expect(201);
    const other = await test.newTenant();
    const theirs = await newKey(test, other, 'webhook:read', 'webhook:write', ...personalScopes);
    const second = await post({ on: other, as: theirs }).expect(201);
    const third = await post({ as: await newKey(test, tenant, 'webhook:write', ...personalScopes) }).expect(201);
    const fourth = await post({ to: `${path}${first.body.identifier as string}/rotate-secret/`, body: {} }).expect(200);
    for (const { headers } of [second, third, fourth]) expect(headers['idempotency-replayed']).toBeUndefined();
    expect(new Set([first, second, third, fourth].map(({ body }) => body.secret as string)).size).toBe(4);
    expect([await endpoints(), await endpoints(other)]).toEqual([2, 1]);
  });

  it('starts again after 24 hours, with any body', async () => {
    await post().expect(201);
    await test.database.query(`update "${tenant.schemaName}".idempotent_request set begun_at = now() - interval '23 hours 59 minutes'`);
    expect((await post().expect(201)).headers['idempotency-replayed']).toBe('true');
    await test.database.query(`update "${tenant.schemaName}".idempotent_request set begun_at = begun_at - interval '1 minute'`);
    const anew = await post({ body: { ...wanted, description: 'Bar' } }).expect(201);
    expect(anew.headers['idempotency-replayed']).toBeUndefined();
    expect(await endpoints()).toBe(2);
  });

  it('is deleted after 24 hours by the maintenance job, and not before', async () => {
    await post().expect(201);
    await post({ idempotencyKey: 'second' }).expect(201);
    await test.database.query(
      `with one as (select id from "${tenant.schemaName}".idempotent_request limit 1)
       update "${tenant.schemaName}".idempotent_request set begun_at = now() - interval '24 hours 1 second'
       where id in (select id from one)`,
    );
    await test.app.get(TaskSchedulerService).run('forget idempotency keys');
    expect(await rows()).toHaveLength(1);
  });
});

describe('a stored answer', () => {
  it('is encrypted: the table reveals neither the secret in the answer, nor the key, nor the body', async () => {
    const { body } = await post().expect(201);
    const text = JSON.stringify(await rows(`encode(sealed_answer, 'escape') as answer, *`));
    const bytes = (await rows<{ answer: Buffer }>('sealed_answer as answer'))[0]!.answer;
    for (const secret of [body.secret as string, key, 'example.org', authorization.slice(8)]) {
      expect(text).not.toContain(secret);
      expect(bytes.includes(secret)).toBe(false);
    }
    expect(logged).not.toContain(body.secret);
  });

  it('exists when the route refuses, but not when the body was invalid', async () => {
    await Promise.all(Array.from({ length: 20 }, () => post({ idempotencyKey: randomUUID() }).expect(201)));
    const refused = await post().expect(409);
    expect(refused.body.code).toBe('webhook_endpoint.too_many');
    await test.inside(tenant, async () => {
      const [one] = await test.app.get(WebhookEndpointsService).list();
      await test.app.get(WebhookEndpointsService).remove(one!.id);
    });
    const again = await post().expect(409);
    expect(toldBy(again)).toEqual(toldBy(refused));
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'content-language': 'en' });

    const corrected = randomUUID();
    await post({ idempotencyKey: corrected, body: { url: 7 } }).expect(400);
    await post({ idempotencyKey: corrected }).expect(201);
  });

  it('does not exist when the server failed: the key is free again', async () => {
    const { schemaName } = tenant;
    await test.database.query(`alter table "${schemaName}".webhook_feed rename to gone`);
    await post().expect(500);
    expect(await rows()).toEqual([]);
    await test.database.query(`alter table "${schemaName}".gone rename to webhook_feed`);
    await post().expect(201);
    expect(await endpoints()).toBe(1);
  });

  it('omits bodies larger than a megabyte, but records that the request was answered', async () => {
    const requests = test.app.get(IdempotentRequestsService);
    const [id, hash] = [randomBytes(32), randomBytes(32)];
    await test.inside(tenant, async () => {
      const begun = await requests.begin(id, hash);
      await requests.keep(begun, 201, { headers: {}, body: 'x'.repeat(1_048_577) });
      await expect(requests.begin(id, hash)).rejects.toThrow('idempotency.answer_not_kept');
    });
    expect((await rows<{ length: number | null }>('length(sealed_answer) as length'))[0]!.length).toBe(null);
    await post().expect(201);
    await test.database.query(`update "${tenant.schemaName}".idempotent_request set sealed_answer = null`);
    expect((await post().expect(409)).body).toMatchObject({ code: 'idempotency.answer_not_kept' });
    expect(await endpoints()).toBe(1);
  });
});

describe('a request whose process died', () => {
  it('blocks its key for a minute', async () => {
    await post().expect(201);
    await crashed(58);
    expect((await post().expect(409)).body.code).toBe('idempotency.in_progress');
    expect(await endpoints()).toBe(0);
  });

  it('is then taken over by exactly one of twenty, and not by another body', async () => {
    // Verified to be executed by all twenty when the statement that takes over the row does not check its time.
    await post().expect(201);
    await crashed(61);
    await post({ body: { ...wanted, description: 'Bar' } }).expect(422);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post()));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect(await endpoints()).toBe(1);
  });

  it('cannot store its answer any more when the process survives', async () => {
    const requests = test.app.get(IdempotentRequestsService);
    const [id, hash] = [randomBytes(32), randomBytes(32)];
    await test.inside(tenant, async () => {
      const late = await requests.begin(id, hash);
      await requests.renew(late);
      await crashed(61);
      const current = await requests.begin(id, hash);
      await requests.keep(late, 201, { headers: {}, body: 'late' });
      await requests.release(late);
      await expect(requests.begin(id, hash)).rejects.toThrow('idempotency.in_progress');
      await requests.keep(current, 201, { headers: {}, body: 'current' });
      await expect(requests.begin(id, hash)).rejects.toMatchObject({ answer: { body: 'current' } });
    });
  });
});

describe('the Idempotency-Key header', () => {
  it.each(['', ' ', '""', 'x'.repeat(256), `"${'x'.repeat(256)}"`, 'clé', 'a\tb'])('is refused as %j', async (value) => {
    const { body } = await post({ idempotencyKey: value }).expect(400);
    expect(body.code).toBe('idempotency.key_malformed');
    expect(await endpoints()).toBe(0);
  });

  it('is refused when it is sent twice', async () => {
    const body = JSON.stringify(wanted);
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: tenant.host, Authorization: authorization, 'Content-Type': 'application/json' };
      const sent = httpRequest({ port: test.port, host: '127.0.0.1', method: 'POST', path, headers });
      sent.setHeader('Idempotency-Key', ['one', 'two']);
      sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      sent.end(body);
    });
    expect(status).toBe(400);
  });

  it('is accepted with 255 characters', async () => {
    await post({ idempotencyKey: 'x'.repeat(255) }).expect(201);
    expect((await post({ idempotencyKey: 'x'.repeat(255) })).headers['idempotency-replayed']).toBe('true');
  });

  it('has no effect when it is missing, on other methods, and for unauthorised callers', async () => {
    for (let count = 1; count <= 2; count += 1) {
      await test.on(tenant).post(path).set('Authorization', authorization).send(wanted).expect(201);
    }
    expect(await endpoints()).toBe(2);
    const list = await test.on(tenant).get(path).set({ Authorization: authorization, 'Idempotency-Key': '' });
    expect(list.status).toBe(200);
    await post({ as: 'Api-Key x', idempotencyKey: '' }).expect(401);
    expect(await rows()).toEqual([]);
  });

  it('answers a repeat only to a key that still has access', async () => {
    await post().expect(201);
    await test.database.query('update shared.api_key set revoked_at = now()');
    expect((await post().expect(401)).body.code).toBe('key.revoked');
  });
});

it('logged no warning', () => {
  expect(logged.split('\n').filter((line) => line.includes('"level":"warn"'))).toEqual([]);
});
