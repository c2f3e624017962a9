import { fullGrant, type Grant, type GrantScope } from './grant.js';
import { levelsOf } from './permissions.js';
import { isPreset, presets } from './presets.js';

/** SQL: whether user `u` has all rights in the panel of a tenant. @param tenant and @param category: parameters such as `$2` */
const isFullSql = (tenant: string, category: string): string =>
  `(u.is_super_user or (${category}::text <> 'R' and exists (
    select 1 from shared.tenant_administrator a where a.user_id = u.id and a.tenant_id = ${tenant}::uuid)))`;

/** SQL: whether a row `g` of `role_grant` counts now. */
const isActiveSql = `g.suspended_at is null and (g.ends_at is null or g.ends_at > statement_timestamp())`;

/**
 * SQL: whether user `u` may use the panel of a tenant. Super-users may use every panel, others those of tenants that gave them a role;
 * Root's panel is for super-users only.
 * @param tenant and @param category parameters such as `$2`
 */
export const mayEnterSql = (tenant: string, category: string): string =>
  `(${isFullSql(tenant, category)} or (${category}::text <> 'R' and exists (
    select 1 from shared.role_grant g where g.user_id = u.id and g.tenant_id = ${tenant}::uuid and ${isActiveSql})))`;

/** SQL: columns of a row of `role_grant` with its role; `g` and `r`. */
export const grantColumnsSql = `g.role, g.role_id as "roleId", r.levels, g.scope, g.event_ids as "eventIds", g.kinds, g.ends_at as "endsAt",
  coalesce(${isActiveSql}, false) as "isActive"`;

export const grantJoinsSql = (tenant: string): string =>
  `left join shared.role_grant g on g.user_id = u.id and g.tenant_id = ${tenant}::uuid left join shared.venue_role r on r.id = g.role_id`;

/** SQL: all that `grantOf` reads about user `u`. */
export const entryColumnsSql = (tenant: string, category: string): string =>
  `${isFullSql(tenant, category)} as "isFull", ${category}::text <> 'R' as "isVenue", ${grantColumnsSql}`;

/** A row of `role_grant` as `grantColumnsSql` reads it; all null when there is none. */
export interface GrantRow {
  readonly role: string | null;
  readonly roleId: string | null;
  readonly levels: unknown;
  readonly scope: GrantScope['kind'] | null;
  readonly eventIds: string[] | null;
  readonly kinds: string[] | null;
  readonly endsAt: Date | null;
  readonly isActive: boolean;
}

/** The grant of a row, also when it does not count now. A role that this program does not know allows nothing. */
export function grantOfRow({ role, roleId, levels, scope, eventIds, kinds, endsAt }: GrantRow): Grant {
  const name = role ?? '';
  return {
    role: name,
    ...(roleId !== null && { roleId }),
    levels: roleId !== null ? levelsOf(levels) : isPreset(name) ? presets[name] : {},
    scope:
      scope === 'all'
        ? { kind: 'all' }
        : scope === 'kinds'
          ? { kind: 'kinds', kinds: kinds ?? [] }
          : { kind: 'events', eventIds: eventIds ?? [] },
    ...(endsAt && { endsAt: endsAt.toISOString() }),
  };
}

/** The grant of a user who may enter; undefined: the user may not. */
export function grantOf(row: GrantRow & { readonly isFull: boolean; readonly isVenue: boolean }): Grant | undefined {
  if (row.isFull) return fullGrant;
  return row.isVenue && row.role !== null && row.isActive ? grantOfRow(row) : undefined;
}
