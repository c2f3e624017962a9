import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cutSlowReaders } from './slow-readers.js';

/** More than the kernel buffers of a connection hold. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x');
let server: Server;
const answers: ServerResponse[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    answers.push(response);
    if (request.url === '/large') response.end(large);
    else if (request.url === '/pieces') void pieces(response);
    else setTimeout(() => response.end(gzipSync('late')), 1500);
  });
  cutSlowReaders(server, { stallMs: 1000, slowest: 32 * 1024 * 1024 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/** An answer that is written as it is read, as compression writes it. */
async function pieces(response: ServerResponse): Promise<void> {
  for (let piece = 0; piece < 64 && !response.destroyed; piece += 1) {
    if (response.write(large.subarray(0, 512 * 1024))) continue;
    await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

async function ask(path: string): Promise<{ socket: Socket; response: ServerResponse }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const asked = once(server, 'request');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await asked;
  return { socket, response: answers.at(-1)! };
}

describe('a client', () => {
  it.each(['/large', '/pieces'])(
    'that does not read its answer loses its connection: %s',
    async (path) => {
      const { socket, response } = await ask(path);
      socket.pause();
      // Without the limit the answer stays in memory for as long as the client likes.
      await once(response, 'close');
      socket.destroy();
    },
    10_000,
  );

  it('that reads slowly loses its connection, too', async () => {
    const { socket, response } = await ask('/large');
    socket.pause();
    const drip = setInterval(() => socket.read(64 * 1024), 50);
    await once(response, 'close');
    clearInterval(drip);
    socket.destroy();
  }, 10_000);

  it('that reads gets the whole answer, also when it begins late', async () => {
    for (const path of ['/large', '/late']) {
      const { socket, response } = await ask(path);
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await Promise.all([once(response, 'close'), once(socket, 'end')]);
      expect([path, bytes > (path === '/large' ? large.length : 100)]).toEqual([path, true]);
    }
  }, 10_000);
});
