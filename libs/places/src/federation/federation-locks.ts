import type { Tx } from '#tenancy';

/*
 * Two advisory locks per tenant, taken in this order. `membership` is taken shared by transactions that change events, and exclusively by
 * those that change memberships: no event is written for a network that the tenant is leaving, and none is missed by a network that it
 * joins. `rows` is taken exclusively before events are read to copy them: a later transaction reads what an earlier one has committed,
 * also when one changed the event and the other its address.
 * Advisory locks are those of one node: every transaction that takes them is one of the tenant, see `runInTenant`. A row lock of a table
 * that all nodes have would be one lock for all tenants.
 */
const key = (tenantId: string, what: 'membership' | 'rows'): string => `${tenantId} federation ${what}`;

/** Locks the memberships of the tenant (shared) until the transaction ends. */
export async function shareMembership(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [key(tenantId, 'membership')]);
}

/** Blocks copies of the tenant's events until the transaction ends. Must be the transaction's first statement, to avoid deadlocks. */
export async function lockMembership(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key(tenantId, 'membership')]);
}

/** Makes this transaction the only writer of copies of the tenant's events until it ends. */
export async function lockRows(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key(tenantId, 'rows')]);
}
