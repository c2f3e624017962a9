import { rm } from 'node:fs/promises';
import { setTimeout as pass } from 'node:timers/promises';
import type { Fault } from './faults.js';
import { until } from './processes.js';
import type { PostgresNode } from './postgres-node.js';

const waitMs = 10_000;
/** Writes 4 MB to the write-ahead log. */
const fourMegabytesOfLog = `select pg_logical_emit_message(true, 'faults', repeat('x', 4000000))`;

/** Faults of the primary and its standbys. */
export const databaseFaults: Readonly<Record<string, Fault>> = {
  'kill-backend': {
    name: "SIGKILL of one of the primary's backends",
    strike: async ({ stack }) => {
      await stack.primary.killBackend();
      await pass(5000);
    },
  },
  'kill-primary': {
    name: "SIGKILL of the primary's postmaster, started again after 1 s",
    strike: async ({ stack }) => {
      stack.primary.kill();
      await pass(1500);
      await until('the primary answers', 60, () => stack.primary.answers());
    },
    restore: ({ stack }) => stack.replicates(2),
  },
  'one-standby': {
    name: 'one of two standbys stopped for 10 s',
    strike: async ({ stack }) => {
      const [standby] = stack.standbys;
      await standby?.stop();
      await pass(waitMs);
      await standby?.start();
    },
    restore: ({ stack }) => stack.replicates(2),
  },
  'both-standbys': {
    name: 'both standbys stopped for 10 s (commits wait)',
    strike: async ({ stack }) => {
      await Promise.all(stack.standbys.map((standby) => standby.stop()));
      await pass(waitMs);
      await Promise.all(stack.standbys.map((standby) => standby.start()));
    },
    restore: ({ stack }) => stack.replicates(2),
  },
  'hanging-database': {
    name: 'the primary hangs for 10 s (SIGSTOP of all its processes)',
    strike: async ({ stack, processes }) => {
      processes.freeze(await stack.primary.processTree());
      await pass(waitMs);
      processes.thaw();
    },
    restore: ({ stack }) => stack.replicates(2),
  },
  'full-disk': {
    name: "the primary's disk is full for 10 s",
    skip: ({ databaseDisk }) => (typeof databaseDisk === 'string' ? databaseDisk : undefined),
    strike: async ({ stack, databaseDisk }) => {
      if (typeof databaseDisk === 'string') return databaseDisk;
      const pid = stack.primary.postmaster;
      await databaseDisk.fill();
      // Existing segments of the write-ahead log would last for minutes.
      const end = performance.now() + waitMs;
      while (performance.now() < end) {
        await stack.primary.query(fourMegabytesOfLog).catch(() => undefined);
        await pass(200);
      }
      await databaseDisk.free();
      await until('the primary answers', 60, () => stack.primary.answers());
      return stack.primary.postmaster === pid ? 'PostgreSQL went on' : 'PostgreSQL ended and was started again';
    },
    restore: ({ stack }) => stack.replicates(2),
  },
  failover: {
    name: 'failover: primary killed for good, standby promoted, PgBouncer repointed',
    strike: async ({ stack }) => {
      const began = performance.now();
      await stack.primary.stop('SIGKILL');
      const [next, other] = await byReceived(stack.standbys);
      if (!next || !other) throw new Error('There is no standby.');
      await next.promote();
      await stack.pooler.repoint(next.port);
      await other.follow(next);
      stack.primary = next;
      return `these steps took ${((performance.now() - began) / 1000).toFixed(1)} s`;
    },
    restore: async ({ stack }) => {
      const former = stack.nodes.find((node) => node !== stack.primary && node.postmaster !== 0 && !node.running);
      if (!former) return;
      await rm(former.folder, { recursive: true, force: true });
      await former.copy(stack.primary);
      await stack.replicates(2);
    },
  },
};

/** Sorts standbys by received log, most first, because with `ANY 1` only one of them is certain to have every commit. */
async function byReceived(standbys: readonly PostgresNode[]): Promise<PostgresNode[]> {
  const received = await Promise.all(
    standbys.map(async (node) => {
      const [row] = await node.query<{ at: string }>(`select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::text as at`);
      return { node, at: BigInt(row?.at ?? 0) };
    }),
  );
  return received.toSorted((one, two) => (two.at > one.at ? 1 : -1)).map(({ node }) => node);
}
