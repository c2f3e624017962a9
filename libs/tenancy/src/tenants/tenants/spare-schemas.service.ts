import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { withoutContext, LOGGER, SETTINGS, type Logger, type Settings } from '#kernel';
import { latestTenant, tenantMigrations } from '../../migrations/index.js';
import { applyStepsIn } from '../../database/migrating/tenant-migration.js';
import { currentNode, onNode } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';

/** Advisory lock of `fill`; the number must be unique in the database. */
const fillLock = 7_263_004;

const takeSql = `delete from shared.spare_schema where schema_name = (
    select s.schema_name from shared.spare_schema s
    where s.schema_version = $1 and exists (select 1 from pg_namespace n where n.nspname = s.schema_name)
    order by s.created_at, s.schema_name limit 1 for update skip locked)
  returning schema_name as name`;

/**
 * Creates schemas with a tenant's tables in advance, because creating about sixty tables takes most of the time of a tenant's creation,
 * while renaming a schema is fast.
 */
@Injectable()
export class SpareSchemasService implements BeforeApplicationShutdown {
  private filling: Promise<void> | undefined;
  private stopping = false;

  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'spareSchemas'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Creates the schema of a new tenant in the caller's transaction and puts it first in the search path. The schema has all tables, and
   * only the rows that every tenant has.
   */
  async provide(tx: Tx, schemaName: string): Promise<void> {
    const [[spare]] = await tx.query<[{ name: string }[], number]>(takeSql, [latestTenant]);
    const begin = spare ? `alter schema "${spare.name}" rename to` : 'create schema';
    await tx.query(`${begin} "${schemaName}"`);
    await tx.query(`set local search_path to "${schemaName}"`);
    if (spare) this.db.afterCommit(tx, () => this.wake());
    else await applyStepsIn(tx, tenantMigrations);
  }

  /**
   * Creates spare schemas until the current node has `SPARE_SCHEMAS` of them, and drops those of older versions. One process at a time
   * does this; in the others the call returns at once.
   */
  async fill(count = this.settings.spareSchemas): Promise<void> {
    while (!this.stopping && (await this.db.shared((tx) => this.improve(tx, count))));
  }

  /** Stops before the pools are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.filling;
  }

  /** Creates a replacement in the background after a spare schema was used. */
  private wake(): void {
    if (this.settings.spareSchemas === 0) return;
    const node = currentNode();
    this.filling ??= withoutContext(() => onNode(node, () => this.fill()))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'no spare schema made'))
      .finally(() => {
        this.filling = undefined;
      });
  }

  /** Drops or creates one schema. @returns false when nothing is left to do, or another process is working */
  private async improve(tx: Tx, count: number): Promise<boolean> {
    const [lock] = await tx.query<{ mine: boolean }[]>('select pg_try_advisory_xact_lock($1) as mine', [fillLock]);
    if (!lock?.mine) return false;
    const [[old]] = await tx.query<[{ name: string }[], number]>(
      `delete from shared.spare_schema where schema_name = (
         select schema_name from shared.spare_schema where schema_version < $1 limit 1 for update skip locked)
         returning schema_name as name`,
      [latestTenant],
    );
    if (old) {
      await tx.query(`drop schema if exists "${old.name}" cascade`);
      return true;
    }
    const [have] = await tx.query<{ count: number }[]>('select count(*)::int as count from shared.spare_schema where schema_version = $1', [
      latestTenant,
    ]);
    if ((have?.count ?? 0) >= count) return false;
    const name = `spare_${randomUUID().replaceAll('-', '')}`;
    await tx.query(`create schema "${name}"`);
    await tx.query(`set local search_path to "${name}"`);
    await applyStepsIn(tx, tenantMigrations);
    await tx.query('insert into shared.spare_schema (schema_name, schema_version) values ($1, $2)', [name, latestTenant]);
    return true;
  }
}
