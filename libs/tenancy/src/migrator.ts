import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { latestShared, latestTenant, sharedMigrations, tenantMigrations } from './migrations/index.js';
import type { Migration } from './migrations/index.js';
import type { Tx } from './tenant-db.js';

/** Any number that no other program on this database uses; both migrators of two starting servers ask for it. */
const migrationLock = 7_263_001;

export interface MigrationStatus {
  readonly shared: { readonly current: number; readonly latest: number };
  readonly tenants: { readonly total: number; readonly behind: number; readonly latest: number };
}

/** The database was migrated by a newer program than this one. */
export class NewerSchemaError extends Error {}

/**
 * Brings the shared schema and every tenant's to the newest version. Each step is a transaction of its own under one advisory lock, so
 * two migrators take turns, a killed one leaves nothing half done, and nothing to do costs one query.
 */
@Injectable()
export class Migrator {
  constructor(private readonly dataSource: DataSource) {}

  async status(): Promise<MigrationStatus> {
    const current = await this.sharedVersion();
    if (current === 0) return this.describe(0, 0, 0);
    const [row] = await this.dataSource.query<{ total: number; behind: number }[]>(
      'select count(*)::int as total, count(*) filter (where schema_version < $1)::int as behind from shared.tenant',
      [latestTenant],
    );
    return this.describe(current, row?.total ?? 0, row?.behind ?? 0);
  }

  /**
   * Applies what is missing. `say` is told after the shared schema and after each tenant.
   * @throws NewerSchemaError when the database is ahead of this program
   */
  async run(say: (line: string) => void = () => undefined): Promise<{ shared: number; tenants: number }> {
    const before = await this.sharedVersion();
    if (before > latestShared) {
      throw new NewerSchemaError(
        `The database is at version ${before}, this program knows ${latestShared}: install the newer Guichet.`,
      );
    }
    if (before < latestShared) {
      await this.patiently(migrateShared);
      say(`shared schema: version ${before} → ${latestShared}`);
    }
    const behind = await this.dataSource.query<{ id: string; slug: string }[]>(
      'select id, slug from shared.tenant where schema_version < $1 order by slug',
      [latestTenant],
    );
    if (behind.length === 0) return { shared: latestShared - before, tenants: 0 };
    const migrated = await this.patiently(async (client) => {
      let count = 0;
      for (const [index, tenant] of behind.entries()) {
        const from = await migrateTenant(client, tenant.id);
        if (from === undefined) continue;
        count += 1;
        say(`tenant ${tenant.slug}: version ${from} → ${latestTenant} (${index + 1} of ${behind.length})`);
      }
      return count;
    });
    return { shared: latestShared - before, tenants: migrated };
  }

  /** The SQL of all tenant steps, for a schema that is being made in the caller's transaction (search path already set). */
  async applyAllTenantSteps(tx: Tx): Promise<void> {
    await tx.query(sqlOf(tenantMigrations));
  }

  private async sharedVersion(): Promise<number> {
    const [table] = await this.dataSource.query<{ found: string | null }[]>(
      "select to_regclass('shared.installation') as found",
    );
    if (!table?.found) return 0;
    const [row] = await this.dataSource.query<{ version: number }[]>(
      'select schema_version as version from shared.installation',
    );
    return row?.version ?? 0;
  }

  /** On a connection of its own, without the pool's time limit: an index on a large table takes its time. */
  private async patiently<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const { url } = this.dataSource.options as { url?: string };
    const client = new pg.Client({ connectionString: url, application_name: 'guichet-migrator', keepAlive: true });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  private describe(current: number, total: number, behind: number): MigrationStatus {
    return { shared: { current, latest: latestShared }, tenants: { total, behind, latest: latestTenant } };
  }
}

/** One step: all or nothing, and one migrator at a time. */
async function inTurn<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function migrateShared(client: pg.Client): Promise<void> {
  return inTurn(client, async () => {
    await client.query(`
      create schema if not exists shared;
      create table if not exists shared.installation (
        id smallint default 1 primary key check (id = 1),
        schema_version integer default 0 not null,
        secret_fingerprint text,
        installed_at timestamptz default now() not null
      );
      insert into shared.installation default values on conflict do nothing`);
    const { rows } = await client.query<{ version: number }>(
      'select schema_version as version from shared.installation for update',
    );
    await client.query(sqlOf(sharedMigrations.slice(rows[0]?.version ?? 0)));
    await client.query('update shared.installation set schema_version = $1', [latestShared]);
  });
}

/** @returns the version it came from, or undefined when another migrator was faster or the tenant is gone */
function migrateTenant(client: pg.Client, id: string): Promise<number | undefined> {
  return inTurn(client, async () => {
    const { rows } = await client.query<{ schema_name: string; schema_version: number }>(
      'select schema_name, schema_version from shared.tenant where id = $1 for update',
      [id],
    );
    const [tenant] = rows;
    if (!tenant || tenant.schema_version >= latestTenant) return undefined;
    // Waiting long for a lock on a busy table would stop its door: give up, and be started again.
    await client.query(`set local search_path to "${tenant.schema_name}"; set local lock_timeout to '5s'`);
    await client.query(sqlOf(tenantMigrations.slice(tenant.schema_version)));
    await client.query('update shared.tenant set schema_version = $2 where id = $1', [id, latestTenant]);
    return tenant.schema_version;
  });
}

/** One round trip: PostgreSQL reads several statements from one text. */
function sqlOf(steps: readonly Migration[]): string {
  return steps.map((step) => step.sql).join('\n');
}
