import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ControllerRoutes, honoursIdempotencyKey, type TenantIdentity } from '#tenancy';
import { ProductsService } from '#catalogue';
import type supertest from 'supertest';
import { newEvent } from '../support/builders.js';
import { expectNoDrift } from '../support/booking.js';
import { openLossyDatabase, type LossyDatabase } from '../support/lossy-database.js';
import { installedDatabase, startTestApp, type TestApp } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { newKey } from '../support/webhooks.js';

let database: TestDatabase;
let lossy: LossyDatabase;
let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;
let product: string;
let endpoint: string;
let otherProduct: string;

const scopes = ['event', 'product', 'reservation', 'ticket', 'membership', 'webhook', 'code', 'campaign', 'customer', 'gift_card'] as const;

beforeAll(async () => {
  database = await installedDatabase('many');
  lossy = await openLossyDatabase(database.url);
  const environment = { DATABASE_WAIT_MS: '2000', DATABASE_TIMEOUT_MS: '8000', OUTBOUND_ALLOW: '127.0.0.1' };
  test = await startTestApp({ database: { ...database, url: lossy.url }, environment });
});
beforeEach(async () => {
  tenant = await test.newTenant({ node: 0 });
  authorization = await newKey(test, tenant, ...scopes.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const));
  event = await newEvent(test, tenant, { name: 'For products' });
  otherProduct = await test.inside(tenant, async () => (await test.app.get(ProductsService).create({ name: 'Other', category: 'B' })).id);
  product = await test.inside(
    tenant,
    async () =>
      (await test.app.get(ProductsService).create({ name: 'Members', category: 'A', prices: [{ name: 'Year', amount: '0.00' }] }))
        .prices[0]!.id,
  );
  endpoint = (await post('/api/v2/webhook-endpoints/', { url: 'http://127.0.0.1:9/', types: ['*'] }).expect(201)).body.identifier;
});
afterAll(async () => {
  await test.close();
  await lossy.close();
  await database.drop();
});

function post(path: string, body: object | undefined, key: string = randomUUID()) {
  const sent = test.on(tenant).post(path).set('Authorization', authorization).set('Idempotency-Key', key);
  return body === undefined ? sent : sent.send(body);
}

function addressBody(name: string): object {
  return { name, streetAddress: '1 rue des Arts', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
}

interface KeyedRoute {
  readonly path: () => string;
  readonly body: () => object | undefined;
  /** A statement that only this route sends. */
  readonly statement: RegExp;
  /** SQL that counts the created objects. */
  readonly made: string;
}

/** One row for each POST below /api/v2/ that honours the header. */
const routes: Record<string, KeyedRoute> = {
  'POST /api/v2/campaigns': {
    path: () => '/api/v2/campaigns/',
    body: () => ({ name: 'Late roof' }),
    statement: /insert into "campaign"/i,
    made: `select count(*)::int as made from campaign where title = 'Late roof'`,
  },
  'POST /api/v2/codes': {
    path: () => '/api/v2/codes/',
    body: () => ({ code: 'LATE', effect: 'percent', value: '10' }),
    statement: /insert into "?code"?/i,
    made: `select count(*)::int as made from code where code = 'LATE'`,
  },
  'POST /api/v2/customers': {
    path: () => '/api/v2/customers/',
    body: () => ({ name: 'Late school' }),
    statement: /insert into "customer"/i,
    made: `select count(*)::int as made from customer where name = 'Late school'`,
  },
  'POST /api/v2/discounts': {
    path: () => '/api/v2/discounts/',
    body: () => ({ name: 'Late', kind: 'quantity', value: '10', least: 90 }),
    statement: /insert into "discount"/i,
    made: `select count(*)::int as made from discount where name = 'Late'`,
  },
  'POST /api/v2/events': {
    path: () => '/api/v2/events/',
    body: () => ({ name: 'Spring ball', startDate: '2040-05-01T20:00:00+02:00' }),
    statement: /insert into "event"/i,
    made: `select count(*)::int as made from event where name = 'Spring ball'`,
  },
  'POST /api/v2/events/:key/link-address': {
    path: () => `/api/v2/events/${event.id}/link-address/`,
    body: () => addressBody('New hall'),
    statement: /insert into "postal_address"/i,
    made: `select count(*)::int as made from postal_address where name = 'New hall'`,
  },
  'POST /api/v2/events/:key/link-product': {
    path: () => `/api/v2/events/${event.id}/link-product/`,
    body: () => ({ product: otherProduct }),
    statement: /insert into "?event_product/i,
    made: `select (sequence - 1)::int as made from event where name = 'For products'`,
  },
  'POST /api/v2/events/:key/options': {
    path: () => `/api/v2/events/${event.id}/options/`,
    body: () => ({ kind: 'radio', name: 'Late option' }),
    statement: /insert into "event_option"/i,
    made: `select count(*)::int as made from event_option where name = 'Late option'`,
  },
  'POST /api/v2/postal-addresses': {
    path: () => '/api/v2/postal-addresses/',
    body: () => addressBody('New hall'),
    statement: /insert into "postal_address"/i,
    made: `select count(*)::int as made from postal_address where name = 'New hall'`,
  },
  'POST /api/v2/products': {
    path: () => '/api/v2/products/',
    body: () => ({ name: 'Late ticket', category: 'B', offers: [{ name: 'Full', price: '9.00' }] }),
    statement: /insert into "product"/i,
    made: `select count(*)::int as made from product where name = 'Late ticket'`,
  },
  'POST /api/v2/products/:productId/offers': {
    path: () => `/api/v2/products/${otherProduct}/offers/`,
    body: () => ({ name: 'Late offer', price: '7.00' }),
    statement: /insert into "price"/i,
    made: `select count(*)::int as made from price where name = 'Late offer'`,
  },
  'POST /api/v2/reservations': {
    path: () => '/api/v2/reservations/',
    body: () => ({
      reservationFor: { identifier: event.id },
      underName: { email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
      reservedTicket: [{ identifier: event.priceId, ticketQuantity: 2 }],
      confirmed: true,
    }),
    statement: /insert into reservation|sale-write/i,
    made: 'select count(*)::int as made from reservation',
  },
  'POST /api/v2/giftCards': {
    path: () => '/api/v2/giftCards/',
    body: () => ({ amount: 20, note: 'Late' }),
    statement: /insert into gift_card /i,
    made: `select count(*)::int as made from gift_card where note = 'Late'`,
  },
  'POST /api/v2/memberships': {
    path: () => '/api/v2/memberships/',
    body: () => ({ member: { email: 'ada@example.org', givenName: 'Ada', familyName: 'M' }, membershipPlan: product }),
    statement: /insert into "?membership"?/i,
    made: 'select count(*)::int as made from membership',
  },
  'POST /api/v2/webhook-endpoints': {
    path: () => '/api/v2/webhook-endpoints/',
    body: () => ({ url: 'http://127.0.0.1:10/', types: ['*'] }),
    statement: /insert into "webhook_endpoint"/i,
    made: `select (count(*) - 1)::int as made from webhook_endpoint`,
  },
  'POST /api/v2/webhook-endpoints/:id/rotate-secret': {
    path: () => `/api/v2/webhook-endpoints/${endpoint}/rotate-secret/`,
    body: () => undefined,
    statement: /update webhook_endpoint set sealed_previous_secret/i,
    made: `select count(*)::int as made from webhook_endpoint where sealed_previous_secret is not null`,
  },
  'POST /api/v2/webhook-endpoints/:id/ping': {
    path: () => `/api/v2/webhook-endpoints/${endpoint}/ping/`,
    body: () => undefined,
    statement: /insert into webhook_delivery/i,
    made: `select count(*)::int as made from webhook_event where type = 'webhook.ping'`,
  },
  'POST /api/v2/webhook-endpoints/:id/send-again': {
    path: () => `/api/v2/webhook-endpoints/${endpoint}/send-again/`,
    body: () => ({ since: '2026-01-01T00:00:00Z' }),
    statement: /with again as/i,
    made: 'select 1 as made',
  },
};

async function made(sql: string): Promise<number> {
  const [row] = await database.query<{ made: number }>(sql.replace('from ', `from "${tenant.schemaName}".`));
  return row?.made ?? 0;
}

describe('a request with an Idempotency-Key whose COMMIT succeeded without an answer', () => {
  it.each(Object.keys(routes))('%s: is answered 503, and its repeat finds the work instead of doing it twice', async (name) => {
    // Without storing the outcome in the same transaction, all of these fail: created twice, or the repeat is refused as a duplicate.
    const route = routes[name]!;
    const key = randomUUID();
    const before = lossy.faults;
    lossy.fail('lose commit', route.statement);
    const failed = await post(route.path(), route.body(), key);
    expect([lossy.faults - before, failed.status, failed.body.code]).toEqual([1, 503, 'server.unavailable']);
    const [again, third] = [await repeated(route, key), await post(route.path(), route.body(), key)];
    expect(again.status).toBeLessThan(300);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([third.status, third.text]).toEqual([again.status, again.text]);
    expect(await made(route.made)).toBe(1);
    await expectNoDrift(test, tenant);
  });

  it('has a row in this test for every route that accepts a key', () => {
    const keyed = test.app
      .get(ControllerRoutes)
      .all()
      .filter(({ method, path }) => honoursIdempotencyKey({ method, path: `${path}/` }));
    // POST /api/place runs on the Meta and is tested in `place-faults`.
    const expected = [...Object.keys(routes), 'POST /api/place'];
    expect(keyed.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(expected.toSorted());
  });

  it('does not answer its result to another body', async () => {
    const route = routes['POST /api/v2/reservations']!;
    const key = randomUUID();
    lossy.fail('lose commit', route.statement);
    await post(route.path(), route.body(), key).expect(503);
    const other = { ...route.body(), confirmed: false };
    expect((await post(route.path(), other, key).expect(422)).body.code).toBe('idempotency.key_reused');
    expect((await repeated(route, key)).status).toBe(201);
    expect(await made(route.made)).toBe(1);
  });

  it('is executed once by twenty simultaneous repeats', async () => {
    const route = routes['POST /api/v2/reservations']!;
    const key = randomUUID();
    lossy.fail('lose commit', route.statement);
    await post(route.path(), route.body(), key).expect(503);
    const answers = await Promise.all(Array.from({ length: 20 }, () => repeated(route, key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await made(route.made)).toBe(1);
  });
});

describe('a key whose first statement was not answered', () => {
  it('is taken over by the same process at once', async () => {
    const route = routes['POST /api/v2/reservations']!;
    const key = randomUUID();
    const before = lossy.faults;
    lossy.fail('lose answer', /idempotency-begin/);
    await post(route.path(), route.body(), key).expect(503);
    expect(lossy.faults - before).toBe(1);
    expect((await post(route.path(), route.body(), key)).status).toBe(201);
    expect(await made(route.made)).toBe(1);
  });
});

/** Repeats a request after 409 and 503, like a client that respects `Retry-After`. */
async function repeated(route: KeyedRoute, key: string): Promise<supertest.Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(route.path(), route.body(), key);
    if ((answer.status !== 503 && answer.status !== 409) || attempt === 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
