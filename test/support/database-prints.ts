import type { TestApp } from './test-app.js';

type Prints = Record<string, string>;

/** A fingerprint of every table except sessions, on all database servers. */
export async function databasePrints({ database }: Pick<TestApp, 'database'>): Promise<Prints> {
  const [home, ...others] = await database.onServers(printsOf);
  const named = others.map((prints, index) =>
    Object.entries(prints).map(([name, print]) => [name.startsWith('t_') ? name : `${name} of server ${index + 1}`, print] as const),
  );
  return { ...home, ...Object.fromEntries(named.flat()) };
}

async function printsOf(query: TestApp['database']['query']): Promise<Prints> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' and table_name not like '%session%'`,
  );
  const prints: Prints = {};
  // Many tables in one statement, because there are hundreds.
  for (let first = 0; first < tables.length; first += 100) {
    const each = tables
      .slice(first, first + 100)
      .map(({ name }) => `select '${name}' as name, md5(string_agg(t::text, ';' order by t::text)) as print from ${name} t`);
    for (const { name, print } of await query<{ name: string; print: string | null }>(each.join(' union all ')))
      prints[name] = String(print);
  }
  return prints;
}
