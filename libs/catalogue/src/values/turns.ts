import { currentTenant, type Tx } from '#tenancy';

/** Operations that only one transaction of a tenant may do at a time, because they read rows that another one may be changing. */
export type Turn = 'main address' | 'parents of events' | 'places of events' | 'series of events' | 'galleries' | 'first event';

/** Takes a lock that lasts until the transaction ends. Call it before locking any row, to avoid deadlocks. */
export async function advisoryLock(tx: Tx, turn: Turn): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} ${turn}`]);
}
