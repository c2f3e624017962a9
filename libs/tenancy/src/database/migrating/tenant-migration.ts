import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { latestShared, latestTenant, requiredTenant, sharedMigrations, statementsOf, tenantMigrations } from '../../migrations/index.js';
import { nodeSettingsSql } from '../connections/database.js';
import type { Migration } from '../../migrations/index.js';

/** Advisory lock of all migrators of a node; the number must be unique in the database. */
const migrationLock = 7_263_001;

/** Changes of reference tables reach all nodes. Without the extension Citus, nobody reads these settings. */
const changeAllNodes = `set local citus.enable_ddl_propagation to on; set local citus.multi_shard_modify_mode to 'sequential'`;

/** Another process is migrating and did not finish within the time limit. */
export class OtherMigratorError extends Error {
  constructor() {
    super('another process is migrating');
  }
}

/**
 * Migrates the shared schema to the newest version in one transaction. Waits for another migrator without a time limit.
 * @param lockMs for each lock on a table, in milliseconds. Requests of other processes wait behind it
 * @throws PostgreSQL's error 55P03 after that time
 */
export async function migrateShared(client: pg.Client, lockMs: number): Promise<void> {
  await aloneInTransaction(client, async () => {
    await client.query(`set local lock_timeout to ${lockMs}`);
    await client.query(changeAllNodes);
    await createInstallation(client);
    const { rows } = await client.query<{ version: number }>('select schema_version as version from shared.installation for update');
    await applySteps(client, sharedMigrations.slice(rows[0]?.version ?? 0));
    await client.query('update shared.installation set schema_version = greatest(schema_version, $1)', [latestShared]);
  });
}

/** Creates the shared schema of an older version, in the caller's transaction and an empty database. */
export async function createSharedOf(client: pg.ClientBase, version: number): Promise<void> {
  await createInstallation(client);
  await applySteps(client, sharedMigrations.slice(0, version));
}

async function createInstallation(client: pg.ClientBase): Promise<void> {
  await client.query('create schema if not exists shared');
  await client.query(`
    create table if not exists shared.installation (
      id smallint default 1 primary key check (id = 1),
      schema_version integer default 0 not null,
      secret_fingerprint text,
      installed_at timestamptz default now() not null
    )`);
  await client.query('insert into shared.installation default values on conflict do nothing');
}

/**
 * Migrates one tenant's schema to the newest version in one transaction, while no other migrator works.
 * @param limits in milliseconds: `turnMs` for another migrator, `lockMs` for each lock on the tenant's tables. A long wait for a lock would
 *   also block later transactions, so the caller tries again later.
 * @returns the version before; undefined when the tenant is up to date or gone
 * @throws OtherMigratorError, or PostgreSQL's error; the tenant is then unchanged
 */
export function migrateTenant(
  client: pg.Client,
  id: string,
  limits: { readonly turnMs: number; readonly lockMs: number },
): Promise<number | undefined> {
  return inTransaction(client, async () => {
    await advisoryLock(client, limits.turnMs);
    await client.query(`set local lock_timeout to ${limits.lockMs}; set local idle_in_transaction_session_timeout to '60s'`);
    // `no key update`, because other processes may insert rows that refer to the tenant, such as a new domain.
    const { rows } = await client.query<{ schema_name: string; schema_version: number }>(
      'select schema_name, schema_version from shared.tenant where id = $1 and moving_since is null for no key update',
      [id],
    );
    const [tenant] = rows;
    if (!tenant || tenant.schema_version >= latestTenant) return undefined;
    await client.query(`set local search_path to "${tenant.schema_name}"`);
    // The record tells what people and programs change, not what versions do; and no table may be altered while its changes are pending.
    await client.query(`set constraints all immediate; set local guichet.migrating to 'on'`);
    await applySteps(client, tenantMigrations.slice(tenant.schema_version));
    await client.query('update shared.tenant set schema_version = $2, required_version = greatest(required_version, $3) where id = $1', [
      id,
      latestTenant,
      requiredTenant,
    ]);
    return tenant.schema_version;
  });
}

/**
 * Applies steps in the caller's transaction, on the first schema of its search path. Each statement is sent as its own message, because a
 * distributed database forwards the whole text of a message to other nodes. The statements are pipelined, because a new tenant takes more
 * than two hundred of them.
 * @throws PostgreSQL's error for the first statement that fails
 */
export function applySteps(client: pg.ClientBase, steps: readonly Migration[]): Promise<void> {
  return applyStatements(client, statementsOf(steps));
}

/** {@link applySteps} for some of their statements. */
export async function applyStatements(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  const connection = client as pg.ClientBase & { pipeline: boolean };
  const { pipeline } = connection;
  connection.pipeline = true;
  try {
    const known = await understood(client, statements);
    const answers = await Promise.allSettled(known.map((statement) => client.query(statement)));
    const failed = answers.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  } finally {
    // All results have arrived.
    connection.pipeline = pipeline;
  }
}

/** The storage of a new column, which PostgreSQL 15 does not know. There the step `fewer relations` sets it. */
const columnStorage = /(?<! set) storage plain/g;

async function understood(client: pg.ClientBase, statements: readonly string[]): Promise<readonly string[]> {
  if (statements.every((text) => text.search(columnStorage) < 0)) return statements;
  const { rows } = await client.query<{ known: boolean }>(`select current_setting('server_version_num')::int >= 160000 as known`);
  return rows[0]?.known ? statements : statements.map((text) => text.replaceAll(columnStorage, ''));
}

/** {@link applySteps} in a TypeORM transaction. */
export async function applyStepsIn(tx: EntityManager, steps: readonly Migration[]): Promise<void> {
  await applySteps((await tx.queryRunner?.connect()) as pg.ClientBase, steps);
}

/** Explains to operators why a tenant could not be migrated; undefined when the database as a whole fails. */
export function reasonOf(error: unknown, lockMs: number): string | undefined {
  if (error instanceof OtherMigratorError) return error.message;
  const { code, severity, message } = error as { code?: string; severity?: string; message?: string };
  // Not an error of PostgreSQL, or one that no tenant causes: read-only, disk full, no free connection, shutting down.
  if (severity !== 'ERROR' || !code || /^(25006|53100|53300|57P0\d|08)/.test(code)) return undefined;
  if (code === '55P03') return `busy: a table is locked by another transaction for more than ${lockMs} ms`;
  return `${message ?? 'failed'} (${code})`;
}

async function advisoryLock(client: pg.Client, turnMs: number): Promise<void> {
  await client.query(`set local lock_timeout to ${turnMs}`);
  try {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  } catch (error) {
    throw (error as { code?: string }).code === '55P03' ? new OtherMigratorError() : error;
  }
}

/** Runs work while no other migrator of the node works. Waits for it without a time limit. */
export function aloneInTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  return inTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    return work();
  });
}

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query(`begin; ${nodeSettingsSql}`);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
