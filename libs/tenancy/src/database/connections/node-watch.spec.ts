import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { UnavailableError } from '#kernel';
import { NodeWatch } from './node-watch.js';

const patient = globalThis.setTimeout;

afterEach(() => {
  globalThis.setTimeout = patient;
});

it('finds a server silent that takes connections and never answers, as one that is frozen', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const watch = new NodeWatch(3, `postgres://guichet@127.0.0.1:${(server.address() as AddressInfo).port}/guichet`);
  // Less patient.
  globalThis.setTimeout = ((work: () => void, ms = 0) => patient(work, ms / 20)) as typeof setTimeout;
  try {
    watch.refuseIfSilent();
    await watch.look();
    expect(sockets).toHaveLength(1);
    expect(() => watch.refuseIfSilent()).toThrow(UnavailableError);
  } finally {
    watch.stop();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
