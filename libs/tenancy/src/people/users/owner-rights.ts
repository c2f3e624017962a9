import type { Tx } from '../../database/transactions/tx.js';
import type { Scope } from '../roles/api-key-scopes.js';
import { grantColumnsSql, grantOfRow, type GrantRow } from '../roles/grant-rows.js';
import { keyScopesOf } from '../roles/grant.js';

/**
 * Suspends integration keys whose owner lost a required right: keys of tenants where the owner has no right, keys with scopes beyond the
 * owner's role, and keys that may create tenants when the owner may not. Must be called in the transaction that changes the right. Staff of
 * the tenant can reactivate a suspended key by taking it over.
 * @param userId undefined: of all owners
 */
export async function suspendKeysWithoutRight(tx: Tx, userId?: string): Promise<void> {
  // Several statements, because rights are on all nodes and keys on one, and because who waits for the change of a role must read it as it
  // is afterwards.
  if (userId !== undefined) await tx.query(lockGrantsSql, [userId, null]);
  const keys = await tx.query<OwnedKey[]>(ownedKeysSql, [userId ?? null]);
  const ids = keys.filter((key) => !isCovered(key, userId !== undefined)).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.query('update shared.api_key set suspended_at = (select now()) where id = any($1) and suspended_at is null', [ids]);
}

interface OwnedKey extends GrantRow {
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** The owner has all rights at the tenant. */
  readonly isFull: boolean;
  readonly mayCreate: boolean;
}

const lockGrantsSql = 'select 1 from shared.role_grant where user_id = $1 and ($2::uuid is null or tenant_id = $2) for share';

/** $1: the owner; null: all owners. */
const ownedKeysSql = `select k.id, k.scopes, u.may_create_tenants as "mayCreate", ${grantColumnsSql},
    u.is_super_user or exists (
      select 1 from shared.tenant_administrator a where a.user_id = u.id and a.tenant_id = k.tenant_id) as "isFull"
  from shared.api_key k join shared.user_account u on u.id = k.owner_id
    left join shared.role_grant g on g.user_id = u.id and g.tenant_id = k.tenant_id left join shared.venue_role r on r.id = g.role_id
  where k.kind = 'gkey' and k.suspended_at is null and k.revoked_at is null and ($1::uuid is null or k.owner_id = $1)`;

/** @param losesPlaces keys may be made without the right to create tenants, which is judged when a right is lost */
function isCovered({ scopes, isFull, mayCreate, ...row }: OwnedKey, losesPlaces: boolean): boolean {
  if (losesPlaces && !mayCreate && scopes.some((scope) => scope.startsWith('place:'))) return false;
  const owned = isFull ? undefined : scopesOf(row);
  return owned === undefined || (row.role !== null && scopes.every((scope) => owned.includes(scope)));
}

const scopesOf = (row: GrantRow): Scope[] => (row.role !== null && row.isActive ? keyScopesOf(grantOfRow(row)) : []);

/**
 * Whether a user may still have keys with these scopes at a tenant. Locks the rows of the right, so that a concurrent revocation either
 * waits for this transaction and sees its changes, or comes first and this returns false. The order of the locks is that of
 * `UsersService`.
 */
export async function holdRight(tx: Tx, userId: string, tenantId: string, wanted: readonly Scope[]): Promise<boolean> {
  const administrators = await tx.query<unknown[]>(
    'select 1 from shared.tenant_administrator where user_id = $1 and tenant_id = $2 for key share',
    [userId, tenantId],
  );
  await tx.query(lockGrantsSql, [userId, tenantId]);
  const [limited] = await tx.query<GrantRow[]>(
    `select ${grantColumnsSql} from shared.role_grant g left join shared.venue_role r on r.id = g.role_id
     where g.user_id = $1 and g.tenant_id = $2`,
    [userId, tenantId],
  );
  const [user] = await tx.query<{ isSuperUser: boolean }[]>(
    'select is_super_user as "isSuperUser" from shared.user_account where id = $1 for share',
    [userId],
  );
  if (administrators.length > 0 || user?.isSuperUser === true) return true;
  if (!limited) return false;
  const owned = scopesOf(limited);
  return wanted.every((scope) => owned.includes(scope));
}
