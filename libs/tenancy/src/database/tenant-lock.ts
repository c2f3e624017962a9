import { sqlStateOf } from '#kernel';
import type { TenantIdentity } from '../context/tenant-context.js';
import type { Tx } from './tx.js';

/** The first of the two keys of these advisory locks, which separates them from other kinds. */
const space = 7263;
/** Longest wait of a change for the tenant's running transactions; new transactions wait behind it. */
const patienceMs = 3000;

interface Named {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Statements with which every transaction of a tenant takes a shared lock and then reads the tenant's current state. A change of state or
 * category takes the lock exclusively: it waits for transactions that began before, and later ones see it, whatever their process has
 * cached. An advisory lock needs no write; a row lock would write the tenant's row in every transaction.
 * @param searchPath set for the transaction in the same round trip
 * @param demanding the last one fails (`isChangedTenant`) when state or category differ, so that no COMMIT behind it has an effect
 */
export function enterStatements({ id, state, category }: TenantIdentity, searchPath: string, demanding = false): readonly Named[] {
  return [
    {
      name: 'tenant-enter',
      text: `select set_config('search_path', $1, true), pg_advisory_xact_lock_shared(${space}, $2)`,
      values: [searchPath, lockKeyOf(id)],
    },
    // A second statement, because only it sees the change that the first one waited for.
    demanding
      ? { name: 'tenant-same-state', text: sameStateSql, values: [id, state, category] }
      : { name: 'tenant-state', text: 'select category, state from shared.tenant where id = $1', values: [id] },
  ];
}

// PostgreSQL has no statement that fails on a condition: a division by zero does.
const sameStateSql = `select category, state, 1 / (state = $2 and category = $3)::int as same from shared.tenant where id = $1`;

/** Whether the statement of `enterStatements` failed because the tenant has changed. */
export function isChangedTenant(error: unknown): boolean {
  return sqlStateOf(error) === '22012';
}

/** Takes the tenant's lock exclusively until the transaction ends. @throws PostgreSQL's 55P03 when its transactions do not end in time */
export async function lockAlone(tx: Tx, tenantId: string): Promise<void> {
  await tx.query(`set local lock_timeout to ${patienceMs}`);
  await tx.query('select pg_advisory_xact_lock($1, $2)', [space, lockKeyOf(tenantId)]);
}

/** A 32-bit key. Two tenants with the same key only wait for each other now and then. */
export function lockKeyOf(tenantId: string): number {
  if (!/^[0-9a-f-]{36}$/.test(tenantId)) throw new TypeError('Not the id of a tenant.');
  return Number.parseInt(tenantId.slice(0, 8), 16) | 0;
}
