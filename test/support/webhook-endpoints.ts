import { randomUUID } from 'node:crypto';
import { EventsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import type { TestApp } from './test-app.js';
import type { WebhookReceiver } from './webhook-receiver.js';

type Method = Parameters<ReturnType<TestApp['on']>['call']>[0];

/** A webhook endpoint as the API answers its creation. */
export interface MadeEndpoint {
  readonly identifier: string;
  readonly secret: string;
}

/** The tenant, key and receiver that a test uses now. */
interface Caller {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  readonly authorization: string;
  readonly receiver: WebhookReceiver;
}

export const endpointsPath = '/api/v2/webhook-endpoints/';

/** Calls of `/api/v2/webhook-endpoints/`. @param now the caller at the time of the call */
export function endpointsApi(now: () => Caller) {
  function call(method: Method, below = '', as = now().authorization, on = now().tenant): supertest.Test {
    return now().test.on(on).call(method, `${endpointsPath}${below}`).set('Authorization', as);
  }

  /** A new endpoint of the receiver, which checks signatures with its secret from then on. */
  async function create(types: readonly string[] = ['*']): Promise<MadeEndpoint> {
    const { receiver } = now();
    const { body } = await call('post').send({ url: receiver.url, types }).expect(201);
    receiver.secret = body.secret as string;
    return body as MadeEndpoint;
  }

  /** Creates an object, which publishes a webhook event. */
  function happen(name = `Concert ${randomUUID()}`): Promise<unknown> {
    const { test, tenant } = now();
    return test.inside(tenant, () => test.app.get(EventsService).create({ name, startsAt: new Date(Date.now() + 3_600_000) }));
  }

  /** Moves all events from the outbox to the feed by reading the feed. */
  async function handOn(): Promise<void> {
    const { test, tenant, authorization } = now();
    await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
  }

  return { call, create, happen, handOn };
}
