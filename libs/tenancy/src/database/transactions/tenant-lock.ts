import { currentRequest, sqlStateOf } from '#kernel';
import { refuseChangedTenant } from '../context/tenancy.problems.js';
import type { TenantIdentity } from '../context/tenant-context.js';
import { keyIsUsable, keyStateSql, refuseUnusableKey } from '../context/key-state.js';
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

/** How a transaction of a tenant begins. */
export interface TenantEntry {
  readonly statements: readonly Named[];
  /**
   * @param row of the last statement; undefined: none
   * @throws Problem 410 `tenant.deleted`, 503 `tenant.changed`; 401 `key.revoked`, `key.expired`, 403 `key.suspended`
   */
  readonly check: (row: unknown) => void;
}

/**
 * Statements with which every transaction of a tenant takes a shared lock and then reads the tenant's current state. A change of state or
 * category takes the lock exclusively: it waits for transactions that began before, and later ones see it, whatever their process has
 * cached. An advisory lock needs no write; a row lock would write the tenant's row in every transaction.
 * The last statement of a request whose key was not looked up also reads the key, until a transaction has accepted it.
 * @param searchPath set for the transaction in the same round trip
 * @param demanding the last statement fails (`isRefusedEntry`) where `check` would, so that no COMMIT behind it has an effect
 */
export function entryOf(tenant: TenantIdentity, searchPath: string, demanding = false): TenantEntry {
  const enter = {
    name: 'tenant-enter',
    text: `select set_config('search_path', $1, true), pg_advisory_xact_lock_shared(${space}, $2)`,
    values: [searchPath, lockKeyOf(tenant.id)],
  };
  const unchecked = uncheckedKey();
  const keyId = unchecked?.id;
  // A second statement, because only it sees the change that the first one waited for.
  const state = demanding ? demandState(tenant, keyId) : readState(tenant, keyId);
  return {
    statements: [enter, state],
    check: (row) => {
      refuseChangedTenant(tenant, row);
      if (!unchecked) return;
      if (!demanding) refuseUnusableKey(row as Parameters<typeof refuseUnusableKey>[0]);
      // A key that is revoked later does not stop the request, which has written something now.
      unchecked.accept();
    },
  };
}

/** The key of this request, if it was neither looked up nor accepted by a transaction. */
function uncheckedKey(): { readonly id: string; readonly accept: () => void } | undefined {
  const request = currentRequest();
  if (!request?.keyUnchecked || request.actor?.kind !== 'key') return undefined;
  return { id: request.actor.keyId, accept: () => (request.keyUnchecked = false) };
}

function readState({ id }: TenantIdentity, keyId: string | undefined): Named {
  return keyId === undefined
    ? { name: 'tenant-state', text: 'select category, state from shared.tenant where id = $1', values: [id] }
    : { name: 'tenant-and-key-state', text: stateAndKeySql, values: [id, keyId] };
}

function demandState({ id, state, category }: TenantIdentity, keyId: string | undefined): Named {
  return keyId === undefined
    ? { name: 'tenant-same', text: sameSql, values: [id, state, category] }
    : { name: 'tenant-and-key-same', text: sameWithKeySql, values: [id, state, category, keyId] };
}

const stateAndKeySql = `select tenant.category, tenant.state, ${keyStateSql}, k.id is null as deleted
  from shared.tenant left join shared.api_key k on k.id = $2 and k.tenant_id = tenant.id where tenant.id = $1`;

const usableSql = `exists (select from shared.api_key k where k.id = $4 and k.tenant_id = $1 and ${keyIsUsable})`;

// PostgreSQL has no statement that fails on a condition: a division by zero does.
const demandSql = (more: string): string =>
  `select category, state, 1 / (state = $2 and category = $3${more})::int as same from shared.tenant where id = $1`;

const sameSql = demandSql('');
const sameWithKeySql = demandSql(` and ${usableSql}`);

/** Whether the last statement of a demanding entry failed because `check` would. */
export function isRefusedEntry(error: unknown): boolean {
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
