import { randomUUID } from 'node:crypto';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expect } from '@jest/globals';
import { newEvent } from './builders.js';
import { emptyTenant } from './empty-tenant.js';
import type { TestApp } from './test-app.js';
import { newKey } from './webhooks.js';

export type Body = Record<string, unknown>;
interface Property {
  readonly name: string;
  readonly value: unknown;
}
export interface Field extends Body {
  identifier: string;
  name: string;
}
export interface Product extends Body {
  identifier: string;
  offers: { identifier: string }[];
  formFields?: Field[];
}
/** A reservation or a membership as the API answers it. */
export interface Booked extends Body {
  identifier: string;
  reservedTicket: { identifier: string; additionalProperty?: Property[] }[];
  additionalProperty: Property[];
}

/** The tenant, key and event that a test uses now. */
interface Caller {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  readonly authorization: string;
  readonly eventId: string;
}

/** An empty tenant with an event, and a key for products, bookings and memberships. @param before the tenant of the test before */
export async function newCaller(test: TestApp, before: TenantIdentity | undefined): Promise<Omit<Caller, 'test'>> {
  const tenant = await emptyTenant(test, before);
  const authorization = await newKey(
    test,
    tenant,
    'product:read',
    'product:write',
    'event:write',
    'reservation:read',
    'reservation:write',
    'membership:read',
    'membership:write',
    'webhook:read',
  );
  return { tenant, authorization, eventId: (await newEvent(test, tenant, { capacity: 500 })).id };
}

/** One question of each kind, for a reservation. */
export const everyKind = [
  { label: 'Téléphone', fieldType: 'shortText', required: true, helpText: 'For changes of the evening.' },
  { label: 'Bio', fieldType: 'longText' },
  { label: 'Town', fieldType: 'singleSelect', options: ['Paris', 'Lyon'], required: true },
  { label: 'Diet', fieldType: 'multiSelect', options: ['vegan', 'halal', 'no nuts'] },
  { label: 'House rules', fieldType: 'boolean', required: true },
];
export const perTicket = { label: 'Age of the child', fieldType: 'shortText', required: true, askedPer: 'ticket' };

/** The member with the answers, in a request body. */
export const form = (value: unknown): object => ({ additionalProperty: [{ name: 'customForm', value }] });

/** Answers by question, as in a response body. */
export function answersIn(properties: readonly Property[] | undefined): unknown {
  const shown = properties?.find(({ name }) => name === 'customForm')?.value as { propertyID: string; value: unknown }[] | undefined;
  return shown && Object.fromEntries(shown.map(({ propertyID, value }) => [propertyID, value]));
}

export async function made<Answer>(answer: supertest.Test): Promise<Answer> {
  const { status, body } = await answer;
  expect([status, status === 201 ? undefined : body]).toEqual([201, undefined]);
  return body as Answer;
}

/** Pointers and codes of the errors of a refused body. */
export async function faultsOf(work: supertest.Test): Promise<[string, string][]> {
  const { body } = await work;
  expect(body).toMatchObject({ status: 400, code: 'body.invalid' });
  const { errors } = body as { errors: { pointer: string; code: string }[] };
  return errors.map(({ pointer, code }): [string, string] => [pointer, code]);
}

/** Calls about products with questions and bookings with answers. @param now the caller at the time of the call */
export function questionsApi(now: () => Caller) {
  function post(path: string, body: object): supertest.Test {
    const { test, tenant, authorization } = now();
    return test.on(tenant).post(`/api/v2/${path}`).set('Authorization', authorization).send(body);
  }

  async function get(path: string): Promise<Body> {
    const { test, tenant, authorization } = now();
    return (await test.on(tenant).get(`/api/v2/${path}`).set('Authorization', authorization).expect(200)).body as Body;
  }

  /** A product with these questions that is sold for the event. */
  function newProduct(formFields: unknown, more: object = {}): Promise<Product> {
    return made<Product>(
      post('products/', {
        name: `Product ${randomUUID()}`,
        category: 'Ticket',
        offers: [{ name: 'Full price', price: '10.00' }],
        isRelatedTo: now().eventId,
        formFields,
        ...more,
      }),
    );
  }

  /** A body that books one ticket of the event. */
  function wanted({ offers }: Product, more: object = {}, line: object = {}): object {
    return {
      reservationFor: { identifier: now().eventId },
      underName: { email: `${randomUUID()}@example.org` },
      reservedTicket: [{ identifier: offers[0]!.identifier, ...line }],
      ...more,
    };
  }

  function book(product: Product, more: object = {}, line: object = {}): Promise<Booked> {
    return made<Booked>(post('reservations/', wanted(product, more, line)));
  }

  return { post, get, newProduct, wanted, book };
}
