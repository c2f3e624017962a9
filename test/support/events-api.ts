import { randomUUID } from 'node:crypto';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expect } from '@jest/globals';
import type { TestApp } from './test-app.js';

type Method = Parameters<ReturnType<TestApp['on']>['call']>[0];
export type Body = Record<string, unknown>;

export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** The tenant and key that a test uses now. */
interface Caller {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  readonly authorization: string;
}

export const eventsPath = '/api/v2/events/';
export const startDate = '2027-03-01T20:00:00+01:00';
export const optionsOf = ({ additionalProperty }: Body): unknown =>
  (additionalProperty as { name: string; value: unknown }[]).find(({ name }) => name === 'options')?.value;

/** Calls of `/api/v2/events/`. @param now the caller at the time of the call */
export function eventsApi(now: () => Caller) {
  function call(method: Method, below = '', as = now().authorization, on = now().tenant): supertest.Test {
    return now().test.on(on).call(method, `${eventsPath}${below}`).set('Authorization', as);
  }

  /** A new event, with a name and a start unless they are given; or the problem, when `status` is one. */
  async function create(body: object = {}, status = 201): Promise<Body & { identifier: string }> {
    const answer = await call('post').send({ name: `Event ${randomUUID()}`, startDate, ...body });
    expect([answer.status, answer.status === status ? undefined : answer.body]).toEqual([status, undefined]);
    return answer.body as Body & { identifier: string };
  }

  async function get(id: string): Promise<Body> {
    return (await call('get', `${id}/`).expect(200)).body as Body;
  }

  async function patch(id: string, body: object, status = 200): Promise<Body> {
    const answer = await call('patch', `${id}/`).send(body);
    expect([answer.status, answer.status === status ? undefined : answer.body]).toEqual([status, undefined]);
    return answer.body as Body;
  }

  /** Pointers of the errors of a new event. */
  async function faultsOf(body: object): Promise<string[]> {
    const problem = await create(body, 400);
    expect(problem).toMatchObject({ code: 'body.invalid', status: 400 });
    return (problem['errors'] as Fault[]).map(({ pointer }) => pointer).toSorted();
  }

  /** Names of the events in a list. */
  async function named(query = ''): Promise<string[]> {
    const { body } = await call('get', query).expect(200);
    return (body as { results: { name: string }[] }).results.map(({ name }) => name);
  }

  /** The published events, as in the webhook feed. */
  async function told(): Promise<{ type: string; data: Body }[]> {
    const { test, tenant, authorization } = now();
    const { body } = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
    return (body as { results: { type: string; data: Body }[] }).results;
  }

  return { call, create, get, patch, faultsOf, named, told };
}
