import { currentRequest, sqlStateOf } from '#kernel';
import type pg from 'pg';
import { changedTenant } from '../context/tenancy.problems.js';
import type { TenantIdentity } from '../context/tenant-context.js';
import { problemOfUnusableKey } from '../context/key-state.js';
import { changeMaker } from '../context/acting-person.js';
import type { Tx } from './tx.js';

/** The first of the two keys of these advisory locks, which separates them from other kinds. `shared.enter_tenant` has it, too. */
export const tenantLockSpace = 7263;
/** Longest wait of a change for the tenant's running transactions; new transactions wait behind it. */
const patienceMs = 3000;

/** How a transaction of a tenant begins. */
export interface TenantEntry {
  readonly statement: { readonly name: string; readonly text: string; readonly values: unknown[] };
  /** Call when the statement has succeeded. */
  readonly accepted: () => void;
  /**
   * Throws the problem of an error of the statement, or the error itself when it is another one.
   * @throws Problem 410 `tenant.deleted`, 503 `tenant.changed`; 401 `key.revoked`, `key.expired`, 403 `key.suspended`
   */
  readonly refuse: (error: unknown) => never;
}

/**
 * The statement with which every transaction of a tenant begins: it sets the search path, takes a shared lock, and fails when the tenant
 * is not as it was cached; PostgreSQL then refuses everything behind it. A change of state or category takes the lock
 * exclusively: it waits for transactions that began before, and later ones see it, whatever their process has cached. An advisory lock
 * needs no write; a row lock would write the tenant's row in every transaction.
 * It also says who changes something, for the record of changes.
 * When the key of the request was not looked up, the statement also fails if the key may not be used, until a transaction has accepted it.
 */
export function entryOf({ id, schemaName, state, category }: TenantIdentity): TenantEntry {
  const unchecked = uncheckedKey();
  return {
    statement: {
      name: 'tenant-enter',
      text: `select shared.enter_tenant($1, $2, $3, $4, $5, $6), pg_catalog.set_config('guichet.by', $7, true)`,
      values: [id, lockKeyOf(id), `"${schemaName}"`, state, category, unchecked?.id, changeMaker()],
    },
    // A key that is revoked later does not stop the request, which may have written something by then.
    accepted: () => unchecked?.accept(),
    refuse: (error) => {
      throw refusalOf(error) ?? error;
    },
  };
}

/** The key of this request, if it was neither looked up nor accepted by a transaction. */
function uncheckedKey(): { readonly id: string; readonly accept: () => void } | undefined {
  const request = currentRequest();
  if (!request?.keyUnchecked || request.actor?.kind !== 'key') return undefined;
  return { id: request.actor.keyId, accept: () => (request.keyUnchecked = false) };
}

/** The problem of an error that `shared.enter_tenant` has raised. */
function refusalOf(error: unknown): Error | undefined {
  const sqlState = sqlStateOf(error);
  if (sqlState !== 'GU001' && sqlState !== 'GU002') return undefined;
  const facts: unknown = JSON.parse((error as { readonly detail: string }).detail);
  return sqlState === 'GU001'
    ? changedTenant((facts as { readonly state: string | null }).state)
    : problemOfUnusableKey(facts as Parameters<typeof problemOfUnusableKey>[0]);
}

/** Takes the tenant's lock exclusively until the transaction ends. @throws PostgreSQL's 55P03 when its transactions do not end in time */
export async function lockAlone(tx: Tx, tenantId: string): Promise<void> {
  await tx.query(`set local lock_timeout to ${patienceMs}`);
  await tx.query('select pg_advisory_xact_lock($1, $2)', [tenantLockSpace, lockKeyOf(tenantId)]);
}

/**
 * Takes a lock of a tenant, of the kind `space`, until the connection is closed, by a transaction that stays open.
 * @param waitMs 0: does not wait
 * @returns false when another process holds it
 */
export async function holdLock(client: pg.Client, space: number, tenantId: string, waitMs = 0): Promise<boolean> {
  await client.query(`begin; set local idle_in_transaction_session_timeout to 0; set local statement_timeout to 0`);
  const key = [space, lockKeyOf(tenantId)];
  if (waitMs === 0) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1, $2) as held', key);
    return rows[0]?.held === true;
  }
  await client.query(`set local lock_timeout to ${waitMs}`);
  return client.query('select pg_advisory_xact_lock($1, $2)', key).then(
    () => true,
    (error: unknown) => {
      if (sqlStateOf(error) !== '55P03') throw error;
      return false;
    },
  );
}

/** A 32-bit key. Two tenants with the same key only wait for each other now and then. */
export function lockKeyOf(tenantId: string): number {
  if (!/^[0-9a-f-]{36}$/.test(tenantId)) throw new TypeError('Not the id of a tenant.');
  return Number.parseInt(tenantId.slice(0, 8), 16) | 0;
}
