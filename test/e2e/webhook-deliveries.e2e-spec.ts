import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { WebhookWorker } from '#webhooks';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { endpointsApi } from '../support/webhook-endpoints.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { letPass, loopbackAllowed, newKey, personalScopes } from '../support/webhooks.js';

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

const { call, create, happen, handOn } = endpointsApi(() => ({ test, tenant, authorization, receiver }));

describe('a webhook endpoint', () => {
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
