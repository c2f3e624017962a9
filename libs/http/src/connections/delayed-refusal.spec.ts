import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendDelayed } from './delayed-refusal.js';

let server: Server;
let url: string;
let sent = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    sendDelayed(response, () => {
      sent += 1;
      response.writeHead(429).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
});

it('a client that asks without pause is refused a few times a second', async () => {
  const begun = performance.now();
  for (let time = 0; time < 3; time += 1) expect((await fetch(url)).status).toBe(429);
  expect(performance.now() - begun).toBeGreaterThan(500);
  expect(sent).toBe(3);
});

it('nothing is sent to a client that left meanwhile', async () => {
  const left = AbortSignal.timeout(50);
  await expect(fetch(url, { signal: left })).rejects.toThrow();
  expect((await fetch(url)).status).toBe(429);
  expect(sent).toBe(4);
});
