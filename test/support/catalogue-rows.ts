import type { TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

const ofStaff: Readonly<Record<string, string>> = {
  product: 'where built_in is null',
  price: 'where product_id in (select id from {tenant}.product where built_in is null)',
};

/** Number of rows in a table of a tenant, without built-in products and their prices. */
export async function countRows(test: TestApp, tenant: TenantIdentity, table: string): Promise<number> {
  const sql = `select 1 from {tenant}."${table}" ${ofStaff[table] ?? ''}`;
  return (await test.database.query(sql.replaceAll('{tenant}', `"${tenant.schemaName}"`))).length;
}
