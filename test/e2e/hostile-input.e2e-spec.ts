import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UsersService, type TenantIdentity } from '#tenancy';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Number of random bodies. Run more by hand: `BODIES=100000 npm test -- hostile-input`. */
const bodies = Number(process.env['BODIES'] ?? 400);

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let code: string;
let logged = '';

beforeAll(async () => {
  test = await startTestApp({ log: (line) => (logged += line) });
  venue = await test.newTenant();
  device = await newDevice(test, venue);
  code = (await newTicket(test, venue, { event: await newEvent(test, venue) })).code;
});
afterAll(() => test.close());

const post = (path: string, body: object): ReturnType<ReturnType<TestApp['on']>['post']> =>
  test.on(venue).post(path).set('Authorization', device.authorization).send(body);

describe('hostile requests of a device', () => {
  it.each([
    '2009-W21-2',
    '2009-W21-2T01:22',
    '2009',
    '2026-01',
    '2026-01-01T10',
    '2026-01-01T10,5Z',
    '2026-05-19 14.5',
    '2026-01-01T10:00:00',
    '2026-01-01T10:00:00+23:59',
    '2026-01-01T10:00:00+16:00',
    '2026-02-30T10:00:00Z',
    '2026-01-01T25:00:00Z',
    '0000-01-01T00:00:00Z',
    '275760-09-13T00:00:00Z',
  ])('is refused with the time %s, which PostgreSQL could not keep', async (deviceTime) => {
    for (const [path, body] of [
      ['/scan/check_ticket/', { qrcode_data: code }],
      ['/scan/ticket/', { qrcode_data: code }],
      ['/scan/undo/', { qrcode_data: code, reason: 'x' }],
    ] as const) {
      const answer = await post(path, { ...body, device_time: deviceTime }).expect(400);
      expect(answer.body.errors).toMatchObject([{ pointer: '/device_time' }]);
    }
  });

  it.each(['2026-01-01T10:00Z', '2026-01-01T10:00:00.123456+0530', '2026-12-31T23:59:59-11:00'])(
    'is taken with the time %s',
    async (deviceTime) => {
      const answer = await post('/scan/check_ticket/', { qrcode_data: code, device_time: deviceTime });
      expect(answer.status).toBe(200);
    },
  );

  it(`cause no server error: ${bodies} bodies of every kind`, async () => {
    const texts = [
      '',
      ' ',
      'a',
      code,
      code.slice(1),
      `${code}A`,
      '\u202e',
      '😀',
      '𐀀',
      "'; drop table ticket; --",
      '%',
      '\\',
      '{tenant}',
      '$1',
      'x'.repeat(5000),
    ];
    const seed = randomInt(2 ** 31);
    let state = seed;
    const pick = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state % limit;
    };
    const value = (depth: number): unknown => {
      switch (pick(depth > 2 ? 8 : 11)) {
        case 0:
          return null;
        case 1:
          return pick(2) === 0;
        case 2:
          return [0, -1, 1.5, 1e308, -0, 2 ** 53, 1e-9][pick(7)];
        case 3:
        case 4:
        case 5:
          return texts[pick(texts.length)];
        case 6:
          return crypto.randomUUID();
        case 7:
          return new Date(pick(2 ** 31) * 1000).toISOString();
        case 8:
          return Array.from({ length: pick(4) }, () => value(depth + 1));
        default:
          return Object.fromEntries(Array.from({ length: pick(4) }, () => [texts[pick(6)], value(depth + 1)]));
      }
    };
    const members = ['qrcode_data', 'event_uuid', 'scan_id', 'device_time', 'reason', '__proto__', 'constructor', 'extra'];
    const paths = ['/scan/check_ticket/', '/scan/ticket/', '/scan/undo/'];
    const failures: string[] = [];
    const send = async (): Promise<void> => {
      const body = Object.fromEntries(members.filter(() => pick(2) === 0).map((name) => [name, value(0)]));
      const path = paths[pick(3)] as string;
      const { status, headers } = await post(path, body);
      if (status >= 500 || !/json/.test(headers['content-type'] ?? ''))
        failures.push(`seed ${seed}: ${path} ${JSON.stringify(body).slice(0, 300)} → ${status}`);
    };
    for (let round = 0; round < bodies / 20; round += 1) await Promise.all(Array.from({ length: 20 }, send));
    expect(failures).toEqual([]);
  }, 120_000);
});

describe('hostile requests of a browser to the panel', () => {
  let staff: PanelClient;

  beforeAll(async () => {
    const users = test.app.get(UsersService);
    const { id, email, password } = await users.create({ email: 'hostile@example.org' });
    await users.grant(id, { tenantId: venue.id });
    staff = new PanelClient(test, venue.host);
    await staff.signIn(email, password);
  });

  it.each([
    'email=a%00b%40x.org&password=abcdef',
    'email=a%40x.org&password=a%00bc',
    'email=%ed%a0%80%40x&password=x',
    'email[]=a&password=b',
    '__proto__=1&email=q%40q&password=1',
  ])('is refused at the sign-in: %s', async (body) => {
    const { status } = await test
      .on(venue)
      .post('/admin/login')
      .set('Sec-Fetch-Site', 'same-origin')
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send(body);
    expect([400, 401, 429]).toContain(status);
  });

  it.each([
    'events/actions/list?filters.capacity=1.5',
    'events/actions/list?filters.capacity=1e300',
    'events/actions/list?filters.capacity=99999999999',
    'events/actions/list?filters.startsAt~~from=-271821-04-20T00:00:00Z',
    'events/actions/list?filters.startsAt~~to=%2B275760-09-13',
    'events/actions/list?filters.postalAddressId=999999999999999',
    'events/actions/list?filters.name=%25%27%22%3b--',
    'events/actions/list?page=1e308&perPage=1e308',
    'events/actions/list?page=-1&perPage=-4',
    'events/actions/list?sortBy=constructor&direction=x',
    'events/actions/list?filters.constructor=1',
    'events/actions/list?filters.__proto__=1',
    'events/actions/list?filters.name.a.b=1',
    'events/actions/list?filters=1',
    'events/bulk/bulkDelete?recordIds=a,b',
    'events/actions/bulkDelete',
    'events/actions/constructor',
    'events/records/x/constructor',
    'events/records/1/show',
    'prices/actions/list?filters.stock=1e30',
    'prices/actions/list?filters.stock=5.5',
    'prices/actions/list?filters.amount=999999999999.999999',
    'addresses/actions/list?filters.id=1.5',
    'addresses/actions/list?filters.latitude=1e400',
    'addresses/records/999999999999999/show',
    'scan-log/actions/list?filters.id=1.5',
    'scan-log/actions/list?filters.id=99999999999999999999999',
    'scan-log/records/99999999999999999999/show',
    'tickets/search/abc?searchProperty=__proto__',
    'tickets/search/%F0%9F%98%80?searchProperty=status',
    'keys/actions/list?sortBy=allowedAddresses',
    '__proto__/actions/list',
    'constructor/actions/list',
    'users/actions/list',
    'tenants/actions/list',
    'administrators/actions/list',
    'domains/actions/list',
  ])('never makes the server fail: %s', async (path) => {
    const { status } = await staff.call('get', `/api/resources/${path}`);
    expect(status).toBeLessThan(500);
  });

  it.each([
    ['a list of 400 million', { name: 'k', 'scopes.400000000': 'event:read' }],
    ['a name of 1,000 parts', { name: 'k', ['a' + '.a'.repeat(1000)]: '1' }],
    ['an inherited name', { name: 'k', constructor: '1' }],
    ['an inherited name inside', { name: 'k', 'x.__proto__.y': '1' }],
    ['an inherited name in an object', { name: 'k', x: { toString: '1' } }],
  ])('is refused with %s, which would cost the server its memory or its stack', async (_what, fields) => {
    for (const resource of ['keys', 'devices', 'products']) {
      const { status } = await staff.call('post', `/api/resources/${resource}/actions/new`).send(fields);
      expect(status).toBe(400);
    }
    expect((await test.on(venue).get('/live')).status).toBe(200);
  });

  it('are refused with a name of 100,000 parts, and with more values than any form has', async () => {
    const deep = await staff.call('post', '/api/resources/devices/actions/new').send({ ['a' + '.a'.repeat(100_000)]: '1' });
    expect(deep.status).toBe(400);
    const wide = await staff.call('post', '/api/resources/keys/actions/new').send({ scopes: Array.from({ length: 50_000 }, () => 1) });
    expect(wide.status).toBe(400);
  });

  // Each of them was answered 500 before.
  it.each([
    ['a number', 7],
    ['a text', 'event:read'],
    ['an object', { a: 1 }],
    ['nothing', ''],
    ['a list in a list', [['event:read']]],
  ])('is refused, or understood, with %s where a list belongs', async (_what, value) => {
    for (const [resource, fields] of [
      ['keys', { name: 'k', scopes: value }],
      ['webhook-endpoints', { url: 'https://example.org/', types: value }],
    ] as const) {
      const { status, body } = await staff.call('post', `/api/resources/${resource}/actions/new`).send(fields);
      expect(status).toBe(200);
      expect(Object.keys(body.record.errors as object).length > 0).toBe(value !== 'event:read' || resource !== 'keys');
    }
  });

  it('get an answer when an action has no record, or a GET tries to create a record', async () => {
    const id = randomUUID();
    for (const action of ['devices/actions/pair', 'keys/actions/revoke', `webhook-endpoints/actions/ping`]) {
      const { status } = await staff.call('post', `/api/resources/${action}`).send({});
      expect(status).toBeLessThan(500);
      expect((await staff.call('post', `/api/resources/${action.replace('actions', `records/${id}`)}`)).status).toBeLessThan(500);
    }
    const { status, body } = await staff.call('get', '/api/resources/products/actions/new?name=x&category=B');
    expect(status).toBeLessThan(500);
    expect(body.notice?.type).toBe('error');
    expect((await staff.list('products')).records?.filter(({ title }) => title === 'x')).toEqual([]);
  });

  it('leave no file behind, however many files one field sends', async () => {
    // The parser keeps only the last file of a name: 20,000 empty files in 1 MB stayed in the temporary folder.
    const folder = await mkdtemp(join(tmpdir(), 'guichet-uploads-'));
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      for (const [name, count, expected] of [
        ['img', 5, 400],
        ['__proto__', 1, 400],
        ['img', 2000, 400],
      ] as const) {
        const form = staff.call('post', '/api/resources/products/actions/new');
        for (let index = 0; index < count; index += 1) form.attach(name, Buffer.from('x'), 'x.png');
        expect((await form).status).toBe(expected);
      }
      for (let look = 0; look < 50 && (await readdir(folder)).length > 0; look += 1) await delay(20);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await rm(folder, { recursive: true });
    }
  });

  it('are refused with NUL in forms, JSON and multipart', async () => {
    const json = await staff.call('post', '/api/resources/products/actions/new').send({ name: 'a\u0000b', category: 'B' });
    expect(json.status).toBe(400);
    const form = await staff.call('post', '/api/resources/products/actions/new').field('name', 'a\u0000b').field('category', 'B');
    expect(form.status).toBe(400);
  });
});

it('logged no failure', () => {
  expect(logged.split('\n').filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
