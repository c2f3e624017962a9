import type { TestApp } from './test-app.js';

/** A fingerprint of every table except sessions. */
export async function databasePrints(test: Pick<TestApp, 'database'>): Promise<Record<string, string>> {
  const tables = await test.database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' and table_name not like '%session%'`,
  );
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await test.database.query<{ print: string | null }>(
      `select md5(string_agg(t::text, ';' order by t::text)) as print from ${name} t`,
    );
    prints[name] = String(row?.print);
  }
  return prints;
}
