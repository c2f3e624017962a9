import { Injectable } from '@nestjs/common';
import { clockOffsetMs, RecentReadings } from '#kernel';
import { limits } from '../../limits.js';
import { TenantDb } from './tenant-db.js';
import type { Tx } from './tx.js';

/** A queue of background work. */
export interface WaitingQueue {
  /** A kind of job, `outbox` or `webhooks`. */
  readonly name: string;
  readonly waiting: number;
  /** Seconds that the oldest entry is overdue; 0 when nothing is late. */
  readonly oldestSeconds: number;
  /** Number of waiting entries that failed before. */
  readonly failed: number;
}

export interface ServerHealth {
  readonly databaseVersion: string;
  /** Database servers that do not answer; what follows is of the others. */
  readonly silent: readonly string[];
  /** Bytes; null when PostgreSQL did not answer in time. */
  readonly databaseBytes: number | null;
  readonly connections: { readonly open: number; readonly idle: number; readonly waiting: number };
  readonly queues: readonly WaitingQueue[];
  /** Webhook endpoints whose last delivery failed. */
  readonly failingEndpoints: number;
  /** The largest tenants, by PostgreSQL's statistics of the last vacuum or analyze. */
  readonly largest: readonly { readonly slug: string; readonly name: string; readonly bytes: number }[];
  /** By how much this server's clock is ahead of the database's, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Duration of the queries, in milliseconds. */
  readonly tookMs: number;
}

/** Time limit of a query; on large servers sizes are then omitted. */
const longestMs = 2000;

/** Number of the largest tenants. */
const mostLargest = 5;

interface Sizes {
  readonly databaseBytes: number | null;
  readonly largest: ServerHealth['largest'];
}

/**
 * Reads the state of all database servers with a few statements each, independent of the number of tenants. None reads a tenant's tables.
 */
@Injectable()
export class ServerHealthService {
  private readonly sizes = new RecentReadings<Sizes>(limits.sizes.kept);

  constructor(private readonly db: TenantDb) {}

  /** @throws the error of PostgreSQL when it cannot be queried */
  async look(): Promise<ServerHealth> {
    const begun = performance.now();
    const found = await this.db.onEachNode(() => this.lookAtNode());
    const sizes = await this.sizes.read('sizes', () => this.askSizes());
    return {
      databaseVersion: found[0]?.version ?? '',
      silent: this.db.silentNodes,
      failingEndpoints: sum(found.map(({ failing }) => failing)),
      queues: together(found.flatMap(({ queues }) => queues)),
      ...sizes,
      connections: this.db.poolState(),
      clockOffsetMs: Math.round(clockOffsetMs()),
      tookMs: Math.round(performance.now() - begun),
    };
  }

  private lookAtNode(): Promise<{ version: string; failing: number; queues: WaitingQueue[] }> {
    return this.db.shared(async (tx) => {
      await tx.query(`set local statement_timeout to ${longestMs}`);
      const [version] = await tx.query<{ version: string }[]>(`select current_setting('server_version') as version`);
      const [endpoints] = await tx.query<{ failing: number }[]>('select count(*)::int as failing from shared.webhook_queue where failing');
      const queues = await tx.query<WaitingQueue[]>(queuesSql);
      return { version: version?.version ?? '', failing: endpoints?.failing ?? 0, queues };
    });
  }

  private async askSizes(): Promise<Sizes> {
    const ask = async <Row>(sql: string): Promise<Row[]> => {
      const rows = this.db.onEachNode(() =>
        this.db.shared(async (tx: Tx) => {
          await tx.query(`set local statement_timeout to ${longestMs}`);
          return tx.query<Row[]>(sql);
        }),
      );
      return rows.then((all) => all.flat()).catch(() => []);
    };
    const sizes = await ask<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
    const largest = await ask<{ slug: string; name: string; bytes: string }>(largestSql);
    return {
      databaseBytes: sizes.length > 0 ? sum(sizes.map(({ bytes }) => Number(bytes))) : null,
      largest: largest
        .map(({ bytes, ...row }) => ({ ...row, bytes: Number(bytes) }))
        .toSorted((one, other) => other.bytes - one.bytes)
        .slice(0, mostLargest),
    };
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One entry for each queue, whatever nodes it is on. */
function together(queues: readonly WaitingQueue[]): WaitingQueue[] {
  const byName = new Map<string, WaitingQueue>();
  for (const { name, waiting, oldestSeconds, failed } of queues) {
    const known = byName.get(name) ?? { name, waiting: 0, oldestSeconds: 0, failed: 0 };
    byName.set(name, {
      name,
      waiting: known.waiting + waiting,
      oldestSeconds: Math.max(known.oldestSeconds, oldestSeconds),
      failed: known.failed + failed,
    });
  }
  return [...byName.values()];
}

/** Leased entries are in progress; those whose lease expired are waiting again. */
const queuesSql = `
  select kind as name, count(*)::int as waiting, count(*) filter (where attempts > 0)::int as failed,
    greatest(0, extract(epoch from now() - min(due_at)))::int as "oldestSeconds"
  from shared.job where due_at is not null and (leased_until is null or leased_until <= now()) group by kind
  union all
  select 'outbox', count(*)::int, 0, coalesce(extract(epoch from now() - min(occurred_at)), 0)::int from shared.outbox
  union all
  select 'webhooks', count(*)::int, count(*) filter (where failing)::int,
  coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::int
  from shared.webhook_queue where due_at is not null and (leased_until is null or leased_until <= now())
  order by 1`;

/** From the catalogue, because sizes from the file system need one stat call for each of many thousand files. */
const largestSql = `
  select t.slug, t.name, (sum(greatest(c.relpages, 0)) * current_setting('block_size')::bigint)::bigint as bytes
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join shared.tenant t on t.schema_name = n.nspname::text
  where c.relkind in ('r', 'i') group by t.id order by bytes desc, t.slug limit ${mostLargest}`;
