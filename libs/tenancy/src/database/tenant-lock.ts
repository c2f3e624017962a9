import type { Tx } from './tx.js';

/** The first of the two keys of these advisory locks, which separates them from other kinds. */
const space = 7263;
/** Longest wait of a change for the tenant's running transactions; new transactions wait behind it. */
const patienceMs = 3000;

/**
 * Statements with which every transaction of a tenant takes a shared lock and then reads the tenant's current state. A change of state or
 * category takes the lock exclusively: it waits for transactions that began before, and later ones see it, whatever their process has
 * cached. An advisory lock needs no write; a row lock would write the tenant's row in every transaction.
 * @param searchPath set for the transaction in the same round trip
 */
export function enterStatements(tenantId: string, searchPath: string): { name: string; text: string; values: unknown[] }[] {
  return [
    {
      name: 'tenant-enter',
      text: `select set_config('search_path', $1, true), pg_advisory_xact_lock_shared(${space}, $2)`,
      values: [searchPath, lockKeyOf(tenantId)],
    },
    // A second statement, because only it sees the change that the first one waited for.
    { name: 'tenant-state', text: 'select category, state from shared.tenant where id = $1', values: [tenantId] },
  ];
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
