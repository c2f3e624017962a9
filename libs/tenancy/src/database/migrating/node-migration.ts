import type pg from 'pg';
import { latestShared, sharedMigrations, statementsOf } from '../../migrations/index.js';
import { referenceTables } from '../../migrations/shared-tables.js';
import { aloneInTransaction, applyStatements } from './tenant-migration.js';

/** Makes reference tables of those that only the home node has, with their rows. @returns their names */
export function makeReferenceTables(home: pg.Client): Promise<string[]> {
  return aloneInTransaction(home, async () => {
    await home.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    const { rows } = await home.query<{ name: string }>(localSql, [Object.keys(referenceTables)]);
    for (const { name } of rows) await home.query('select create_reference_table($1)', [`shared.${name}`]);
    // The rows that were copied, of which nothing is seen any more.
    for (const { name } of rows) await home.query('select truncate_local_data_after_distributing_table($1)', [`shared.${name}`]);
    return rows.map(({ name }) => name);
  });
}

/** Migrates the shared tables of which a node has its own rows. @returns the version before; undefined when they are up to date */
export function migrateNode(client: pg.Client): Promise<number | undefined> {
  return aloneInTransaction(client, async () => {
    const before = await versionOf(client);
    if (before >= latestShared) return undefined;
    await client.query('create schema if not exists shared');
    const statements = statementsOf(sharedMigrations.slice(before)).filter((statement) => !isOfReference(statement));
    await applyStatements(client, statements);
    await client.query('update shared.node set schema_version = $1', [latestShared]);
    return before;
  });
}

async function versionOf(client: pg.Client): Promise<number> {
  const { rows: tables } = await client.query<{ found: boolean }>(`select to_regclass('shared.node') is not null as found`);
  if (!tables[0]?.found) return 0;
  const { rows } = await client.query<{ version: number }>('select schema_version as version from shared.node');
  return rows[0]?.version ?? 0;
}

/** Whether a statement changes a reference table. The first name in it is that of its table. */
function isOfReference(statement: string): boolean {
  const [, name = ''] = /\bshared\.(\w+)/.exec(statement.replaceAll(/--[^\n]*/g, '')) ?? [];
  return name in referenceTables;
}

const localSql = `select c.relname::text as name from pg_class c
  where c.relnamespace = 'shared'::regnamespace and c.relname = any($1)
    and not exists (select 1 from pg_catalog.pg_dist_partition p where p.logicalrelid = c.oid and p.partmethod = 'n' and p.repmodel = 't')
  order by array_position($1::text[], c.relname::text)`;
