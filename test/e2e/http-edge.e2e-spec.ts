import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { recordProvoked } from '../support/api-answers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let logged = '';

beforeAll(async () => {
  test = await startTestApp({ log: (line) => (logged += line) });
  venue = await test.newTenant();
});
afterAll(() => test.close());

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: Record<string, unknown>;
}

/** Sends raw bytes and reads until the connection is closed. */
async function exchange(text: string): Promise<string> {
  const socket = connect(test.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(Buffer.from(text.replaceAll('{host}', venue.host), 'latin1'));
  await once(socket, 'close');
  return answer;
}

async function raw(text: string): Promise<RawAnswer> {
  const [headers = '', body = ''] = (await exchange(text)).split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) as Record<string, unknown> };
}

const close = 'Connection: close\r\n\r\n';

describe('a request that the HTTP parser refuses', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'request.malformed'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: {host}\r\n\r\n', 400, 'request.malformed'],
    [
      'two ways to end the body',
      'POST /api/prices/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'request.malformed',
    ],
    [
      'two lengths',
      'POST /api/prices/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      400,
      'request.malformed',
    ],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: {host}\r\nbro ken\r\n\r\n', 400, 'request.malformed'],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: {host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'request.headers_too_large'],
    [
      'an expectation',
      `POST /api/prices/ HTTP/1.1\r\nHost: {host}\r\nExpect: a-pony\r\nContent-Length: 0\r\n${close}`,
      417,
      'request.expectation',
    ],
    ['no host', `GET /api/products/ HTTP/1.1\r\n${close}`, 400, 'request.host'],
    ['two hosts', `GET /api/products/ HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n${close}`, 400, 'request.host'],
    ['bytes that are no address', `GET /api/products/?a=\xe9 HTTP/1.1\r\nHost: {host}\r\n${close}`, 400, 'request.malformed'],
  ])('is a problem with a request id: %s', async (_name, text, status, code) => {
    const answer = await raw(text);
    expect([answer.status, answer.body['code'], answer.body['status']]).toEqual([status, code, status]);
    expect(answer.headers).toMatch(/content-type: application\/problem\+json/i);
    const [, id] = /x-request-id: ([0-9a-f-]{36})/i.exec(answer.headers) ?? [];
    expect(answer.body['instance']).toBe(id);
    recordProvoked(code);
  });

  it('is logged with its id, without its content', async () => {
    const { body } = await raw('secret-word\r\n\r\n');
    expect(logged).toContain(String(body['instance']));
    expect(logged).not.toContain('secret-word');
  });

  it('is answered 408 when it arrives too slowly', async () => {
    const server = test.app.getHttpServer();
    const accepted = once(server, 'connection');
    const socket = connect(test.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    const [connection] = (await accepted) as [Socket];
    // Node checks for late requests every 30 seconds; the test emits its error directly.
    server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), connection);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"request.too_slow"');
    recordProvoked('request.too_slow');
  });

  it('does not include 100-continue', async () => {
    const socket = connect(test.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.write(
      `POST /api/prices/ HTTP/1.1\r\nHost: ${venue.host}\r\nExpect: 100-continue\r\n` +
        `Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n`,
    );
    await once(socket, 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 100 /);
    socket.write('{}');
    await once(socket, 'close');
    expect(answer).toContain('HTTP/1.1 200 ');
  });
});

describe('a host with a final dot', () => {
  it('is the same host', async () => {
    for (const host of [`${venue.host}.`, `${venue.host.toUpperCase()}.`, `${venue.host}.:3000`]) {
      await test.on(host).get('/api/products/').expect(200);
      await test.on(host).get('/').expect(200);
    }
    await test.on(`${venue.host}..`).get('/api/products/').expect(404);
    const absolute = await exchange(`GET http://${venue.host}./api/products/ HTTP/1.1\r\nHost: ${venue.host}\r\n${close}`);
    expect(absolute).toMatch(/^HTTP\/1\.1 200 /);
  });
});
