import { isUuid } from '#kernel';
import type { Tx } from '#tenancy';
import { Event } from '../entities/event.entity.js';
import { loadWhole, type WholeEvent } from './whole-event.js';

/** The condition that finds an event by its UUID or its slug. */
export function whereKey(key: string): { id: string } | { slug: string } {
  return isUuid(key) ? { id: key } : { slug: key };
}

/** Locks an event until the transaction ends. @returns undefined when there is none */
export async function lockEventByKey(
  tx: Tx,
  key: string,
  mode: 'for_no_key_update' | 'pessimistic_write',
): Promise<WholeEvent | undefined> {
  const event = await tx.findOne(Event, { where: whereKey(key), select: { id: true }, lock: { mode } });
  return event ? (await loadWhole(tx, [event.id]))[0] : undefined;
}
