import type { Tx } from '#tenancy';
import { Event } from '../entities/event.entity.js';
import { advisoryLock } from '../values/turns.js';

/** Whether the tenant has no event yet. Other transactions that ask wait until this one ends. */
export async function hasNoEvent(tx: Tx): Promise<boolean> {
  await advisoryLock(tx, 'first event');
  return !(await tx.existsBy(Event, {}));
}
