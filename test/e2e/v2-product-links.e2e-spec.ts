import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { countRows } from '../support/catalogue-rows.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { faultsOf, productsApi } from '../support/products-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the tests read events from the feed.
beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'product:read', 'product:write', 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const { call, create, newEvent, link, get, told } = productsApi(() => ({ test, tenant, authorization }));
const count = (table: string): Promise<number> => countRows(test, tenant, table);

describe('POST /api/v2/events/<uuid>/link-product/', () => {
  it('sells one product or several for an event, and publishes it once', async () => {
    const event = await newEvent('Evening');
    const [a, b, c] = [(await create()).identifier, (await create()).identifier, (await create()).identifier];
    const { name } = event;
    const related = [{ '@type': 'Event', identifier: event.identifier, name }];
    expect(await link(event.identifier, { product: a })).toEqual(event);
    expect((await get(a))['isRelatedTo']).toEqual(related);
    await link(event.identifier, { products: [{ '@type': 'Product', identifier: b.toUpperCase() }, c, a, a] });
    expect([(await get(b))['isRelatedTo'], (await get(c))['isRelatedTo']]).toEqual([related, related]);
    // Products that are already linked are no change.
    await link(event.identifier, { product: { identifier: a }, productId: a, products: [a] });
    await link(event.identifier, { productIds: [a, b, { identifier: c }] });
    const { identifier } = event;
    expect(await told()).toEqual([
      ['event.created', identifier, 1],
      ['event.updated', identifier, 2],
      ['event.updated', identifier, 3],
    ]);
  });

  it('links none when one is unknown, and names it', async () => {
    const [event, { identifier }] = [await newEvent('Evening'), await create()];
    const [one, other] = [randomUUID(), randomUUID()];
    const products = [identifier, one, { identifier: other }];
    expect(faultsOf(await link(event.identifier, { products }, 400))).toEqual(['/products/1', '/products/2/identifier']);
    expect(faultsOf(await link(event.identifier, { product: one }, 400))).toEqual(['/product']);
    expect([await count('event_product'), (await told()).length]).toEqual([0, 1]);
  });

  it('refuses other bodies and unknown events', async () => {
    const [event, { identifier }] = [await newEvent('Evening'), await create()];
    const many = Array.from({ length: 101 }, () => identifier);
    for (const [body, pointer] of [
      [{}, '/product'],
      [{ product: 'x' }, '/product'],
      [{ product: [identifier] }, '/product'],
      [{ products: [] }, '/products'],
      [{ products: identifier }, '/products'],
      [{ products: [identifier, 7] }, '/products'],
      [{ products: many }, '/products'],
      [{ products: null }, '/products'],
      [{ productId: 'x' }, '/productId'],
      [{ productIds: [] }, '/productIds'],
    ] as const) {
      expect([body, faultsOf(await link(event.identifier, body, 400))]).toEqual([body, [pointer]]);
    }
    expect(await link(randomUUID(), { product: identifier }, 404)).toMatchObject({ code: 'event.unknown' });
    await link(event.identifier, { products: many.slice(1) });
  });

  it('links once in 20 simultaneous requests, and obeys If-Match', async () => {
    const [event, { identifier }] = [await newEvent('Evening'), await create()];
    const to = `/api/v2/events/${event.identifier}/link-product/`;
    const stale = call('post', to).set('If-Match', '"x"').send({ product: identifier });
    expect((await stale.expect(412)).body).toMatchObject({ code: 'precondition.failed' });
    // Verified to fail when the event is published without checking whether a link is new.
    await Promise.all(Array.from({ length: 20 }, () => link(event.identifier, { product: identifier })));
    expect([await count('event_product'), (await told()).length]).toEqual([1, 2]);
    const minimal = call('post', to).set('Prefer', 'return=minimal').send({ product: identifier });
    expect((await minimal.expect(204)).text).toBe('');
  });
});
