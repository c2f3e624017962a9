import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerLoad } from '#http';
import type { TenantIdentity } from '#tenancy';
import pg from 'pg';
import sharp from 'sharp';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let key: string;
let product: string;
/** A picture whose form is large enough to be limited. */
let picture: Buffer;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate' } });
  venue = await test.newTenant();
  staff = await staffOf(test, venue);
  key = await newKey(test, venue, 'product:write', 'product:read');
  product = (await staff.create('products', { name: 'Shirt', category: 'T', published: true })).record!.id;
  const raw = { width: 400, height: 400, channels: 3 as const };
  const noise = Buffer.from(
    Array.from({ length: raw.width * raw.height * raw.channels }, (_, index) => (index * 7919 * (index % 13)) % 251),
  );
  picture = await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer();
});
afterAll(() => test.close());

const picturePath = (): string => `/api/resources/products/records/${product}/picture`;
const upload = () => staff.call('post', picturePath()).attach('img', picture, 'shirt.png');

async function open(): Promise<Socket> {
  const socket = connect(test.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The headers and first bytes of a form with a picture. */
const beginningAt = (path: string, caller: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: ${venue.host}\r\n${caller}\r\n` +
  'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 500000\r\n\r\n' +
  '--x\r\nContent-Disposition: form-data; name="img"; filename="a"\r\n\r\nxx';
const beginning = (): string => beginningAt(`/admin${picturePath()}`, `Cookie: ${staff.cookie}\r\nSec-Fetch-Site: same-origin`);

describe('a form of the panel', () => {
  it('takes no turn when its sender is gone before it is read', async () => {
    const locker = new pg.Client({ connectionString: await test.database.urlOf(venue) });
    await locker.connect();
    await locker.query('begin; lock table shared.panel_session in access exclusive mode');
    const sockets = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = await open();
        socket.write(beginning());
        return socket;
      }),
    );
    // The requests wait for their session and are closed when it has been read.
    await delay(200);
    for (const socket of sockets) socket.destroy();
    await delay(50);
    await locker.query('rollback');
    await locker.end();
    await delay(100);
    // Verified to wait 10 s and get 429 when the slots of the others are never released.
    expect((await upload()).status).toBe(200);
  }, 20_000);

  it('takes no turn behind another request of a connection that is closed', async () => {
    const locker = new pg.Client({ connectionString: await test.database.urlOf(venue) });
    await locker.connect();
    await locker.query(`begin; lock table "${venue.schemaName}".product in access exclusive mode`);
    const load = test.app.get(ServerLoad);
    const before = Reflect.get(load, 'underWay') as number;
    const sockets = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = await open();
        socket.write(`GET /api/products/ HTTP/1.1\r\nHost: ${venue.host}\r\n\r\n${beginning()}`);
        return socket;
      }),
    );
    await delay(200);
    for (const socket of sockets) socket.destroy();
    await locker.query('rollback');
    await locker.end();
    await delay(100);
    expect((await upload()).status).toBe(200);
    // Node emits `close` only on the response of the first request of a connection; the others would count as running forever.
    await until(
      () => Reflect.get(load, 'underWay') as number,
      (underWay) => underWay === before,
    );
  }, 20_000);
});

describe('a form whose sender is too slow', () => {
  it('is cut long before its time is over, in the panel and over the API', async () => {
    const beginnings = [beginning(), beginningAt('/api/products/', `Authorization: ${key}`)];
    const answers = beginnings.map(async (bytes) => {
      const socket = await open();
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.write(bytes);
      const drip = setInterval(() => socket.write('x'), 100);
      await once(socket, 'close');
      clearInterval(drip);
      return answer;
    });
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      // Without a minimum rate it occupies a slot for 30 s.
      expect(answer).toMatch(/within [3-9] seconds/);
    }
  }, 20_000);
});

describe('a compressed body', () => {
  const bomb = gzipSync(`{"name":"${' '.repeat(900_000)}"}`);

  it('is refused before it is inflated, by every reader', async () => {
    const send = (path: string, type: string, coding: string) => {
      const api = test.on(venue).post(path).set({ Authorization: key, 'Content-Type': type, 'Content-Encoding': coding });
      return api.serialize((body) => body as string).send(bomb as unknown as string);
    };
    for (const coding of ['gzip', 'deflate', 'br', 'x-unknown', 'gzip, identity']) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const { status, body, headers } = await send('/api/products/', type, coding);
        expect([coding, type, status, body.code]).toEqual([coding, type, 415, 'body.unsupported_type']);
        expect(headers['accept-encoding']).toBe('identity');
      }
    }
    for (const path of [picturePath(), '/login', '/support'])
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const panel = staff.call('post', path).set({ 'Content-Type': type, 'Content-Encoding': 'gzip' });
        const { status } = await panel.serialize((body) => body as string).send(bomb as unknown as string);
        // Sign-in pages do not read JSON bodies.
        const unread = path !== picturePath() && type !== 'application/x-www-form-urlencoded';
        expect([path, type, unread || status === 415]).toEqual([path, type, true]);
      }
  });

  it('may say that it is not compressed', async () => {
    const sent = test.on(venue).post('/api/products/').set({ Authorization: key, 'Content-Encoding': 'identity' });
    await sent.send({ name: 'Cap', categorie_article: 'T' }).expect(201);
  });
});
