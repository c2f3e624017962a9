import type { CategoryCode } from '../../database/context/tenant-categories.js';
import type { Tx } from '../../database/transactions/tx.js';
import type { TenantState } from '../../database/context/tenant-states.js';

/** A locked row of `shared.tenant`. */
export interface TenantRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly category: CategoryCode;
  readonly state: TenantState;
}

/**
 * Locks tenants ordered by id. Everything that changes tenants and domains takes these locks first, so that concurrent changes cannot
 * deadlock. Rows that refer to a tenant (jobs, keys) can still be written.
 */
export async function lockTenants(tx: Tx, ids: readonly string[]): Promise<Map<string, TenantRow>> {
  const rows = await tx.query<TenantRow[]>(
    'select id, slug, name, category, state from shared.tenant where id = any($1::uuid[]) order by id for no key update',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
