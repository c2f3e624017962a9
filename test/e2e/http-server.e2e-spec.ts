import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { readSettings } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import supertest from 'supertest';
import { describeStart } from '../../apps/server/src/banner.js';
import { startServer } from '../../apps/server/src/start-server.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, testSecret, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

let test: TestApp;
let venue: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { HEADERS_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '1000', MAX_CONNECTIONS: '20' } });
  venue = await test.newTenant();
});
afterAll(() => test.close());

/** Sends raw bytes and reads until the server closes the connection. */
async function raw(bytes: string, localAddress = '127.0.0.1'): Promise<string> {
  const socket = connect({ port: test.port, host: '127.0.0.1', localAddress });
  let answer = '';
  socket.on('data', (part: Buffer) => (answer += part.toString()));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

describe('a health check without a Host header', () => {
  it.each(['/live', '/ready', '/metrics', '/ready/'])('is answered by %s, over HTTP/1.0 and HTTP/1.1', async (path) => {
    expect(await raw(`GET ${path} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await raw(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is answered with a problem on every other path', async () => {
    for (const path of ['/', '/api/products/', '/live/x', '/admin'])
      for (const version of ['1.0', '1.1']) {
        const answer = await raw(`GET ${path} HTTP/${version}\r\nConnection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"request\.host"/);
      }
  });
});

describe('a slow request', () => {
  // By default Node checks for such connections every 30 s, longer than these tests may take.
  it('is closed when its headers do not arrive within HEADERS_TIMEOUT_MS', async () => {
    expect(await raw('GET /live HTTP/1.1\r\nHost: x\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  }, 20_000);

  it('is closed when its body does not arrive within REQUEST_TIMEOUT_MS', async () => {
    const head = `POST /api/prices/ HTTP/1.1\r\nHost: ${venue.host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
    await raw(`${head}{"name":`);
  }, 20_000);
});

describe('connections', () => {
  it('beyond MAX_CONNECTIONS are closed at once', async () => {
    const answers = await Promise.all(Array.from({ length: 26 }, () => raw('GET /live HTTP/1.1\r\nHost: x\r\n').catch(() => '')));
    // The others are answered 408, because their headers never end.
    expect(answers.filter((answer) => answer === '').length).toBeGreaterThanOrEqual(6);
    expect(answers.some((answer) => answer.startsWith('HTTP/1.1 408 '))).toBe(true);
    await eventually(() => test.on(venue).get('/live').expect(200));
  }, 20_000);

  it('beyond the part of one client network are used for health checks only', async () => {
    const held = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = connect(test.port, '127.0.0.1');
        socket.write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n');
        await once(socket, 'data');
        return socket;
      }),
    );
    const ask = (path: string, localAddress: string): Promise<string> =>
      raw(`GET ${path} HTTP/1.1\r\nHost: ${venue.host}\r\nConnection: close\r\n\r\n`, localAddress);
    // A fifth of MAX_CONNECTIONS. Without the reserve, a proxy takes a busy server for a dead one.
    for (const path of ['/live', '/ready', '/metrics']) expect(await ask(path, '127.0.0.1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask('/', '127.0.0.1')).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5[^]*"code":"server\.busy"/);
    expect(await ask('/', '127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);
    const { text } = await test.on(venue).get('/metrics').expect(200);
    expect(text).toMatch(/guichet_connections_refused_total\{limit="network"\} [1-9]/);
    expect(text).toMatch(/guichet_connections [1-9]/);
    for (const socket of held) socket.destroy();
  });

  it.each(['0', '1000001', 'few'])('refuses MAX_CONNECTIONS_PER_NETWORK=%s', (value) => {
    expect(() => readSettings({ MAX_CONNECTIONS_PER_NETWORK: value })).toThrow('MAX_CONNECTIONS_PER_NETWORK');
  });

  it.each(['0', '9', 'many'])('refuses MAX_CONNECTIONS=%s', (value) => {
    expect(() => readSettings({ MAX_CONNECTIONS: value })).toThrow('MAX_CONNECTIONS');
  });
});

/** The response with its original headers; the body is decompressed. */
const travelled = (request: supertest.Test): Promise<supertest.Response> =>
  request
    .set('Accept-Encoding', 'gzip')
    .buffer(true)
    .parse((response, done) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done(null, Buffer.concat(parts)));
    })
    .then((answer) => answer);

describe('compression', () => {
  let staff: PanelClient;
  beforeAll(async () => {
    staff = await staffOf(test, venue);
    for (let number = 0; number < 12; number += 1) {
      const name = `Product number ${number}`;
      await staff.create('products', { name, category: 'T', published: true, longDescription: 'Long. '.repeat(40) });
    }
  });

  const base = (): string => `http://127.0.0.1:${test.port}`;

  it('compresses lists of the API', async () => {
    const { headers, body } = await travelled(supertest(base()).get('/api/products/').set('Host', venue.host));
    expect([headers['content-encoding'], headers['vary']]).toEqual(['gzip', expect.stringContaining('Accept-Encoding')]);
    expect(JSON.parse((body as Buffer).toString())).toHaveLength(12);
  });

  it('compresses pages and lists of the panel only for its own pages', async () => {
    for (const path of ['/admin', '/admin/api/resources/products/actions/list', '/admin/login']) {
      const ask = (site: string): Promise<supertest.Response> =>
        travelled(supertest(base()).get(path).set({ Host: venue.host, Cookie: staff.cookie, 'Sec-Fetch-Site': site }));
      const own = path === '/admin/login' ? undefined : 'gzip';
      expect([path, (await ask('same-origin')).headers['content-encoding']]).toEqual([path, own]);
      // Requests caused by another site: their length must not depend on how well a guess compresses (BREACH).
      for (const site of ['cross-site', 'same-site'])
        expect([path, site, (await ask(site)).headers['content-encoding']]).toEqual([path, site, undefined]);
    }
  });
});

describe('a separate server process', () => {
  it('prints PUBLIC_PORT, and serves everything but /ready for SHUTDOWN_DELAY_MS after SIGTERM', async () => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'guichet-http-'));
    const settings = readSettings({
      NODE_ENV: 'test',
      DEMO: 'off',
      LOG_LEVEL: 'silent',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_PORT: '8443',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      SERVER_SECRET: testSecret,
      SHUTDOWN_DELAY_MS: '3000',
    });
    const server = await startServer(
      settings,
      () => undefined,
      () => undefined,
    );
    expect(describeStart(settings, server, 1)).toContain('http://localhost:8443/admin');
    const get = (path: string): supertest.Test =>
      supertest(`http://127.0.0.1:${server.port}`).get(path).set({ Host: 'localhost', Connection: 'keep-alive' });
    await get('/ready').expect(200);
    const stopped = server.stop();
    const leaving = await get('/ready').expect(503);
    expect(leaving.body).toMatchObject({ reason: 'stopping' });
    expect((await get('/admin/login').expect(200)).headers['connection']).not.toBe('close');
    await stopped;
    await expect(get('/live')).rejects.toThrow('ECONNREFUSED');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);

  it.each(['-1', '1.5', 'soon', '600001'])('refuses SHUTDOWN_DELAY_MS=%s', (value) => {
    expect(() => readSettings({ SHUTDOWN_DELAY_MS: value })).toThrow('SHUTDOWN_DELAY_MS');
  });
});
