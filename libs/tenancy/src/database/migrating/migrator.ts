import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, sqlStateOf, type Settings } from '#kernel';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { unfinishedRestore } from './unfinished-restore.js';
import { limits } from '../../limits.js';
import { latestShared, latestTenant } from '../../migrations/index.js';
import { homeNode, Nodes } from '../connections/nodes.js';
import { onOwnConnection } from '../connections/own-connection.js';
import { makeReferenceTables, migrateNode } from './node-migration.js';
import { migrateShared, migrateTenant, OtherMigratorError, reasonOf } from './tenant-migration.js';

/** Attempts per tenant at a start or by the command. The background migrations try the remaining tenants later. */
const maximumAttempts = 3;
/**
 * Maximum total time that a pass waits for locks, as a multiple of the lock time-out, so that locks on many tenants do not delay a start.
 */
const lockTimeoutsPerPass = 8;
const minimumLockMs = 20;

export interface MigrationStatus {
  readonly shared: { readonly current: number; readonly latest: number };
  readonly tenants: {
    readonly total: number;
    readonly behind: number;
    /** Tenants that a newer program migrated in a way that this program does not support. */
    readonly newer: number;
    readonly latest: number;
  };
}

/** A tenant with pending migrations; it answers 503 until they are applied. */
export interface TenantBehind {
  readonly slug: string;
  readonly version: number;
  /** Text for operators. */
  readonly reason: string;
}

export interface MigrationReport {
  /** Number of steps applied to the shared schema. */
  readonly shared: number;
  /** Number of migrated tenants. */
  readonly tenants: number;
  readonly behind: readonly TenantBehind[];
  /** Slugs of tenants whose tables are too new for this program. */
  readonly newer: readonly string[];
}

interface BehindRow {
  readonly id: string;
  readonly node: number;
  readonly slug: string;
  readonly version: number;
}

interface Pass {
  /** Output: the reason why a tenant was not migrated, by slug. */
  readonly reasons: Map<string, string>;
  readonly say: (line: string) => void;
  readonly stopped: () => boolean;
}

/** Works on a few nodes at once. */
async function inTurns(nodes: readonly number[], work: (node: number) => Promise<void>): Promise<void> {
  const waiting = nodes.values();
  const lane = async (): Promise<void> => {
    for (const node of waiting) await work(node);
  };
  await Promise.all(Array.from({ length: limits.migratedNodes.number }, lane));
}

/** Its tenants answer 503; the others do not wait for it. */
function unreachable(node: number, error: unknown): string {
  return `node ${node} cannot be migrated: ${(error as Error).message}`;
}

/** The database was migrated by a newer program than this one. */
export class NewerSchemaError extends Error {}

/** A restore is running, or did not finish. */
export class UnfinishedRestoreError extends Error {}

/**
 * Applies the pending migrations of the shared schema and of all tenants. Each tenant is migrated in its own transaction, and one migrator
 * works at a time. So a killed migrator leaves no partial migration, and a busy or broken tenant does not stop the others. When nothing is
 * pending, this costs one query.
 */
@Injectable()
export class Migrator {
  /** Reasons why tenants were not migrated in the last pass of this process, by slug. */
  lastReasons: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly nodes: Nodes,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'migrationLockTimeoutMs'>,
  ) {}

  /** Reads the versions of the shared schema and the number of tenants with pending migrations, without a lock. */
  async status(): Promise<MigrationStatus> {
    const current = await this.sharedVersion();
    const tenants = { total: 0, behind: 0, newer: 0 };
    if (current > 0) {
      // The column may be missing while shared migrations are pending.
      const newer = current < latestShared ? 'false' : 'schema_version >= $1 and required_version > $1';
      const [row] = await this.home.query<(typeof tenants)[]>(
        `select count(*)::int as total, count(*) filter (where schema_version < $1)::int as behind,
           count(*) filter (where ${newer})::int as newer from shared.tenant`,
        [latestTenant],
      );
      Object.assign(tenants, row);
    }
    return { shared: { current, latest: latestShared }, tenants: { ...tenants, latest: latestTenant } };
  }

  /**
   * Applies the pending migrations; retries tenants that fail. Calls `say` after the shared schema and after each tenant.
   * @throws NewerSchemaError when the database is newer than this program; PostgreSQL's error when the shared schema cannot be migrated
   */
  async run(say: (line: string) => void = () => undefined): Promise<MigrationReport> {
    const before = await this.sharedVersion();
    if (before > latestShared) {
      throw new NewerSchemaError(`The database is at version ${before}, this program knows ${latestShared}: install the newer Guichet.`);
    }
    if (before < latestShared) {
      await this.migrateSharedSchema();
      say(`shared schema: version ${before} → ${latestShared}`);
    }
    if (this.nodes.areSeveral) await this.migrateNodes(say);
    let report = await this.migrateTenants(say);
    for (let attempt = 2; report.behind.length > 0 && attempt <= maximumAttempts; attempt += 1) {
      await pass(250 * 2 ** attempt);
      const again = await this.migrateTenants(say);
      report = { ...again, tenants: report.tenants + again.tenants };
    }
    for (const { slug, version, reason } of report.behind)
      say(`tenant ${slug}: stays at version ${version} of ${latestTenant} and answers 503: ${reason}`);
    for (const slug of report.newer) say(`tenant ${slug}: newer than this program and answers 503: install the newer Guichet`);
    return { ...report, shared: latestShared - before };
  }

  /**
   * Tries every tenant with pending migrations once; skips and reports busy and broken ones.
   * @param stopped is called before each tenant; true ends the pass
   */
  async migrateTenants(say: (line: string) => void = () => undefined, stopped: () => boolean = () => false): Promise<MigrationReport> {
    const behind = await this.tenantsBehind();
    const reasons = new Map<string, string>();
    let tenants = 0;
    await inTurns([...new Set(behind.map(({ node }) => node))], async (node) => {
      const ofNode = behind.filter((tenant) => tenant.node === node);
      try {
        const migrated = await this.withoutTimeLimit(node, (client) => this.migrateEach(client, ofNode, { reasons, say, stopped }));
        // Not with `+= await`, because nodes are migrated at once.
        tenants += migrated;
      } catch (error) {
        if (node === homeNode) throw error;
        for (const { slug } of ofNode) reasons.set(slug, unreachable(node, error));
      }
    });
    this.lastReasons = reasons;
    const left = behind.length === 0 ? [] : await this.tenantsBehind();
    return {
      shared: 0,
      tenants,
      behind: left.map(({ slug, version }) => ({
        slug,
        version,
        reason: reasons.get(slug) ?? new OtherMigratorError().message,
      })),
      newer: await this.newerTenants(),
    };
  }

  private async migrateEach(client: pg.Client, behind: readonly BehindRow[], { reasons, say, stopped }: Pass): Promise<number> {
    const { migrationLockTimeoutMs: lockTimeoutMs } = this.settings;
    let remainingWaitMs = lockTimeoutsPerPass * lockTimeoutMs;
    let count = 0;
    for (const [index, { id, slug }] of behind.entries()) {
      if (stopped()) break;
      const lockMs = Math.max(Math.min(minimumLockMs, lockTimeoutMs), Math.min(lockTimeoutMs, remainingWaitMs));
      const begun = performance.now();
      try {
        const from = await migrateTenant(client, id, { turnMs: Math.max(5000, 3 * lockTimeoutMs), lockMs });
        if (from === undefined) continue;
        count += 1;
        say(`tenant ${slug}: version ${from} → ${latestTenant} (${index + 1} of ${behind.length})`);
      } catch (error) {
        const reason = reasonOf(error, lockMs);
        if (reason === undefined) throw error;
        reasons.set(slug, reason);
        remainingWaitMs -= performance.now() - begun;
        // Another process migrates the remaining tenants.
        if (error instanceof OtherMigratorError) break;
      }
    }
    return count;
  }

  private tenantsBehind(): Promise<BehindRow[]> {
    return this.home.query<BehindRow[]>(
      `select id, slug, node, schema_version as version from shared.tenant
       where schema_version < $1 and moving_since is null order by slug`,
      [latestTenant],
    );
  }

  private async newerTenants(): Promise<string[]> {
    const rows = await this.home.query<{ slug: string }[]>(
      'select slug from shared.tenant where schema_version >= $1 and required_version > $1 order by slug',
      [latestTenant],
    );
    return rows.map(({ slug }) => slug);
  }

  private async sharedVersion(): Promise<number> {
    const [table] = await this.home.query<{ found: string | null; unfinished: string | null }[]>(
      "select to_regclass('shared.installation') as found, to_regclass($1) as unfinished",
      [unfinishedRestore],
    );
    if (table?.unfinished) throw new UnfinishedRestoreError('A backup was not loaded completely into this database: restore it again.');
    if (!table?.found) return 0;
    const [row] = await this.home.query<{ version: number }[]>('select schema_version as version from shared.installation');
    return row?.version ?? 0;
  }

  /** On its own connection without the pool's time limit, because creating an index on a large table can take long. */
  private async withoutTimeLimit<Result>(node: number, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const { dataSource } = await this.nodes.use(node);
    return onOwnConnection(dataSource, 'guichet-migrator', work);
  }

  /** Retries when a table is locked by others, so that their requests wait behind the migration for a short time only. */
  private async migrateSharedSchema(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.withoutTimeLimit(homeNode, (client) => migrateShared(client, this.settings.migrationLockTimeoutMs));
      } catch (error) {
        const isBusy = ['55P03', '40P01'].includes(sqlStateOf(error) ?? '');
        if (!isBusy || attempt === maximumAttempts) throw error;
        await pass(250 * 2 ** attempt);
      }
    }
  }

  /** Makes the tables of which nodes have all rows, then on each node those of which it has its own. */
  private async migrateNodes(say: (line: string) => void): Promise<void> {
    const made = await this.withoutTimeLimit(homeNode, makeReferenceTables);
    if (made.length > 0) say(`on all nodes: ${made.join(', ')}`);
    await inTurns(
      this.nodes.ids.filter((id) => id !== homeNode),
      async (id) => {
        try {
          const before = await this.withoutTimeLimit(id, migrateNode);
          if (before !== undefined) say(`node ${id}: version ${before} → ${latestShared}`);
        } catch (error) {
          say(unreachable(id, error));
        }
      },
    );
  }

  private get home(): DataSource {
    return this.nodes.home.dataSource;
  }
}
