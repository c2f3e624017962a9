import type { TestApp } from './test-app.js';

/** A fingerprint of every table except sessions. */
export async function databasePrints(test: Pick<TestApp, 'database'>): Promise<Record<string, string>> {
  const tables = await test.database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' and table_name not like '%session%'`,
  );
  const prints: Record<string, string> = {};
  // Many tables in one statement, because there are hundreds.
  for (let first = 0; first < tables.length; first += 100) {
    const each = tables
      .slice(first, first + 100)
      .map(({ name }) => `select '${name}' as name, md5(string_agg(t::text, ';' order by t::text)) as print from ${name} t`);
    const rows = await test.database.query<{ name: string; print: string | null }>(each.join(' union all '));
    for (const { name, print } of rows) prints[name] = String(print);
  }
  return prints;
}
