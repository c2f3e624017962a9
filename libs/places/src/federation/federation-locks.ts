import type { Tx } from '#tenancy';

/*
 * Two advisory locks of a tenant, taken in this order. `membership` is shared by the transactions that change its events and taken alone by
 * those that change its memberships: no event is written for a network that the tenant is leaving, and none is missed by one that it joins.
 * `rows` is taken alone by whoever copies events, before they are read: who comes second reads what the first has committed, also where one
 * changed the event and the other its address.
 */
const key = (tenantId: string, what: 'membership' | 'rows'): string => `${tenantId} federation ${what}`;

/** Memberships of the tenant stay as they are until the transaction ends. */
export async function shareMembership(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [key(tenantId, 'membership')]);
}

/** No event of the tenant is copied until the transaction ends. The transaction's first statement, so that nobody waits crosswise. */
export async function lockMembership(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key(tenantId, 'membership')]);
}

/** Copies of the tenant's events are written by this transaction alone until it ends. */
export async function lockRows(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key(tenantId, 'rows')]);
}
