import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { emptyTenant } from '../support/empty-tenant.js';
import { main, refused, required } from '../support/postal-addresses.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

const path = '/api/v2/postal-addresses/';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'many' });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

type Method = Parameters<ReturnType<TestApp['on']>['call']>[0];
type Body = Record<string, unknown>;

function call(method: Method, below: string | number = '', as = authorization, on = tenant): supertest.Test {
  return test.on(on).call(method, `${path}${below}`).set('Authorization', as);
}

async function create(body: object = {}): Promise<Body & { identifier: number }> {
  return (
    await call('post')
      .send({ ...required, ...body })
      .expect(201)
  ).body as Body & { identifier: number };
}

async function list(): Promise<Body[]> {
  return ((await call('get').expect(200)).body as { results: Body[] }).results;
}

async function mains(): Promise<unknown[]> {
  return (await list()).filter((address) => 'additionalProperty' in address).map(({ identifier }) => identifier);
}

async function newEvent(body: object = {}): Promise<Body & { identifier: string }> {
  const { body: event } = await test
    .on(tenant)
    .post('/api/v2/events/')
    .set('Authorization', authorization)
    .send({ name: `Event ${Math.random()}`, startDate: '2027-03-01T20:00', ...body })
    .expect(201);
  return event as Body & { identifier: string };
}

describe('POST /api/v2/postal-addresses/', () => {
  it('accepts every member of the table, and answers them with identifier and @id', async () => {
    const full = {
      '@type': 'PostalAddress',
      name: 'Large hall',
      ...required,
      addressRegion: 'Rhône',
      geo: { '@type': 'GeoCoordinates', latitude: 45.76, longitude: 4.83 },
    };
    const answer = await call('post').send(full).expect(201);
    const { identifier } = answer.body as { identifier: number };
    expect(Number.isInteger(identifier)).toBe(true);
    expect(answer.body).toEqual({ ...full, identifier, '@id': `${path}${identifier}/` });
    expect(answer.headers['location']).toBe(`${path}${identifier}/`);
    expect((await call('get', `${identifier}/`).expect(200)).body).toEqual(answer.body);
    expect(await list()).toEqual([answer.body]);
    // The response can be sent back unchanged.
    const same = await call('patch', `${identifier}/`)
      .send(answer.body as object)
      .expect(200);
    expect(same.body).toEqual(answer.body);
  });

  it('requires only street, town and country', async () => {
    const { postalCode: _, ...needed } = required;
    const { identifier, ...made } = await create({ addressCountry: 'fr', postalCode: null, name: null, geo: null });
    expect(made).toEqual({ '@type': 'PostalAddress', '@id': `${path}${identifier}/`, ...needed });
  });

  it('lists every fault with its pointer', async () => {
    const { body } = await call('post')
      .send({ name: 7, addressCountry: 'FRX', postalCode: 'x'.repeat(21), geo: { latitude: 91, longitude: 'four' } })
      .expect(400);
    expect(body).toMatchObject({ code: 'body.invalid' });
    const faults = (body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer).toSorted();
    expect(faults).toEqual([
      '/addressCountry',
      '/addressLocality',
      '/geo/latitude',
      '/geo/longitude',
      '/name',
      '/postalCode',
      '/streetAddress',
    ]);
  });

  it.each(refused)('refuses %j at %s', async (body, pointer) => {
    const { body: problem } = await call('post')
      .send({ ...required, ...body })
      .expect(400);
    expect(problem).toMatchObject({ code: 'body.invalid', errors: [{ pointer }] });
    expect(await list()).toEqual([]);
  });

  it.each([
    [90, 180],
    [-90, -180],
    [0, 0],
  ])('takes latitude %s and longitude %s', async (latitude, longitude) => {
    expect((await create({ geo: { latitude, longitude } }))['geo']).toMatchObject({ latitude, longitude });
  });

  it('stores text as plain text', async () => {
    expect(await create({ name: '<b>Hall</b><script>x</script> & bar' })).toMatchObject({ name: 'Hall & bar' });
  });
});

describe('the main address', () => {
  it('is unique: a new one replaces the old one', async () => {
    const first = await create({ additionalProperty: main });
    expect(first['additionalProperty']).toEqual(main);
    const second = await create();
    expect(second).not.toHaveProperty('additionalProperty');
    const tag = (await call('get', `${first.identifier}/`)).headers['etag'] as string;
    await call('patch', `${second.identifier}/`).send({ additionalProperty: main }).expect(200);
    expect(await mains()).toEqual([second.identifier]);
    await call('get', `${first.identifier}/`).set('If-None-Match', tag).expect(200);
    await call('patch', `${second.identifier}/`).send({ name: 'Still' }).expect(200);
    expect(await mains()).toEqual([second.identifier]);
    await call('patch', `${second.identifier}/`)
      .send({ additionalProperty: [{ name: 'isMain', value: false }] })
      .expect(200);
    expect(await mains()).toEqual([]);
  });

  it('is unique when twenty become it at once', async () => {
    // Verified to violate the constraint without the lock.
    const made = await Promise.all(Array.from({ length: 10 }, () => create()));
    const answers = await test.database.race(`lock table "${tenant.schemaName}".postal_address in share mode`, [], () =>
      Promise.all([
        ...made.map(({ identifier }) => call('patch', `${identifier}/`).send({ additionalProperty: main })),
        ...made.map(() => call('post').send({ ...required, additionalProperty: main })),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(await mains()).toHaveLength(1);
  });

  it('is the place of new events', async () => {
    expect(await newEvent()).not.toHaveProperty('location');
    const { identifier } = await create({ additionalProperty: main });
    expect(await newEvent()).toMatchObject({ location: { address: { identifier } } });
  });
});

describe('PATCH /api/v2/postal-addresses/{id}/', () => {
  it('changes sent members, removes null members, keeps the rest', async () => {
    const made = await create({ name: 'Hall', addressRegion: 'Rhône', geo: { latitude: 45, longitude: 4 } });
    const change = async (body: object): Promise<Body> => (await call('patch', `${made.identifier}/`).send(body).expect(200)).body as Body;
    expect(await change({})).toEqual(made);
    expect(await change({ postalCode: '69002' })).toEqual({ ...made, postalCode: '69002' });
    expect((await change({ geo: { longitude: 5 } }))['geo']).toMatchObject({ latitude: 45, longitude: 5 });
    const { body: half } = await call('patch', `${made.identifier}/`)
      .send({ geo: { latitude: null } })
      .expect(400);
    expect(half).toMatchObject({ errors: [{ pointer: '/geo' }] });
    const bare = await change({ name: null, addressRegion: null, geo: null });
    expect(Object.keys(bare).toSorted()).toEqual(['@id', '@type', ...Object.keys(required), 'identifier'].toSorted());
    const { body: lone } = await call('patch', `${made.identifier}/`)
      .send({ geo: { latitude: 3 } })
      .expect(400);
    expect(lone).toMatchObject({ errors: [{ pointer: '/geo' }] });
    const { body: none } = await call('patch', `${made.identifier}/`).send({ addressCountry: null }).expect(400);
    expect(none).toMatchObject({ errors: [{ pointer: '/addressCountry' }] });
  });

  it('changes only the version that the caller read, for one of two callers', async () => {
    // Verified to accept both without the row lock.
    const { identifier } = await create();
    const first = await call('get', `${identifier}/`).expect(200);
    const { etag, 'last-modified': modified } = first.headers as { etag: string; 'last-modified': string };
    await call('get', `${identifier}/`).set('If-None-Match', etag).expect(304);
    expect(Math.abs(Date.parse(modified) - Date.now())).toBeLessThan(10_000);
    const answers = await test.database.race(
      `select 1 from "${tenant.schemaName}".postal_address where id = $1 for update`,
      [identifier],
      () => Promise.all(['One', 'Two'].map((name) => call('patch', `${identifier}/`).set('If-Match', etag).send({ name }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect((await call('delete', `${identifier}/`).set('If-Match', etag).expect(412)).body).toMatchObject({
      code: 'precondition.failed',
    });
    await call('delete', `${identifier}/`).set('If-Match', '*').expect(204);
  });

  it('answers without a body on request', async () => {
    const made = await call('post').set('Prefer', 'return=minimal').send(required).expect(201);
    expect([made.text, made.headers['preference-applied']]).toEqual(['', 'return=minimal']);
    const where = (made.headers['location'] as string).slice(path.length);
    await call('patch', where).set('Prefer', 'return="minimal"; foo=bar').send({ name: 'Hall' }).expect(204);
    await call('patch', where).set('Prefer', 'return=minimally').send({ name: 'Bar' }).expect(200);
  });
});

describe('DELETE /api/v2/postal-addresses/{id}/', () => {
  it('deletes the address; its events stay without it, and webhooks report them', async () => {
    const { identifier } = await create({ additionalProperty: main });
    const event = await newEvent();
    const answer = await call('delete', `${identifier}/`).expect(204);
    expect(answer.text).toBe('');
    await call('get', `${identifier}/`).expect(404);
    await call('delete', `${identifier}/`).expect(404);
    const read = await test.on(tenant).get(`/api/v2/events/${event.identifier}/`).set('Authorization', authorization).expect(200);
    expect(read.body).not.toHaveProperty('location');
    const { body: feed } = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
    expect(
      (feed as { results: Body[] }).results.map(({ type, data }) => [type, (data as Body)['sequence'], 'location' in (data as Body)]),
    ).toEqual([
      ['event.created', 1, true],
      ['event.updated', 2, false],
    ]);
  });

  it('causes no error for simultaneous creations of events there', async () => {
    // Verified to refuse seven of the eight when the main address is not locked.
    const { identifier } = await create({ additionalProperty: main });
    const answers = await test.database.race(
      `select 1 from "${tenant.schemaName}".postal_address where id = $1 for update`,
      [identifier],
      () =>
        Promise.all([
          call('delete', `${identifier}/`),
          ...Array.from({ length: 8 }, (_, index) =>
            test
              .on(tenant)
              .post('/api/v2/events/')
              .set('Authorization', authorization)
              .send({ name: `No. ${index}`, startDate: '2027-03-01T20:00' }),
          ),
        ]),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...(Array(8).fill(201) as number[]), 204]);
    const linked = await test.database.query(`select 1 from "${tenant.schemaName}".event where postal_address_id is not null`);
    expect(linked).toEqual([]);
  });
});

describe('postal addresses', () => {
  it('require a key with the scope event, separately for reading and writing', async () => {
    const { identifier } = await create();
    const reader = await newKey(test, tenant, 'event:read');
    const stranger = await newKey(test, tenant, 'place:read', 'place:write');
    await call('get', '', reader).expect(200);
    await call('get', `${identifier}/`, reader).expect(200);
    for (const [method, below] of [
      ['post', ''],
      ['patch', `${identifier}/`],
      ['delete', `${identifier}/`],
    ] as const) {
      expect((await call(method, below, reader).send({}).expect(403)).body).toMatchObject({ code: 'key.scope' });
      await call(method, below, stranger).send({}).expect(403);
    }
    await call('get', '', stranger).expect(403);
    await test.on(tenant).get(path).expect(401);
  });

  it('are unknown to every other place, like unknown ids', async () => {
    await create();
    const { identifier } = await create({ name: 'Ours' });
    const other = await test.newTenant();
    const theirs = await newKey(test, other, 'event:read', 'event:write');
    for (const id of [identifier, 4711, 0, -1, '1.5', '01', 'x', '9'.repeat(18), '9'.repeat(30), '1e3', '%20']) {
      for (const method of ['get', 'patch', 'delete'] as const) {
        const { status, body } = await call(method, `${id}/`, theirs, other).send(method === 'get' ? undefined : {});
        expect([id, method, status, (body as Body)['code']]).toEqual([id, method, 404, 'postal_address.unknown']);
      }
    }
    expect((await call('get', '', theirs, other).expect(200)).body).toEqual({ results: [] });
    expect((await call('get', `${identifier}/`).expect(200)).body).toMatchObject({ name: 'Ours' });
  });

  it('answer 304 to a client with the current list', async () => {
    await create();
    const tag = (await call('get').expect(200)).headers['etag'] as string;
    await call('get').set('If-None-Match', tag).expect(304);
    await create();
    await call('get').set('If-None-Match', tag).expect(200);
  });
});
