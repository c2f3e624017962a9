/**
 * What a tenant is at the moment.
 * - `active`: everything works
 * - `suspended`: its pages, its API and its doors answer 503; staff can read the panel; background work waits
 * - `archived`: it sells nothing any more; its panel and its API can be read
 * - `deleting`: nothing of it answers; it can be restored until `delete_after`, then it is dropped
 */
export type TenantState = 'active' | 'suspended' | 'archived' | 'deleting';

export const tenantStates: readonly TenantState[] = ['active', 'suspended', 'archived', 'deleting'];

/**
 * SQL of the condition that a row of `shared.tenant` may be shown to the public, in lists of places and federated agendas.
 * @param alias of `shared.tenant` in the statement
 */
export function liveTenantSql(alias: string): string {
  return `${alias}.state = 'active'`;
}

/**
 * SQL of the condition that no background work is done for a tenant now: its jobs and deliveries wait. Those of an archived tenant go on,
 * so that what was promised before (mails, refunds, webhooks) is kept.
 * @param tenantId SQL of the column with the tenant's id
 */
export function pausedTenantSql(tenantId: string): string {
  return `exists (select 1 from shared.tenant paused where paused.id = ${tenantId} and paused.state in ('suspended', 'deleting'))`;
}
