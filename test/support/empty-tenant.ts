import type { TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** The first transaction id after each tenant's creation. */
const madeBefore = new WeakMap<TenantIdentity, string>();

/**
 * An unused tenant, for `beforeEach`: the tenant of the previous test if that test wrote nothing into its tables (because it tests a
 * refusal), else a new one. Creating a tenant takes longer than most tests.
 */
export async function emptyTenant(test: TestApp, before: TenantIdentity | undefined): Promise<TenantIdentity> {
  if (before && !(await isWritten(test, before))) return before;
  const tenant = await test.newTenant();
  // Each database server has its own: that of the tenant.
  const next = 'select pg_snapshot_xmax(pg_current_snapshot()) as next where $1::uuid is not null';
  const [row] = await test.database.query<{ next: string }>(next, [tenant.id]);
  madeBefore.set(tenant, row!.next);
  return tenant;
}

/**
 * Whether a row of the tenant's tables, or its own row, was written after the tenant's creation. Deleted rows are not found.
 */
async function isWritten({ database }: TestApp, tenant: TenantIdentity): Promise<boolean> {
  const next = madeBefore.get(tenant);
  if (next === undefined) return true;
  const tables = await database.query<{ name: string }>(
    'select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = $2',
    [tenant.schemaName, 'r'],
  );
  const younger = tables.map(({ name }) => `exists (select from "${tenant.schemaName}"."${name}" where xmin::text::bigint >= ${next})`);
  younger.push(`exists (select from shared.tenant where id = '${tenant.id}' and xmin::text::bigint >= ${next})`);
  const [row] = await database.query<{ written: boolean }>(`select ${younger.join(' or ')} as written`);
  return row!.written;
}
