import { randomUUID } from 'node:crypto';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expect } from '@jest/globals';
import type { TestApp } from './test-app.js';

type Body = Record<string, unknown>;
export type LegacyProduct = Body & { uuid: string; prices: Body[] };

/** The tenant and key that a test uses now. */
interface Caller {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  readonly authorization: string;
}

export const products = '/api/products/';
export const prices = '/api/prices/';

/** Pointers of the faults of a problem, sorted. */
export const faultsOf = ({ code, errors }: Body): string[] => {
  expect(code).toBe('body.invalid');
  return (errors as { pointer: string }[]).map(({ pointer }) => pointer).toSorted();
};

/** Calls of the first API for products and prices. @param now the caller at the time of the call */
export function legacyCatalogue(now: () => Caller) {
  const send = (path: string, as = now().authorization): supertest.Test => now().test.on(now().tenant).post(path).set('Authorization', as);

  /** The created object; or the problem, when `status` is one. */
  async function make(path: string, body: object, status = 201): Promise<LegacyProduct> {
    const answer = await send(path).send(body);
    expect([answer.status, answer.status === status ? undefined : answer.body]).toEqual([status, undefined]);
    return answer.body as LegacyProduct;
  }

  const makeProduct = (body: object = {}, status?: number): Promise<LegacyProduct> =>
    make(products, { name: `Product ${randomUUID()}`, categorie_article: 'B', ...body }, status);
  const makePrice = (product: string, body: object = {}, status?: number): Promise<LegacyProduct> =>
    make(prices, { product, name: 'Full price', prix: '12.50', ...body }, status);

  async function list(path: string, as?: string): Promise<LegacyProduct[]> {
    const asked = now().test.on(now().tenant).get(path);
    return (await (as ? asked.set('Authorization', as) : asked).expect(200)).body as LegacyProduct[];
  }

  return { send, make, makeProduct, makePrice, list };
}
