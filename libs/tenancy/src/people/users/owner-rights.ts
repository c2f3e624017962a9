import type { Tx } from '../../database/transactions/tx.js';

/**
 * Suspends integration keys whose owner lost a required right: keys of tenants that the owner does not administer, and keys that may create
 * tenants when the owner may not. Must be called in the transaction that revokes the right. Staff of the tenant can reactivate a suspended
 * key by taking it over.
 * @param userId undefined: of all owners
 */
export async function suspendKeysWithoutRight(tx: Tx, userId?: string): Promise<void> {
  // Two statements, because rights are on all nodes and keys on one.
  const keys = await tx.query<{ id: string }[]>(withoutRightSql, [userId ?? null]);
  if (keys.length === 0) return;
  await tx.query('update shared.api_key set suspended_at = (select now()) where id = any($1) and suspended_at is null', [
    keys.map(({ id }) => id),
  ]);
}

const withoutRightSql = `select k.id from shared.api_key k join shared.user_account u on u.id = k.owner_id
  where k.kind = 'gkey' and k.suspended_at is null and k.revoked_at is null and ($1::uuid is null or k.owner_id = $1)
    and ((not u.is_super_user and not exists (
        select 1 from shared.tenant_administrator a where a.user_id = u.id and a.tenant_id = k.tenant_id))
      or (not u.may_create_tenants and k.scopes && array['place:read', 'place:write']))`;

/**
 * Whether a user may still work in a tenant's panel. Locks the rows of the right, so that a concurrent revocation either waits for this
 * transaction and sees its changes, or comes first and this returns false. The order of the locks is that of `UsersService`.
 */
export async function holdRight(tx: Tx, userId: string, tenantId: string): Promise<boolean> {
  const administrators = await tx.query<unknown[]>(
    'select 1 from shared.tenant_administrator where user_id = $1 and tenant_id = $2 for key share',
    [userId, tenantId],
  );
  const [user] = await tx.query<{ isSuperUser: boolean }[]>(
    'select is_super_user as "isSuperUser" from shared.user_account where id = $1 for share',
    [userId],
  );
  return administrators.length > 0 || user?.isSuperUser === true;
}
