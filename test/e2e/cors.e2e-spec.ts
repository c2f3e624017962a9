import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { allScopes, ApiKeysService, TenantDb, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newDevice, newEvent } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Method = 'get' | 'post' | 'patch' | 'delete' | 'head' | 'options' | 'put';
type Headers = Record<string, string | undefined>;

const own = 'https://app.example.org';
const other = 'https://other.example.org';
const stranger = 'https://stranger.example';

let test: TestApp;
let tenant: TenantIdentity;
/** A key that allows the origin `own`. */
let key: string;
/** A key without origins. */
let plain: string;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  key = await newKey([own]);
  plain = await newKey([]);
  await newKey([other]);
});
afterAll(() => test.close());

async function newKey(allowedOrigins: readonly string[], of = tenant): Promise<string> {
  const made = await test.inside(of, () =>
    test.app.get(ApiKeysService).createIntegrationKey({ name: 'Page', scopes: allScopes, allowedOrigins }),
  );
  return `Api-Key ${made.key}`;
}

/** Sends a request as a page of an origin does. */
const send = (method: Method, path: string, origin?: string, authorization?: string): supertest.Test => {
  const call = test.on(tenant).call(method, path);
  if (origin) void call.set('Origin', origin);
  if (authorization) void call.set('Authorization', authorization);
  return call;
};
const preflight = (path: string, method: string, origin: string, headers = 'authorization,content-type'): supertest.Test =>
  send('options', path, origin).set({ 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': headers });
const allowed = ({ headers }: supertest.Response): string | undefined => (headers as Headers)['access-control-allow-origin'];
const wordsOf = (value: string | undefined): string[] =>
  (value ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter(Boolean);

describe('public reads', () => {
  it.each(['/api/products/', '/api/prices/', '/api/events/', '/api/v2/openapi.json', '/agenda.ics', '/agenda.rss'])(
    '%s is open to pages of every origin',
    async (path) => {
      for (const origin of [undefined, stranger, 'null']) {
        for (const method of ['get', 'head'] as const) {
          const answer = await send(method, path, origin);
          expect([answer.status, allowed(answer)]).toEqual([200, '*']);
          expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
        }
      }
      const asked = await preflight(path, 'GET', stranger, 'if-none-match');
      expect([asked.status, asked.text, allowed(asked)]).toEqual([204, '', '*']);
      expect(wordsOf(asked.headers['access-control-allow-methods'])).toEqual(['get', 'head']);
      expect(wordsOf(asked.headers['access-control-allow-headers'])).toContain('if-none-match');
      expect(asked.headers['access-control-max-age']).toBe('600');
    },
  );

  it('have CORS headers on 304 answers and problems, too', async () => {
    const event = await newEvent(test, tenant);
    const first = await send('get', `/api/events/${event.id}/`, stranger).expect(200);
    const again = await send('get', `/api/events/${event.id}/`, stranger).set('If-None-Match', String(first.headers['etag']));
    expect([again.status, allowed(again)]).toEqual([304, '*']);
    expect(wordsOf(first.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(['etag', 'link', 'location', 'retry-after', 'x-request-id', 'idempotency-replayed', 'content-disposition']),
    );
    const problems = [`/api/events/${tenant.id}/`, '/api/products/?page=0', '/api/unknown/'];
    for (const path of problems) {
      const answer = await send('get', path, stranger);
      expect([path, answer.status >= 400, answer.type, allowed(answer)]).toEqual([path, true, 'application/problem+json', '*']);
    }
    const unknown = await test.on('nobody.localhost').get('/api/products/').set('Origin', stranger).expect(404);
    expect(allowed(unknown)).toBe('*');
  });
});

describe('routes with a key', () => {
  it('answer a preflight for origins that a usable key of the tenant lists', async () => {
    for (const origin of [own, other]) {
      const asked = await preflight('/api/v2/events/', 'POST', origin, 'authorization,content-type,idempotency-key');
      expect([asked.status, asked.text, allowed(asked)]).toEqual([204, '', origin]);
      expect(wordsOf(asked.headers['access-control-allow-methods']).toSorted()).toEqual(['get', 'head', 'post']);
      expect(wordsOf(asked.headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'prefer']),
      );
      expect(wordsOf(asked.headers['vary'])).toContain('origin');
    }
    expect(
      wordsOf((await preflight(`/api/v2/events/${tenant.id}/`, 'PATCH', own)).headers['access-control-allow-methods']).toSorted(),
    ).toEqual(['delete', 'get', 'head', 'patch']);
    const elsewhere = await test.newTenant();
    await newKey([stranger], elsewhere);
    for (const origin of [stranger, 'null', `${own}.evil.example`, 'https://APP.example.org']) {
      const refused = await preflight('/api/v2/events/', 'POST', origin);
      expect([refused.status, allowed(refused), refused.headers['allow']]).toEqual([204, undefined, 'GET, HEAD, OPTIONS, POST']);
      expect(wordsOf(refused.headers['vary'])).toContain('origin');
    }
    expect(allowed(await preflight('/api/products/', 'GET', stranger))).toBeUndefined();
    expect(allowed(await preflight('/api/products/', 'GET', own))).toBe(own);
  });

  it('accept only the origins of the key', async () => {
    const mine = await send('get', '/api/v2/events/', own, key).expect(200);
    expect([allowed(mine), wordsOf(mine.headers['vary']).includes('origin')]).toEqual([own, true]);
    expect(mine.headers['access-control-expose-headers']).toContain('ETag');
    expect(mine.headers).not.toHaveProperty('access-control-allow-credentials');
    const fresh = await send('get', '/api/v2/events/', own, key).set('If-None-Match', String(mine.headers['etag']));
    expect([fresh.status, allowed(fresh)]).toEqual([304, own]);
    for (const origin of [other, stranger, 'null']) {
      const refused = await send('get', '/api/v2/events/', origin, key).expect(403);
      expect([(refused.body as { code: string }).code, allowed(refused)]).toEqual(['key.origin', undefined]);
    }
    const without = await send('get', '/api/v2/events/', undefined, key).expect(200);
    expect([allowed(without), wordsOf(without.headers['vary']).includes('origin')]).toEqual([undefined, true]);
    await send('get', '/api/v2/events/', `http://${tenant.host}:${test.port}`, key).set('Host', `${tenant.host}:${test.port}`).expect(200);
  });

  it('accept a key without origins, but let no page of another site read the answer', async () => {
    for (const origin of [own, stranger]) {
      const answer = await send('get', '/api/v2/events/', origin, plain).expect(200);
      expect([allowed(answer), answer.headers['access-control-expose-headers']]).toEqual([undefined, undefined]);
    }
    const products = await send('get', '/api/products/', stranger, plain).expect(200);
    expect(allowed(products)).toBeUndefined();
  });

  it('let pages of listed origins read every problem', async () => {
    const body = { '@type': 'MusicEvent', name: '' };
    const faults = await send('post', '/api/v2/events/', own, key).send(body);
    const broken = await send('post', '/api/v2/events/', own, key).set('Content-Type', 'application/json').send('{"a":');
    const large = await send('post', '/api/v2/events/', own, key).send({ name: 'x'.repeat(1_100_000) });
    const unknown = await send('get', `/api/v2/events/${tenant.id}/`, own, key);
    const wrong = await send('get', '/api/v2/events/', own, `${key}x`);
    const missing = await send('get', '/api/v2/events/', own);
    const method = await send('put', '/api/v2/events/', own, key);
    const answers = [faults, broken, large, unknown, wrong, missing, method];
    expect(answers.map((answer) => [answer.status, allowed(answer)])).toEqual(
      [400, 400, 413, 404, 401, 401, 405].map((status) => [status, own]),
    );
  });

  it('apply changes of staff within a second, and changes of the key at once', async () => {
    const staff = await staffOf(test, tenant);
    const made = await staff.create('keys', {
      name: 'Shop',
      scopes: ['event:read'],
      allowedOrigins: 'https://shop.example.org\nhttp://localhost:5173',
    });
    const { id } = made.record!;
    const secret = String(
      (await staff.look('keys', id, 'reveal')).view?.['text'] ?? (await staff.act('keys', id, 'reveal')).view?.['text'],
    );
    const shop = `Api-Key ${secret}`;
    expect(allowed(await send('get', '/api/v2/events/', 'http://localhost:5173', shop).expect(200))).toBe('http://localhost:5173');
    expect((await staff.look('keys', id)).record!.params['allowedOrigins']).toBe('https://shop.example.org\nhttp://localhost:5173');
    const changed = await staff.act('keys', id, 'origins', { allowedOrigins: 'https://new.example.org:8443' });
    expect(changed.notice).toMatchObject({ type: 'success', message: 'originsDone' });
    await send('get', '/api/v2/events/', 'http://localhost:5173', shop).expect(403);
    expect(allowed(await send('get', '/api/v2/events/', 'https://new.example.org:8443', shop).expect(200))).toBe(
      'https://new.example.org:8443',
    );
    const refused = await staff.act('keys', id, 'origins', { allowedOrigins: '*' });
    expect(refused.record?.errors['allowedOrigins']?.message).toContain('is not an origin');
    expect(await untilAsked('https://new.example.org:8443', true)).toBe(true);
    await test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => test.app.get(ApiKeysService).revoke(tx, id)));
    expect(await untilAsked('https://new.example.org:8443', false)).toBe(true);
  });

  /** Waits until preflights of an origin are allowed, or refused. */
  async function untilAsked(origin: string, wanted: boolean): Promise<boolean> {
    for (let round = 0; round < 60; round += 1) {
      if ((allowed(await preflight('/api/v2/events/', 'GET', origin)) === origin) === wanted) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  }
});

describe('routes without CORS', () => {
  it('answer OPTIONS without CORS headers below /scan/, on pages and in the panel', async () => {
    const device = await newDevice(test, tenant);
    for (const path of ['/scan/ticket/', '/scan/test_api/', '/scan/events/']) {
      const asked = await preflight(path, 'POST', own);
      expect([path, asked.status, allowed(asked)]).toEqual([path, 204, undefined]);
      const answer = await send(path === '/scan/ticket/' ? 'post' : 'get', path, own, device.authorization);
      expect([path, answer.status < 500, allowed(answer)]).toEqual([path, true, undefined]);
    }
    for (const path of ['/', '/admin', '/admin/login', '/payments/stripe'])
      expect([path, allowed(await send('get', path, own)), allowed(await preflight(path, 'GET', own))]).toEqual([
        path,
        undefined,
        undefined,
      ]);
  });
});

describe('the origins of a key', () => {
  const take = (...origins: string[]): Promise<string> => newKey(origins);

  it('are stored as browsers send them', async () => {
    await take(
      'HTTPS://Shop.Example.org:443',
      'https://exämple.org',
      'http://127.0.0.1:8080',
      'http://[::1]:3000',
      'http://door.localhost',
    );
    const rows = await test.database.query<{ origins: string[] }>(
      `select allowed_origins as origins from shared.api_key where tenant_id = $1 and cardinality(allowed_origins) = 5`,
      [tenant.id],
    );
    expect(rows).toEqual([
      {
        origins: [
          'https://shop.example.org',
          'https://xn--exmple-cua.org',
          'http://127.0.0.1:8080',
          'http://[::1]:3000',
          'http://door.localhost',
        ],
      },
    ]);
  });

  it('have no path, no wildcard, and use TLS except on the local machine', async () => {
    const unfit = [
      '*',
      'null',
      '',
      'app.example.org',
      'https://',
      'https://app.example.org/',
      'https://app.example.org/path',
      'https://app.example.org?x',
      'https://*.example.org',
      'https://user@app.example.org',
      'http://app.example.org',
      'ftp://app.example.org',
      'https://a b.example.org',
      'https://app.example.org:99999',
      `https://${'x'.repeat(300)}.org`,
      'javascript:alert(1)',
      'http://localhost.example.org',
    ];
    for (const origin of unfit) await expect(take(own, origin)).rejects.toMatchObject({ field: 'allowedOrigins' });
  });

  it('are limited to 20', async () => {
    const many = Array.from({ length: 21 }, (_, index) => `https://app${index}.example.org`);
    await expect(take(...many)).rejects.toMatchObject({ field: 'allowedOrigins' });
    await take(...many.slice(1));
  });
});
