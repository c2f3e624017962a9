import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allProblems, languages } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let logged = '';

beforeAll(async () => {
  test = await startTestApp({ log: (line) => (logged += line) });
  venue = await test.newTenant();
  device = await newDevice(test, venue);
});
afterAll(() => test.close());

const post = (path: string): ReturnType<ReturnType<TestApp['on']>['post']> =>
  test.on(venue).post(path).set('Authorization', device.authorization);

describe('errors', () => {
  it('have one shape, with the request id as instance', async () => {
    const { body, headers } = await test.on(venue).get('/scan/test_api').set('X-Request-Id', 'door-7.42').expect(401);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(headers['x-request-id']).toBe('door-7.42');
    expect(body).toEqual({
      success: false,
      message: 'Send the header Authorization: Api-Key <API_KEY>.',
      reason: 'missing',
      type: 'urn:guichet:problem:key.missing',
      title: 'API key missing',
      status: 401,
      detail: 'Send the header Authorization: Api-Key <API_KEY>.',
      instance: 'door-7.42',
      code: 'key.missing',
    });
  });

  it('replace an invalid request id', async () => {
    for (const id of ['x'.repeat(65), 'a b', '<script>', '']) {
      const { headers } = await test.on(venue).get('/live').set('X-Request-Id', id);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('are in French on request', async () => {
    const { body } = await test.on(venue).get('/scan/test_api').set('Accept-Language', 'fr').expect(401);
    expect(body.title).toBe('Clé d’API absente');
  });

  it('answer 404 for unknown paths, and 405 with Allow for other methods', async () => {
    expect((await test.on(venue).get('/api/nothing').expect(404)).body.code).toBe('route.unknown');
    const { body, headers } = await test.on(venue).get('/scan/ticket/').expect(405);
    expect(body.code).toBe('route.method');
    expect(headers['allow']).toBe('POST');
    expect((await test.on(venue).call('delete', '/scan/test_api').expect(405)).headers['allow']).toBe('GET, HEAD');
    await test.on(venue).call('put', '/scan/abc/pair').expect(405);
  });

  it.each([
    ['no JSON', 'application/json', '{"a":', 400, 'body.malformed'],
    ['an array', 'application/json', '[]', 400, 'body.invalid'],
    ['a number', 'application/json', '1', 400, 'body.invalid'],
    ['null', 'application/json', 'null', 400, 'body.invalid'],
    ['another type', 'text/plain', 'hello', 415, 'body.unsupported_type'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1', 415, 'body.unsupported_type'],
    ['a form with files', 'multipart/form-data; boundary=x', '--x--', 415, 'body.unsupported_type'],
    ['another charset', 'application/json; charset=koi8-r', '{}', 415, 'body.unsupported_type'],
    ['NUL in a text', 'application/json', String.raw`{"qrcode_data":"a\u0000b"}`, 400, 'request.text'],
    ['NUL in a name', 'application/json', String.raw`{"a\u0000b":1}`, 400, 'request.text'],
    ['a lone surrogate', 'application/json', String.raw`{"qrcode_data":"\ud800"}`, 400, 'request.text'],
    ['a lone surrogate deep inside', 'application/json', String.raw`{"x":[{"y":"\udc00"}]}`, 400, 'request.text'],
    ['21 levels', 'application/json', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`, 400, 'body.too_deep'],
    ['14 kB of depth', 'application/json', `${'['.repeat(7000)}${']'.repeat(7000)}`, 400, 'body.too_deep'],
    ['over 1 MB', 'application/json', `{"a":"${'x'.repeat(1_100_000)}"}`, 413, 'body.too_large'],
  ])('refuse a body that is %s', async (_name, type, text, status, code) => {
    const { body } = await post('/scan/ticket/').set('Content-Type', type).send(text).expect(status);
    expect(body.code).toBe(code);
  });

  it('refuse a body over 128 kB without a key, and say so', async () => {
    const send = (key: Record<string, string>, size: number) =>
      test
        .on(venue)
        .post('/api/v2/events/')
        .set({ ...key, 'Content-Type': 'application/json' })
        .send(`{"name":"${'x'.repeat(size)}"}`);
    const { body } = await send({}, 140_000).expect(413);
    expect(body).toMatchObject({ code: 'body.too_large', detail: expect.stringContaining('128 kB') });
    await send({}, 120_000).expect(401);
    await send({ Authorization: 'Api-Key unknown' }, 140_000).expect(401);
  });

  it('accept a content type without a body on routes without a body', async () => {
    const { body } = await post('/scan/ticket/').set('Content-Type', 'application/json').expect(400);
    expect(body.code).toBe('qrcode.missing');
    await post('/scan/ticket/').expect(400);
  });

  it('refuse unreadable addresses and too many parameters', async () => {
    expect((await test.on(venue).get('/scan/%zz/pair').expect(400)).body.code).toBe('request.malformed');
    expect((await test.on(venue).get('/scan/a%00b/pair').expect(400)).body.code).toBe('request.text');
    expect((await test.on(venue).get('/scan/keys?a=%00').expect(400)).body.code).toBe('request.text');
    const many = Array.from({ length: 60 }, (_, index) => `p${index}=1`).join('&');
    expect((await test.on(venue).get(`/scan/keys?${many}`).expect(400)).body.code).toBe('request.too_many_parameters');
    await test
      .on(venue)
      .get(`/scan/${'x'.repeat(6000)}/pair`)
      .expect(404);
  });

  it('refuse __proto__ and unknown members', async () => {
    const { body } = await post('/scan/ticket/')
      .set('Content-Type', 'application/json')
      .send('{"__proto__":{"qrcode_data":"x"},"constructor":1,"extra":true}')
      .expect(400);
    expect(body.code).toBe('body.invalid');
    const pointers = (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(['/__proto__', '/constructor', '/extra']);
  });

  it('exist in every language with a stable code', () => {
    for (const [code, kind] of allProblems()) {
      expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/);
      for (const language of languages) expect([kind.title, kind.detail].every((text) => text[language].length > 5)).toBe(true);
      expect(new Set(Object.values(kind.detail)).size).toBe(languages.length);
    }
  });
});

describe('API keys', () => {
  const test401 = async (header: string | undefined, code: string): Promise<void> => {
    const request = test.on(venue).get('/scan/test_api/');
    const { body, headers, status } = await (header === undefined ? request : request.set('Authorization', header));
    expect([header?.slice(0, 12), status, body.code]).toEqual([header?.slice(0, 12), 401, code]);
    expect(headers['www-authenticate']).toBe('Api-Key');
  };

  it('are required, with the scheme Api-Key in any case', async () => {
    await test401(undefined, 'key.missing');
    await test401(`Bearer ${device.key}`, 'key.missing');
    await test401('Basic YTpi', 'key.missing');
    await test401(device.key, 'key.missing');
    await test401('Api-Key', 'key.malformed');
    for (const scheme of ['Api-Key', 'api-key', 'API-KEY']) {
      await test.on(venue).get('/scan/test_api/').set('Authorization', `${scheme} ${device.key}`).expect(200);
    }
  });

  it('are reported as mistyped without a query, and as unknown after one', async () => {
    await test401(`Api-Key ${device.key.slice(0, -1)}`, 'key.malformed');
    const swapped = device.key.replace(/(.)(.)(......)$/, '$2$1$3');
    if (swapped !== device.key) await test401(`Api-Key ${swapped}`, 'key.malformed');
    await test401(`Api-Key ${device.key} x`, 'key.malformed');
    await test401(`Api-Key ${'x'.repeat(5000)}`, 'key.malformed');
    const stranger = await newDevice(test, await test.newTenant());
    await test401(stranger.authorization, 'key.unknown');
  });

  it('stop working when they expire', async () => {
    const short = await newDevice(test, venue);
    await test.database.query("update shared.api_key set expires_at = now() - interval '1 second' where device_id = $1", [short.id]);
    await test401(short.authorization, 'key.expired');
  });

  it('of integrations never open /scan/', async () => {
    const { ApiKeysService } = await import('#tenancy');
    const { key } = await test.inside(venue, () =>
      test.app.get(ApiKeysService).createIntegrationKey({ name: 'Shop', scopes: ['ticket:read'] }),
    );
    expect(key).toMatch(/^gkey_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    const { body } = await test.on(venue).get('/scan/test_api/').set('Authorization', `Api-Key ${key}`).expect(403);
    expect(body.code).toBe('key.kind');
  });

  it('can be restricted to addresses', async () => {
    const { ApiKeysService } = await import('#tenancy');
    const keys = test.app.get(ApiKeysService);
    const create = (allowedAddresses: string[]): Promise<string> =>
      test.inside(venue, async () => (await keys.createIntegrationKey({ name: 'Shop', scopes: ['event:read'], allowedAddresses })).key);
    const enter = (key: string, address: string): Promise<string> =>
      test
        .inside(venue, () => keys.authenticate(key, address, false))
        .then(
          () => 'in',
          (error: { code: string }) => error.code,
        );
    const key = await create(['192.0.2.0/24', '2001:db8::1']);
    expect(await enter(key, '192.0.2.77')).toBe('in');
    expect(await enter(key, '::ffff:192.0.2.77')).toBe('in');
    expect(await enter(key, '2001:db8:0::1')).toBe('in');
    expect(await enter(key, '198.51.100.1')).toBe('key.address');
    await expect(create(['10.0.0.0/33'])).rejects.toMatchObject({ field: 'allowedAddresses' });
  });
});

describe('operations', () => {
  it('answer /live, /ready and /metrics on any host', async () => {
    for (const host of [venue.host, 'nobody.example', '127.0.0.1']) {
      expect((await test.on(host).get('/live').expect(200)).body).toEqual({ status: 'live' });
      expect((await test.on(host).get('/ready').expect(200)).body).toEqual({ status: 'ready' });
    }
    const { text } = await test.on(venue).get('/metrics').expect(200);
    expect(text).toContain('guichet_http_request_seconds_bucket');
    expect(text).toContain('guichet_scans_total');
    expect(text).toContain('guichet_database_connections');
    expect(text).not.toContain(venue.slug);
  });

  it('protect /metrics: a proxy needs the token, and with a token every caller does', async () => {
    for (const name of ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Real-IP', 'Via'])
      await test.on(venue).get('/metrics').set(name, '203.0.113.9').expect(404);
    // A proxy on this machine that adds no header.
    const behind = await startTestApp({ database: test.database, environment: { PUBLIC_SCHEME: 'https' } });
    const { status } = await behind.on(venue).get('/metrics');
    await behind.close();
    expect(status).toBe(404);
    const guarded = await startTestApp({
      database: test.database,
      environment: { METRICS_TOKEN: 'a token for prometheus' },
    });
    try {
      await guarded.on(venue).get('/metrics').expect(404);
      await guarded.on(venue).get('/metrics').set('Authorization', 'Bearer wrong').expect(404);
      await guarded.on(venue).get('/metrics').set('Authorization', 'Bearer a token for prometheus').expect(200);
    } finally {
      await guarded.close();
    }
  });

  it('log one JSON line per request, with the route pattern and without secrets', async () => {
    const event = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event, firstName: 'Zebulon' });
    logged = '';
    await post('/scan/ticket/?secret=query').set('X-Request-Id', 'one-line').send({ qrcode_data: ticket.code }).expect(200);
    await test
      .on(venue)
      .get(`/scan/${'T'.repeat(43)}/pair`)
      .expect(404);
    const loggedLines = () =>
      logged
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    // A line is written after its answer.
    const lines = await until(loggedLines, ({ length }) => length >= 2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toEqual({
      level: 'info',
      time: expect.any(String),
      requestId: 'one-line',
      tenant: venue.slug,
      method: 'POST',
      route: '/scan/ticket',
      status: 200,
      ms: expect.any(Number),
      msg: 'request',
    });
    expect(lines[1]).toMatchObject({ route: '/scan/:token/pair', status: 404 });
    for (const secret of [device.key, ticket.code, 'TTTT', 'Zebulon', 'secret=query', 'ada@example.org'])
      expect(logged).not.toContain(secret);
  });

  it('send strict headers with every answer, including errors', async () => {
    for (const path of ['/live', '/nothing', '/scan/test_api']) {
      const { headers } = await test.on(venue).get(path);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['strict-transport-security']).toBeDefined();
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  it('answer 503 with Retry-After while PostgreSQL is unreachable, stay live, and recover afterwards', async () => {
    const name = new URL(test.database.url).pathname.slice(1);
    const own = await startTestApp({ database: test.database, environment: { DATABASE_POOL_SIZE: '2' } });
    const gate = await newDevice(own, venue);
    try {
      await test.database.administer(`alter database ${name} with allow_connections false`);
      await test.database.administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const { body, headers } = await own.on(venue).get('/scan/test_api').set('Authorization', gate.authorization).expect(503);
      expect(body.code).toBe('server.unavailable');
      expect(headers['retry-after']).toBe('2');
      await own.on(venue).get('/live').expect(200);
      expect((await own.on(venue).get('/ready').expect(503)).body.reason).toBe('database unreachable');
    } finally {
      await test.database.administer(`alter database ${name} with allow_connections true`);
    }
    await own.on(venue).get('/scan/test_api').set('Authorization', gate.authorization).expect(200);
    await own.on(venue).get('/ready').expect(200);
    await own.close();
  });
});
