import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { latestShared, latestTenant } from '../migrations/index.js';
import { onOwnConnection } from '../connections/own-connection.js';
import { migrateShared, migrateTenant, OtherMigratorError, reasonOf } from './tenant-migration.js';

/** A start and the command try each tenant so often; what is left then is tried again in the background. */
const attemptsInAll = 3;
/**
 * Waiting for locks takes a pass at most so many lock time-outs in all, so that a lock on every tenant does not hold up a start for long.
 */
const lockTimeoutsInAll = 8;
const shortestLockMs = 20;

export interface MigrationStatus {
  readonly shared: { readonly current: number; readonly latest: number };
  readonly tenants: {
    readonly total: number;
    readonly behind: number;
    /** Migrated by a newer program in a way that this one does not know. */
    readonly newer: number;
    readonly latest: number;
  };
}

/** A tenant that could not be migrated and answers 503 until it is. */
export interface TenantBehind {
  readonly slug: string;
  readonly version: number;
  /** In words for an operator. */
  readonly reason: string;
}

export interface MigrationReport {
  /** Steps applied to the shared schema. */
  readonly shared: number;
  /** Tenants migrated. */
  readonly tenants: number;
  readonly behind: readonly TenantBehind[];
  /** Slugs of tenants whose tables are newer than this program. */
  readonly newer: readonly string[];
}

interface BehindRow {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
}

interface Pass {
  /** Filled: why a tenant stays as it is, by slug. */
  readonly reasons: Map<string, string>;
  readonly say: (line: string) => void;
  readonly stopped: () => boolean;
}

/** The database was migrated by a newer program than this one. */
export class NewerSchemaError extends Error {}

/**
 * Brings the shared schema and every tenant's to the newest version. Each tenant is a transaction of its own, and one migrator works at a
 * time, so a killed one leaves nothing half done, a busy or broken tenant does not stop the others, and nothing to do costs one query.
 */
@Injectable()
export class Migrator {
  /** Why tenants stayed behind at this process's last pass, by slug. */
  lastReasons: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'migrationLockTimeoutMs'>,
  ) {}

  async status(): Promise<MigrationStatus> {
    const current = await this.sharedVersion();
    const tenants = { total: 0, behind: 0, newer: 0 };
    if (current > 0) {
      // A database that waits for the shared steps may lack the column.
      const newer = current < latestShared ? 'false' : 'schema_version >= $1 and required_version > $1';
      const [row] = await this.dataSource.query<(typeof tenants)[]>(
        `select count(*)::int as total, count(*) filter (where schema_version < $1)::int as behind,
           count(*) filter (where ${newer})::int as newer from shared.tenant`,
        [latestTenant],
      );
      Object.assign(tenants, row);
    }
    return { shared: { current, latest: latestShared }, tenants: { ...tenants, latest: latestTenant } };
  }

  /**
   * Applies what is missing, each tenant several times if needed. `say` is told after the shared schema and after each tenant.
   * @throws NewerSchemaError when the database is ahead of this program, and what PostgreSQL says when the shared schema cannot be migrated
   */
  async run(say: (line: string) => void = () => undefined): Promise<MigrationReport> {
    const before = await this.sharedVersion();
    if (before > latestShared) {
      throw new NewerSchemaError(`The database is at version ${before}, this program knows ${latestShared}: install the newer Guichet.`);
    }
    if (before < latestShared) {
      await this.patiently(migrateShared);
      say(`shared schema: version ${before} → ${latestShared}`);
    }
    let report = await this.migrateTenants(say);
    for (let attempt = 2; report.behind.length > 0 && attempt <= attemptsInAll; attempt += 1) {
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
   * Tries every tenant that is behind once; those that are busy or broken are passed over and reported.
   * @param stopped asked before each tenant whether to end
   */
  async migrateTenants(say: (line: string) => void = () => undefined, stopped: () => boolean = () => false): Promise<MigrationReport> {
    const behind = await this.tenantsBehind();
    const reasons = new Map<string, string>();
    const tenants = behind.length === 0 ? 0 : await this.patiently((client) => this.each(client, behind, { reasons, say, stopped }));
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

  private async each(client: pg.Client, behind: readonly BehindRow[], { reasons, say, stopped }: Pass): Promise<number> {
    const { migrationLockTimeoutMs: lockTimeoutMs } = this.settings;
    let patienceMs = lockTimeoutsInAll * lockTimeoutMs;
    let count = 0;
    for (const [index, { id, slug }] of behind.entries()) {
      if (stopped()) break;
      const lockMs = Math.max(Math.min(shortestLockMs, lockTimeoutMs), Math.min(lockTimeoutMs, patienceMs));
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
        patienceMs -= performance.now() - begun;
        // The rest is left to whoever is at it.
        if (error instanceof OtherMigratorError) break;
      }
    }
    return count;
  }

  private tenantsBehind(): Promise<BehindRow[]> {
    return this.dataSource.query<BehindRow[]>(
      'select id, slug, schema_version as version from shared.tenant where schema_version < $1 order by slug',
      [latestTenant],
    );
  }

  private async newerTenants(): Promise<string[]> {
    const rows = await this.dataSource.query<{ slug: string }[]>(
      'select slug from shared.tenant where schema_version >= $1 and required_version > $1 order by slug',
      [latestTenant],
    );
    return rows.map(({ slug }) => slug);
  }

  private async sharedVersion(): Promise<number> {
    const [table] = await this.dataSource.query<{ found: string | null }[]>("select to_regclass('shared.installation') as found");
    if (!table?.found) return 0;
    const [row] = await this.dataSource.query<{ version: number }[]>('select schema_version as version from shared.installation');
    return row?.version ?? 0;
  }

  /** Without the pool's time limit: an index on a large table takes its time. */
  private patiently<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return onOwnConnection(this.dataSource, 'guichet-migrator', work);
  }
}
