import { randomUUID } from 'node:crypto';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expect } from '@jest/globals';
import type { TestApp } from './test-app.js';

export type Body = Record<string, unknown>;

/** A product or an event as the API answers it; only products have offers. */
export type Made = Body & { identifier: string; offers: Body[] };

/** The tenant and key that a test uses now. */
interface Caller {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  readonly authorization: string;
}

export const productsPath = '/api/v2/products/';

/** Pointers of the errors of a refused body. */
export function faultsOf({ code, errors }: Body): string[] {
  expect(code).toBe('body.invalid');
  return (errors as { pointer: string }[]).map(({ pointer }) => pointer).toSorted();
}

/** Calls about products and the events that sell them. @param now the caller at the time of the call */
export function productsApi(now: () => Caller) {
  function call(method: 'get' | 'post', path: string, as = now().authorization, on = now().tenant): supertest.Test {
    return now().test.on(on).call(method, path).set('Authorization', as);
  }

  async function made(answer: supertest.Test, status = 201): Promise<Made> {
    const { status: got, body } = await answer;
    expect([got, got === status ? undefined : body]).toEqual([status, undefined]);
    return body as Made;
  }

  /** A new product, with a name and a category unless they are given; or the problem, when `status` is one. */
  function create(body: object = {}, status?: number): Promise<Made> {
    return made(call('post', productsPath).send({ name: `Product ${randomUUID()}`, category: 'Ticket', ...body }), status);
  }

  function newEvent(name: string): Promise<Made> {
    return made(call('post', '/api/v2/events/').send({ name, startDate: '2027-03-01T20:00:00+01:00' }));
  }

  /** Links products to an event. @returns the event, or the problem, when `status` is one */
  function link(event: string, body: object, status = 200): Promise<Made> {
    return made(call('post', `/api/v2/events/${event}/link-product/`).send(body), status);
  }

  async function get(id: string): Promise<Made> {
    return (await call('get', `${productsPath}${id}/`).expect(200)).body as Made;
  }

  /** Type, identifier and sequence of the published events, as in the webhook feed. */
  async function told(): Promise<[unknown, unknown, unknown][]> {
    const { body } = await call('get', '/api/v2/webhook-events/').expect(200);
    const { results } = body as { results: { type: string; data: Body }[] };
    return results.map(({ type, data }) => [type, data['identifier'], data['sequence']]);
  }

  return { call, create, newEvent, link, get, told };
}
