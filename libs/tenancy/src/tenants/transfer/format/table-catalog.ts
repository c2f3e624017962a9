import pg from 'pg';
import type { SequenceState } from './transfer-format.js';

/** A table for export and import: its columns without generated ones, and the order of its rows by primary key. */
export interface TableShape {
  readonly table: string;
  readonly columns: readonly string[];
  readonly orderBy: string;
}

interface ShapeRow {
  readonly table: string;
  readonly columns: string[];
  readonly order: string[];
}

/**
 * Reads the tables of a schema, by name, or only one of them.
 * @throws Error for a table without a primary key, because the order of its rows would be undefined
 */
export async function tablesOf(client: pg.ClientBase, schema: string, only?: string): Promise<TableShape[]> {
  const { rows } = await client.query<ShapeRow>(shapesSql, [schema, only ?? null]);
  return rows.map(({ table, columns, order }) => {
    if (order.length === 0) throw new Error(`The table ${table} has no primary key.`);
    return { table, columns, orderBy: order.join(', ') };
  });
}

// Texts are ordered by bytes, because the collations of two servers may differ.
const shapesSql = `
  select c.relname as "table",
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select format('%I', a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
      from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality k (attnum, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary order by k.position) as "order"
  from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname = coalesce($2, c.relname)
  order by c.relname collate "C"`;

/** Reads the states of the identity sequences of a schema. */
export async function sequencesOf(client: pg.ClientBase, schema: string): Promise<SequenceState[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as "table", a.attname as "column", pg_get_serial_sequence(format('%I.%I', $1::text, c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $1::text::regnamespace and c.relkind = 'r' and a.attidentity <> '' order by 1, 2`,
    [schema],
  );
  const states: SequenceState[] = [];
  for (const { table, column, sequence } of rows) {
    const state = await client.query<Pick<SequenceState, 'last' | 'called'>>(
      `select last_value::text as last, is_called as called from ${sequence}`,
    );
    states.push({ table, column, ...(state.rows[0] as Pick<SequenceState, 'last' | 'called'>) });
  }
  return states;
}

/** Lets a table store long values outside of its rows: PostgreSQL creates its TOAST table. @param table SQL of its name */
export async function storeLongTexts(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ changes: string | null }>(
    `select string_agg(format('alter column %I set storage extended', a.attname), ', ') as changes
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attstorage = 'p' and t.typstorage = 'x'`,
    [table],
  );
  if (rows[0]?.changes) await client.query(`alter table ${table} ${rows[0].changes}`);
}

/** Transaction settings for COPY: the same text format on every server, and no statement time-out. */
export const copySettings = `set local timezone to 'UTC'; set local datestyle to 'ISO, YMD'; set local intervalstyle to 'postgres';
  set local bytea_output to 'hex'; set local extra_float_digits to 1; set local client_encoding to 'UTF8';
  set local statement_timeout to 0; set local lock_timeout to '10s'; set local idle_in_transaction_session_timeout to 0`;

/** `"schema"."table"`. */
export function qualified(schema: string, table: string): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
}

/** Quoted column names, separated by commas. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}
