import type { Tx } from '../../database/transactions/tx.js';
import type { Scope } from '../roles/api-key-scopes.js';
import { grantColumnsSql, grantOfRow, type GrantRow } from '../roles/grant-rows.js';
import { keyScopesOf } from '../roles/grant.js';

/**
 * Suspends integration keys whose owner lost a required right: keys of tenants where the owner has no right, keys with scopes beyond the
 * owner's role, and keys that may create tenants when the owner may not. Must be called in the transaction that revokes the right. Staff
 * of the tenant can reactivate a suspended key by taking it over.
 */
export async function suspendKeysWithoutRight(tx: Tx, userId: string): Promise<void> {
  // Several statements, because rights are on all nodes and keys on one.
  const [rights] = await tx.query<{ isSuperUser: boolean; mayCreate: boolean; tenants: string[] }[]>(
    `select u.is_super_user as "isSuperUser", u.may_create_tenants as "mayCreate",
       array(select a.tenant_id from shared.tenant_administrator a where a.user_id = u.id) as tenants
     from shared.user_account u where u.id = $1`,
    [userId],
  );
  if (!rights) return;
  const limited = rights.isSuperUser ? [] : await limitedGrants(tx, userId);
  await tx.query(
    `update shared.api_key set suspended_at = (select now())
     where owner_id = $1 and kind = 'gkey' and suspended_at is null and revoked_at is null
       and ((not $2 and tenant_id <> all($3::uuid[])) or (not $4 and scopes && array['place:read', 'place:write']))`,
    [userId, rights.isSuperUser, [...rights.tenants, ...limited.map(({ tenantId }) => tenantId)], rights.mayCreate],
  );
  for (const { tenantId, scopes } of limited.filter((grant) => !rights.tenants.includes(grant.tenantId))) {
    await tx.query(
      `update shared.api_key set suspended_at = (select now())
       where owner_id = $1 and tenant_id = $2 and kind = 'gkey' and suspended_at is null and revoked_at is null
         and not scopes <@ $3::text[]`,
      [userId, tenantId, scopes],
    );
  }
}

/** The rights with limits of a user, with the scopes that keys may have there. Locks them. */
async function limitedGrants(tx: Tx, userId: string, tenantId?: string): Promise<{ tenantId: string; scopes: Scope[] }[]> {
  // A statement of its own: who waits for the change of a role must read the role as it is afterwards.
  await tx.query('select 1 from shared.role_grant where user_id = $1 and ($2::uuid is null or tenant_id = $2) for share', [
    userId,
    tenantId ?? null,
  ]);
  const rows = await tx.query<(GrantRow & { tenantId: string })[]>(
    `select g.tenant_id as "tenantId", ${grantColumnsSql} from shared.role_grant g left join shared.venue_role r on r.id = g.role_id
     where g.user_id = $1 and ($2::uuid is null or g.tenant_id = $2)`,
    [userId, tenantId ?? null],
  );
  return rows.map((row) => ({ tenantId: row.tenantId, scopes: row.isActive ? keyScopesOf(grantOfRow(row)) : [] }));
}

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
  const [limited] = await limitedGrants(tx, userId, tenantId);
  const [user] = await tx.query<{ isSuperUser: boolean }[]>(
    'select is_super_user as "isSuperUser" from shared.user_account where id = $1 for share',
    [userId],
  );
  if (administrators.length > 0 || user?.isSuperUser === true) return true;
  return limited !== undefined && wanted.every((scope) => limited.scopes.includes(scope));
}
