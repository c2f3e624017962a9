import type { Tx } from './tx.js';

/** The first of the two keys of these advisory locks, which separates them from other kinds. */
const space = 7263;
/** Longest wait of a change for the tenant's running transactions; new transactions wait behind it. */
const patienceMs = 3000;

/**
 * SQL with which every transaction of a tenant takes a shared lock and then reads the tenant's current state. A change of state or category
 * takes the lock exclusively: it waits for transactions that began before, and later ones see it, whatever their process has cached. An
 * advisory lock needs no write; a row lock would write the tenant's row in every transaction.
 */
export function shareLockSql(tenantId: string): string {
  return `select pg_advisory_xact_lock_shared(${space}, ${lockKeyOf(tenantId)});
    select category, state from shared.tenant where id = '${tenantId}'`;
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
