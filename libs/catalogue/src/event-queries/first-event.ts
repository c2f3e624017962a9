import type { Tx } from '#tenancy';
import { Event } from '../entities/event.entity.js';
import { advisoryLock } from '../values/turns.js';

/**
 * Whether the tenant has an event, and whether one has this name and start. Other transactions that ask wait until this one ends.
 * @returns the name of the newest event, and the id of the same one; undefined: there is none
 */
export async function eventBefore(
  tx: Tx,
  { name, startsAt }: Pick<Event, 'name' | 'startsAt'>,
): Promise<{ readonly name: string; readonly sameId: string | undefined } | undefined> {
  await advisoryLock(tx, 'first event');
  const [newest] = await tx.find(Event, { select: { id: true, name: true }, order: { createdAt: 'desc', id: 'asc' }, take: 1 });
  if (!newest) return undefined;
  const same = await tx.findOne(Event, { select: { id: true }, where: { name, startsAt }, order: { createdAt: 'desc', id: 'asc' } });
  return { name: newest.name, sameId: same?.id };
}
