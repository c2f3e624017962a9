import { Injectable } from '@nestjs/common';
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
      throw new NewerSchemaError(`The database is at version ${before}, this program knows ${latestShared}: install the newer Guichet.`);
    }
    if (before < latestShared) {
      await this.migrateShared();
      say(`shared schema: version ${before} → ${latestShared}`);
    }
    const behind = await this.dataSource.query<{ id: string; slug: string }[]>(
      'select id, slug from shared.tenant where schema_version < $1 order by slug',
      [latestTenant],
    );
    let migrated = 0;
    for (const [index, tenant] of behind.entries()) {
      const from = await this.migrateTenant(tenant.id);
      if (from === undefined) continue;
      migrated += 1;
      say(`tenant ${tenant.slug}: version ${from} → ${latestTenant} (${index + 1} of ${behind.length})`);
    }
    return { shared: latestShared - before, tenants: migrated };
  }

  /** The SQL of all tenant steps, for a schema that is being made in the caller's transaction (search path already set). */
  async applyAllTenantSteps(tx: Tx): Promise<void> {
    await applySteps(tx, tenantMigrations);
  }

  private async sharedVersion(): Promise<number> {
    const [table] = await this.dataSource.query<{ found: string | null }[]>("select to_regclass('shared.installation') as found");
    if (!table?.found) return 0;
    const [row] = await this.dataSource.query<{ version: number }[]>('select schema_version as version from shared.installation');
    return row?.version ?? 0;
  }

  private migrateShared(): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
      await tx.query(`
        create schema if not exists shared;
        create table if not exists shared.installation (
          id smallint default 1 primary key check (id = 1),
          schema_version integer default 0 not null,
          secret_fingerprint text,
          installed_at timestamptz default now() not null
        );
        insert into shared.installation default values on conflict do nothing`);
      const [row] = await tx.query<{ version: number }[]>('select schema_version as version from shared.installation for update');
      await applySteps(tx, sharedMigrations.slice(row?.version ?? 0));
      await tx.query('update shared.installation set schema_version = $1', [latestShared]);
    });
  }

  /** @returns the version it came from, or undefined when another migrator was faster or the tenant is gone */
  private migrateTenant(id: string): Promise<number | undefined> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
      const [tenant] = await tx.query<{ schema_name: string; schema_version: number }[]>(
        'select schema_name, schema_version from shared.tenant where id = $1 for update',
        [id],
      );
      if (!tenant || tenant.schema_version >= latestTenant) return undefined;
      // A long lock on a busy table would stop its door: give up and be started again.
      await tx.query(`set local search_path to "${tenant.schema_name}"; set local lock_timeout to '5s'`);
      await applySteps(tx, tenantMigrations.slice(tenant.schema_version));
      await tx.query('update shared.tenant set schema_version = $2 where id = $1', [id, latestTenant]);
      return tenant.schema_version;
    });
  }

  private describe(current: number, total: number, behind: number): MigrationStatus {
    return { shared: { current, latest: latestShared }, tenants: { total, behind, latest: latestTenant } };
  }
}

async function applySteps(tx: Tx, steps: readonly Migration[]): Promise<void> {
  // One round trip: PostgreSQL reads several statements from one text.
  if (steps.length > 0) await tx.query(steps.map((step) => step.sql).join('\n'));
}
