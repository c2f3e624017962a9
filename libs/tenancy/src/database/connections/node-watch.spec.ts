import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '#kernel';
import { limits } from '../../limits.js';
import { NodeWatch } from './node-watch.js';

afterEach(() => {
  jest.useRealTimers();
});

it('finds a server silent that takes connections and never answers, as one that is frozen', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const watch = new NodeWatch(3, `postgres://guichet@127.0.0.1:${(server.address() as AddressInfo).port}/guichet`);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  try {
    const connected = once(server, 'connection');
    const looking = watch.look();
    await connected;
    watch.refuseIfSilent();
    jest.advanceTimersByTime(limits.nodeAnswer.ms);
    await looking;
    expect(() => watch.refuseIfSilent()).toThrow(UnavailableError);
  } finally {
    watch.stop();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
