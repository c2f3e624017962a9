import type { Tx } from './tx.js';

/** The first of the two keys of these advisory locks, so that they meet no other kind. */
const space = 7263;
/** A change waits so long for the tenant's running transactions; those that begin meanwhile wait behind it. */
const patienceMs = 3000;

/**
 * Every transaction of a tenant shares its lock and then reads what the tenant is now. Who changes state or category holds the lock
 * alone: the change waits for transactions that began before it, and those that begin after it see it, whatever their process remembers.
 * The lock is an advisory one, because it costs no write: a row lock would write the tenant's row in every transaction.
 */
export function shareLockSql(tenantId: string): string {
  return `select pg_advisory_xact_lock_shared(${space}, ${lockKeyOf(tenantId)});
    select category, state from shared.tenant where id = '${tenantId}'`;
}

/** Holds a tenant alone until the end of the transaction. @throws PostgreSQL's 55P03 when its transactions do not end in time */
export async function lockAlone(tx: Tx, tenantId: string): Promise<void> {
  await tx.query(`set local lock_timeout to ${patienceMs}`);
  await tx.query('select pg_advisory_xact_lock($1, $2)', [space, lockKeyOf(tenantId)]);
}

/** Two tenants with one key wait for each other now and then, and nothing worse. */
export function lockKeyOf(tenantId: string): number {
  if (!/^[0-9a-f-]{36}$/.test(tenantId)) throw new TypeError('Not the id of a tenant.');
  return Number.parseInt(tenantId.slice(0, 8), 16) | 0;
}
