import { currentTenant, type Tx } from '#tenancy';

/** What only one transaction of a tenant may do at a time, because it looks at rows that the other one is changing. */
export type Turn = 'main address' | 'parents of events';

/** Waits for one's turn and keeps it until the transaction ends. Before any row is locked, so that nobody waits crosswise. */
export async function advisoryLock(tx: Tx, turn: Turn): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} ${turn}`]);
}
