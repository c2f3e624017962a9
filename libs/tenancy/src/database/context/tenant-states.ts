/**
 * The state of a tenant.
 * - `active`: everything works
 * - `suspended`: pages, API and scanning answer 503; staff can read the panel; background jobs wait
 * - `archived`: sells nothing; panel and API are read-only
 * - `deleting`: answers nothing; it can be restored until `delete_after`, then it is deleted
 */
export type TenantState = 'active' | 'suspended' | 'archived' | 'deleting';

export const tenantStates: readonly TenantState[] = ['active', 'suspended', 'archived', 'deleting'];

/**
 * SQL: whether a row of `shared.tenant` may be shown to the public, in the directory and in federated agendas.
 * @param alias alias of `shared.tenant` in the statement
 */
export function liveTenantSql(alias: string): string {
  return `${alias}.state = 'active'`;
}

const pausedSql = (alias: string): string => `(${alias}.state in ('suspended', 'deleting') or ${alias}.moving_since is not null)`;

/**
 * SQL: whether background work for a tenant is paused: its jobs and deliveries wait, also while it moves to another server. Those of
 * archived tenants continue, so that earlier obligations (mails, refunds, webhooks) are met.
 * @param tenantId SQL of the column with the tenant's id
 */
export function pausedTenantSql(tenantId: string): string {
  return `exists (select 1 from shared.tenant paused where paused.id = ${tenantId} and ${pausedSql('paused')})`;
}

/**
 * The ids of these tenants, for statements that change a queue: Citus runs those on another node, or loses their result, when they name a
 * shared table beside the queue. Names a table of the node, so that the node reads its own copy.
 */
export const pausedTenantsStatement = {
  name: 'paused-tenants',
  text: `select t.id from shared.tenant t, shared.node where ${pausedSql('t')}`,
};
