import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSignals, TenantDb } from '#tenancy';
import type { DataSource } from 'typeorm';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** `BackendKeyData`, which identifies the backend; a pooler sends other numbers. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 0x0c]);

interface Proxy {
  readonly url: string;
  /** Data sent on each connection, and whether it is closed. */
  readonly connections: { sent: string; closed: boolean }[];
  close(): Promise<void>;
}

let test: TestApp;
const proxies: Proxy[] = [];
const silent = { debug: () => undefined } as unknown as ConstructorParameters<typeof DatabaseSignals>[2];

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  await test.close();
});

/** A proxy in front of PostgreSQL. With `pooled` it reports another backend than the one that responds, as poolers do. */
async function openProxy({ pooled }: { pooled: boolean }): Promise<Proxy> {
  const target = new URL(test.database.url);
  const sockets = new Set<Socket>();
  const connections: Proxy['connections'] = [];
  const server: Server = createServer((client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname });
    const connection = { sent: '', closed: false };
    connections.push(connection);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.on('data', (bytes: Buffer) => {
      connection.sent += bytes.toString('latin1');
      upstream.write(bytes);
    });
    client.on('close', () => {
      connection.closed = true;
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    upstream.on('data', (bytes: Buffer) => {
      const at = pooled ? bytes.indexOf(keyData) : -1;
      if (at !== -1) bytes.writeUInt32BE(bytes.readUInt32BE(at + 5) + 1, at + 5);
      client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(test.database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  const proxy = { url: url.href, connections, close };
  proxies.push(proxy);
  return proxy;
}

const signalsThrough = ({ url }: Proxy): DatabaseSignals =>
  new DatabaseSignals(test.app.get(TenantDb), { options: { url } } as unknown as DataSource, silent);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pass(20);
}

describe('signals between processes', () => {
  it('arrive on a direct connection to PostgreSQL', async () => {
    const signals = signalsThrough(await openProxy({ pooled: false }));
    let heard = 0;
    const stop = signals.listen('signals_test', () => (heard += 1));
    await until(() => heard === 1);
    signals.send('signals_test');
    await until(() => heard === 2);
    stop();
  });

  it('are not used behind a pooler, whose backends would keep listening for others', async () => {
    const proxy = await openProxy({ pooled: true });
    const stop = signalsThrough(proxy).listen('signals_test', () => undefined);
    await until(() => proxy.connections[0]?.closed === true || /listen "/.test(proxy.connections[0]?.sent ?? ''));
    expect(proxy.connections.map(({ sent }) => /listen "/.test(sent))).toEqual([false]);
    stop();
  });
});
