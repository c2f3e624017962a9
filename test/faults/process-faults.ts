import { setTimeout as pass } from 'node:timers/promises';
import type { Fault } from './faults.js';

/** Faults of servers, worker and pooler. */
export const processFaults: Readonly<Record<string, Fault>> = {
  none: {
    name: 'none',
    strike: () => pass(10_000),
  },
  'rolling-restart': {
    name: 'rolling restart of both servers and the worker',
    strike: async ({ stack }) => {
      for (const server of stack.servers) {
        await stack.restart(server);
        // HAProxy uses the server again after a successful check.
        await pass(2000);
      }
      await stack.restart(stack.worker);
    },
  },
  'kill-server': {
    name: 'SIGKILL of a server',
    strike: async ({ stack }) => {
      const [server] = stack.servers;
      if (!server) return;
      server.supervised.kill();
      await pass(1500);
      await stack.ready(server);
    },
  },
  'kill-worker': {
    name: 'SIGKILL of the worker',
    strike: async ({ stack }) => {
      stack.worker.supervised.kill();
      await pass(8000);
    },
  },
  'kill-pooler': {
    name: 'SIGKILL of PgBouncer',
    strike: async ({ stack }) => {
      stack.pooler.kill();
      await pass(5000);
    },
  },
};
