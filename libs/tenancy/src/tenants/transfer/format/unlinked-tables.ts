import type pg from 'pg';
import type { Migration } from '../../../migrations/index.js';
import { applySteps } from '../../../database/migrating/tenant-migration.js';
import { qualified, tablesOf, type TableShape } from './table-catalog.js';
import type { SequenceState } from './transfer-format.js';

/** A foreign key that was dropped. */
export interface DroppedKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Creates a tenant's tables in a new schema by its migrations, without rows, and without foreign keys and with disabled triggers,
 * because the order of rows that are loaded may violate keys, and triggers change rows that are loaded already. Leaves the schema first in
 * the search path.
 */
export async function createUnlinkedTables(
  client: pg.ClientBase,
  schema: string,
  steps: readonly Migration[],
): Promise<{ readonly tables: TableShape[]; readonly keys: DroppedKey[] }> {
  await client.query(`create schema "${schema}"`);
  await client.query(`set local search_path to "${schema}"`);
  await applySteps(client, steps);
  return unlinkTables(client, schema);
}

/** Drops the foreign keys of a schema and the initial rows that its migrations wrote, and disables its triggers. */
export async function unlinkTables(
  client: pg.ClientBase,
  schema: string,
): Promise<{ readonly tables: TableShape[]; readonly keys: DroppedKey[] }> {
  const { rows: keys } = await client.query<DroppedKey>(foreignKeysSql, [schema]);
  for (const { table, name } of keys) await client.query(`alter table ${qualified(schema, table)} drop constraint "${name}"`);
  await switchTriggers(client, schema, 'disable');
  const tables = await tablesOf(client, schema);
  for (const { table } of tables) {
    const { rows } = await client.query(`select 1 from ${qualified(schema, table)} limit 1`);
    if (rows.length > 0) await client.query(`delete from ${qualified(schema, table)}`);
  }
  return { tables, keys };
}

/**
 * Adds the foreign keys again, which checks all rows, enables the triggers, and sets the identity sequences. The schema must be first in
 * the search path.
 */
export async function linkTables(
  client: pg.ClientBase,
  schema: string,
  { keys, sequences }: { readonly keys: readonly DroppedKey[]; readonly sequences: readonly SequenceState[] },
): Promise<void> {
  for (const { table, name, definition } of keys) {
    await client.query(
      `alter table ${qualified(schema, table)} drop constraint if exists "${name}", add constraint "${name}" ${definition}`,
    );
  }
  await switchTriggers(client, schema, 'enable');
  for (const { table, column, last, called } of sequences)
    await client.query(`select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4)`, [qualified(schema, table), column, last, called]);
}

async function switchTriggers(client: pg.ClientBase, schema: string, to: 'enable' | 'disable'): Promise<void> {
  const { rows } = await client.query<{ table: string }>(triggeredTablesSql, [schema]);
  for (const { table } of rows) await client.query(`alter table ${qualified(schema, table)} ${to} trigger user`);
}

const triggeredTablesSql = `select distinct c.relname::text as "table" from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = $1::text::regnamespace and not t.tgisinternal order by 1`;

/** Runs with the schema in the search path, so that the definitions contain no schema name. */
const foreignKeysSql = `select c.relname::text as "table", k.conname::text as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.contype = 'f' and k.connamespace = $1::text::regnamespace order by 1, 2`;
