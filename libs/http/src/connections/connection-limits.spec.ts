import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { metrics } from '#kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import { ConnectionLimits, healthReserve, mostUnanswered } from './connection-limits.js';

let server: Server;
let limits: ConnectionLimits;
const warnings: { message: string; refused: number }[] = [];
const sockets: Socket[] = [];
const proxy = '127.0.0.9';
const near = '127.0.0.8';

beforeAll(async () => {
  limits = new ConnectionLimits({
    total: 8,
    ofNetwork: 3,
    isProxy: (address) => address === proxy,
    isNear: (address) => address === near,
    logger: { warn: (facts: object, message: string) => warnings.push({ message, ...(facts as { refused: number }) }) },
  });
  server = createServer((request, response) => {
    if (limits.admits(request, response)) response.end('answered');
  });
  limits.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});
beforeEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually(() => expect(limits.size).toBe(0));
});

/** A connection of a client; each loopback address is a network of its own. */
async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and reads until something arrives or the connection is closed. @returns what arrived */
async function send(socket: Socket, bytes: string): Promise<string> {
  const arrived = Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.write(bytes);
  return String((await arrived)[0]);
}

const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const held = (count: number, address?: string): Promise<Socket[]> => Promise.all(Array.from({ length: count }, () => open(address)));

const isClosed = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await once(socket.resume(), 'close');
};

async function refusals(limit: string): Promise<number> {
  const { values } = await metrics.getSingleMetric('guichet_connections_refused_total')!.get();
  return values.find(({ labels }) => labels['limit'] === limit)?.value ?? 0;
}

describe('connections', () => {
  it('of one client network are limited: other networks and proxies find one', async () => {
    await held(3);
    const [over] = await held(1);
    const before = await refusals('network');
    expect(await send(over!, ask('/'))).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5[^]*Connection: close[^]*"code":"server\.busy"/);
    await isClosed(over!);
    expect(await refusals('network')).toBe(before + 1);
    expect(await send(await open('127.0.0.2'), ask('/'))).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of await held(4, proxy)) expect(await send(socket, ask('/'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('beyond the limits answer health checks, one on each connection', async () => {
    await held(3);
    await held(3, '127.0.0.2');
    await held(2, '127.0.0.3');
    for (const path of ['/ready', '/live/', '/metrics?x'])
      for (const address of ['127.0.0.1', '127.0.0.4', proxy]) {
        const socket = await open(address);
        expect(await send(socket, ask(path))).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close/);
        await isClosed(socket);
      }
    for (const path of ['/', '/ready/x', '/admin', '/x/ready'])
      expect(await send(await open(proxy), ask(path))).toMatch(/^HTTP\/1\.1 503 /);
    // Pipelined requests behind a health check are no way around it.
    const piped = await open();
    let answers = '';
    piped.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    piped.write(ask('/ready') + ask('/') + ask('/'));
    await isClosed(piped);
    expect(answers.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('beyond the limits that send nothing are closed soon, and one network has a few of them', async () => {
    await held(3);
    const silent = await held(healthReserve.ofNetwork);
    const [late] = await held(1);
    await isClosed(late!);
    // Another network still finds one.
    await held(3, '127.0.0.2');
    expect(await send(await open('127.0.0.2'), ask('/ready'))).toMatch(/^HTTP\/1\.1 200 /);
    await Promise.all(silent.map(isClosed));
    expect(await send(await open(), ask('/live'))).toMatch(/^HTTP\/1\.1 200 /);
  }, 10_000);

  it('beyond the limits from many distant networks leave places to the checks of proxies and of this machine', async () => {
    for (const network of [1, 2, 3]) await held(3, `127.0.0.${network}`);
    for (let network = 11; network < 15; network += 1) await held(healthReserve.ofNetwork, `127.0.0.${network}`);
    await eventually(() => expect(limits.size).toBe(8 + healthReserve.total));
    await isClosed(await open('127.0.0.20'));
    for (const address of [near, proxy]) expect(await send(await open(address), ask('/ready'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are closed when they have too many unanswered requests', async () => {
    const before = await refusals('unanswered');
    const many = await open();
    let answers = '';
    many.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    many.write(ask('/').repeat(mostUnanswered));
    await eventually(() => expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(mostUnanswered));
    many.write(ask('/').repeat(mostUnanswered + 50));
    await isClosed(many);
    expect(await refusals('unanswered')).toBe(before + 1);
  });

  it('are free again when they are closed, also when they were aborted, and as often as one likes', async () => {
    for (let round = 0; round < 20; round += 1) {
      const clients = await held(3);
      await eventually(() => expect(limits.size).toBe(3));
      for (const socket of clients) {
        if (round % 2 === 0) socket.destroy();
        else socket.resetAndDestroy();
      }
      await eventually(() => expect(limits.size).toBe(0));
    }
    const kept = await open();
    for (let time = 0; time < 5; time += 1) expect(await send(kept, ask('/'))).toMatch(/^HTTP\/1\.1 200 /);
    expect(limits.size).toBe(1);
  });

  it('that are refused are logged at most once in some seconds, and all of them are counted', async () => {
    warnings.length = 0;
    const before = await refusals('network');
    await held(3 + healthReserve.ofNetwork);
    const refused = await held(20);
    await Promise.all(refused.map(isClosed));
    expect(await refusals('network')).toBe(before + 20);
    expect(warnings.length).toBeLessThanOrEqual(1);
  });
});
