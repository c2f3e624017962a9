import { readdir } from 'node:fs/promises';
import type { TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** All texts of a tenant's tables, its waiting webhooks and the names of mailed files that contain a word. */
export async function findTraces(test: TestApp, { id, schemaName }: TenantIdentity, mailFolder: string, word: string): Promise<string[]> {
  const columns = await test.database.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = $1
       and data_type in ('text', 'json', 'jsonb')`,
    [schemaName],
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await test.database.query(`select 1 from "${schemaName}"."${table}" where "${column}"::text ilike '%' || $1 || '%'`, [
      word,
    ]);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  const waiting = await test.database.query('select 1 from shared.outbox where tenant_id = $1 and data::text ilike $2', [id, `%${word}%`]);
  if (waiting.length > 0) found.push('outbox.data');
  const files = await readdir(mailFolder);
  return [...found, ...files.filter((name) => name.includes(word))].toSorted();
}
