import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { WebhookDeliveriesService, WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { itInLongRuns } from '../support/long-run.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { loopbackAllowed, newKey, personalScopes } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let logged = '';
const servers: Server[] = [];

beforeAll(async () => {
  test = await startTestApp({ environment: loopbackAllowed, log: (line) => (logged += line) });
  test.app.get(WebhookWorker).start();
  tenant = await test.newTenant();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => test.close());

/** A receiver that answers with arbitrary bytes. */
async function rawReceiver(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket.resume()));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Writes as long as the other side reads. */
function pour(socket: Socket, text: string): void {
  const more = (): void => {
    while (socket.writable && socket.write(text));
  };
  socket.on('drain', more);
  more();
}

interface Attempt {
  readonly milliseconds: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
}

/** Sends a test to an endpoint. @returns its first attempt */
async function pinged(url: string): Promise<Attempt> {
  return test.inside(tenant, async () => {
    const { endpoint } = await test.app.get(WebhookEndpointsService).create({ url, types: ['event.created'] });
    const { deliveryId } = await test.app.get(WebhookDeliveriesService).ping(endpoint.id);
    for (const end = Date.now() + 19_000; Date.now() < end; await delay(20)) {
      const [attempt] = await test.app.get(WebhookDeliveriesService).attempts(deliveryId);
      if (!attempt) continue;
      await test.app.get(WebhookEndpointsService).remove(endpoint.id);
      return attempt;
    }
    throw new Error('No end of the attempt after 19 seconds');
  });
}

const ok = 'HTTP/1.1 200 OK\r\n';

describe('a delivery to a hostile receiver ends without harm when it', () => {
  // Before the fixes, the first one blocked a worker slot forever, and the next two used its processor for 15 seconds.
  it.each<[string, (socket: Socket) => void, Partial<Attempt>]>([
    [
      'switches protocols',
      (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nabc'),
      { status: null, failure: 'broken' },
    ],
    [
      'says Continue without end',
      (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2000)),
      { status: null, failure: 'broken' },
    ],
    [
      'gives early hints without end',
      (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(2000)),
      { status: null, failure: 'broken' },
    ],
    ['sends headers without end', (socket) => pour(socket.resume(), `${ok}X-A: ${'y'.repeat(1000)}\r\n`), { failure: 'broken' }],
    [
      'sends trailers without end',
      (socket) => {
        socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n`);
        pour(socket, `X-T: ${'y'.repeat(1000)}\r\n`);
      },
      { status: 200, failure: 'broken' },
    ],
    [
      'sends a chunk extension without end',
      (socket) => {
        socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n5;`);
        pour(socket, 'x'.repeat(60_000));
      },
      { status: 200, failure: 'broken' },
    ],
    [
      'sends a body without end',
      (socket) => {
        socket.write(`${ok}\r\n`);
        pour(socket, 'x'.repeat(60_000));
      },
      { status: 200, failure: null, answer: 'x'.repeat(2048) },
    ],
    [
      'sends a chunk that is none',
      (socket) => void socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZZ\r\n`),
      { status: 200, failure: 'broken', answer: 'hello' },
    ],
    ['sends two lengths', (socket) => void socket.write(`${ok}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`), { failure: 'broken' }],
    [
      'sends length and chunks',
      (socket) => void socket.write(`${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      { failure: 'broken' },
    ],
    ['does not speak HTTP', (socket) => void socket.write('\0\u0001 220 mail.example.org ESMTP\r\n\r\n'), { failure: 'broken' }],
    [
      'answers twice',
      (socket) => void socket.write(`${ok}Content-Length: 2\r\n\r\nok${ok}Content-Length: 2\r\n\r\nno`),
      { status: 200, failure: null, answer: 'ok' },
    ],
    [
      'answers with an odd status',
      (socket) => void socket.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'),
      { status: 999, failure: 'status' },
    ],
    ['resets the connection', (socket) => void socket.resetAndDestroy(), { status: null, failure: 'unreachable' }],
    [
      'resets it in the middle',
      (socket) => {
        socket.write(`${ok}Content-Length: 100\r\n\r\nhalf`);
        setTimeout(() => socket.resetAndDestroy(), 50);
      },
      { status: 200, failure: 'broken', answer: 'half' },
    ],
    [
      'leads to a file',
      (socket) => void socket.end('HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n'),
      { status: 302, failure: 'redirect', answer: '' },
    ],
    [
      'answers with control characters',
      (socket) => void socket.end(`${ok}Content-Length: 12\r\n\r\na\0\u001b[31m<b>\u0007x`),
      { status: 200, answer: 'a\u001b[31m<b>\u0007x' },
    ],
  ])('%s', async (_what, behave, expected) => {
    const attempt = await pinged(await rawReceiver(behave));
    expect(attempt).toMatchObject(expected);
    expect(attempt.milliseconds).toBeLessThan(5000);
  });

  it('sends 50 MB compressed to 50 kB: they are not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const before = process.memoryUsage().rss;
    const attempt = await pinged(
      await rawReceiver((socket) => {
        socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
      }),
    );
    expect(attempt).toMatchObject({ status: 200, failure: null });
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  });

  itInLongRuns('sends a byte per second without a length: the delivery fails after 15 seconds', async () => {
    const attempt = await pinged(
      await rawReceiver((socket) => {
        socket.write(`${ok}\r\n`);
        const drip = setInterval(() => socket.write('.'), 1000);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    expect(attempt).toMatchObject({ status: 200, failure: 'timeout' });
    expect(attempt.milliseconds).toBeLessThan(17_000);
  });

  it('hangs while its worker stops: the grace period is used once', async () => {
    // Before, it was used twice: when the program stopped the worker, and again when the application was closed.
    const own = await startTestApp({ environment: loopbackAllowed });
    let reached = (): void => undefined;
    const begun = new Promise<void>((resolve) => (reached = resolve));
    const url = await rawReceiver(() => reached());
    own.app.get(WebhookWorker).start();
    await own.inside(await own.newTenant(), async () => {
      const { endpoint } = await own.app.get(WebhookEndpointsService).create({ url, types: ['*'] });
      await own.app.get(WebhookDeliveriesService).ping(endpoint.id);
    });
    await begun;
    const started = performance.now();
    await own.app.get(WebhookWorker).stop(500);
    await own.close();
    expect(performance.now() - started).toBeLessThan(4000);
  });

  it('has finished: other receivers are served as before', async () => {
    const receiver = await WebhookReceiver.start();
    expect(await pinged(receiver.url)).toMatchObject({ status: 204, failure: null });
    await receiver.stop();
  });
});

describe('a program with a key', () => {
  const path = '/api/v2/webhook-endpoints/';
  let id: string;
  let authorization: string;

  beforeAll(async () => {
    authorization = await newKey(test, tenant, 'webhook:read', 'webhook:write', ...personalScopes);
    const made = await post(path, { url: 'https://example.org/', types: ['*'] }).expect(201);
    id = made.body.identifier as string;
  });

  function post(to: string, body: object) {
    return test.on(tenant).post(to).set('Authorization', authorization).send(body);
  }

  // null was answered 500, or read as the year 1970, which sent all events of a month again.
  it.each(['url', 'types', 'enabled'])('is told that %s cannot be null', async (name) => {
    const change = test.on(tenant).call('patch', `${path}${id}/`).set('Authorization', authorization);
    const { status, body } = await change.send({ [name]: null });
    expect([status, body.errors?.[0].pointer]).toEqual([400, `/${name}`]);
  });

  it.each(['delivery', 'since'])('is told that %s cannot be null', async (name) => {
    const { status, body } = await post(`${path}${id}/send-again/`, { [name]: null });
    expect([status, body.errors?.[0].pointer]).toEqual([400, `/${name}`]);
  });

  it('does not get back the megabyte that it sent as a type', async () => {
    const { text } = await post(path, { url: 'https://example.org/', types: ['x'.repeat(900_000)] }).expect(400);
    expect(text.length).toBeLessThan(1000);
  });

  it('is refused a position of the feed that never existed', async () => {
    for (const after of ['999999999999999', '9007199254740993', '999999999999999999']) {
      const feed = test.on(tenant).get(`/api/v2/webhook-events/?after=${after}`).set('Authorization', authorization);
      const { status } = await feed;
      expect([400, 404]).toContain(status);
    }
  });
});

it('logged no failure', () => {
  expect(logged.split('\n').filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([]);
});
