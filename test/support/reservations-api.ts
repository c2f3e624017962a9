import { randomUUID } from 'node:crypto';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expect } from '@jest/globals';
import { newEvent } from './builders.js';
import { emptyTenant } from './empty-tenant.js';
import type { TestApp } from './test-app.js';
import { newKey } from './webhooks.js';

type Body = Record<string, unknown>;

/** A reservation as the API answers it. */
export interface ShownReservation extends Body {
  identifier: string;
  reservedTicket: { identifier: string; status: string; qrcode?: string; underName: Body }[];
}

/** The tenant, key and event that a test uses now. */
export interface Buyer {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  readonly authorization: string;
  readonly event: Awaited<ReturnType<typeof newEvent>>;
}

export const reservationsPath = '/api/v2/reservations/';

/** An empty tenant with an event, and a key that books and reads. @param before the tenant of the test before */
export async function newBuyer(test: TestApp, before: TenantIdentity | undefined): Promise<Omit<Buyer, 'test'>> {
  const tenant = await emptyTenant(test, before);
  const authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write', 'ticket:read', 'webhook:read');
  return { tenant, authorization, event: await newEvent(test, tenant) };
}

/** The state of a reservation: one of the letters of docs/decisions.md. */
export const statusOf = (shown: Body): unknown =>
  (shown['additionalProperty'] as { name: string; value: unknown }[]).find(({ name }) => name === 'status')?.value;

/** The problem of a refused request. */
export async function refused(work: supertest.Test, status: number, code: string): Promise<Body> {
  const { body } = await work;
  expect(body).toMatchObject({ status, code });
  return body as Body;
}

/** Pointers of the faults of a refused body. */
export async function faultsOf(work: supertest.Test): Promise<string[]> {
  const { errors } = await refused(work, 400, 'body.invalid');
  return (errors as { pointer: string }[]).map(({ pointer }) => pointer);
}

/** Calls of `/api/v2/reservations/`. @param now the buyer at the time of the call */
export function reservationsApi(now: () => Buyer) {
  const call = (method: 'get' | 'post' | 'patch', below = '', as = now().authorization): supertest.Test =>
    now().test.on(now().tenant).call(method, `${reservationsPath}${below}`).set('Authorization', as);
  const post = (body: object, as?: string): supertest.Test => call('post', '', as).send(body);
  const patch = (id: string, body: object): supertest.Test => call('patch', `${id}/`).send(body);
  const read = (below = ''): supertest.Test => call('get', below);

  /** A body that books one ticket of the event. */
  function wanted(more: object = {}, priceId = now().event.priceId): object {
    return {
      reservationFor: { identifier: now().event.id },
      underName: { '@type': 'Person', email: `${randomUUID()}@example.org`, givenName: 'Ada', familyName: 'Martin' },
      reservedTicket: [{ identifier: priceId }],
      ...more,
    };
  }

  async function make(more: object = {}, priceId?: string): Promise<ShownReservation> {
    const answer = await post(wanted(more, priceId));
    expect([answer.status, answer.status === 201 ? undefined : answer.body]).toEqual([201, undefined]);
    return answer.body as ShownReservation;
  }

  return { post, patch, read, wanted, make };
}
