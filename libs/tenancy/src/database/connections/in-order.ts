import type { EntityManager } from 'typeorm';
import { transactionOf } from './open-transaction.js';

type Results<Sent extends readonly unknown[]> = { -readonly [Index in keyof Sent]: Awaited<Sent[Index]> };

/**
 * Waits for statements of a transaction that were sent without waiting for one another. When one of them fails before it is sent, no COMMIT
 * follows those that are (`commitBehind`).
 * @throws the error of the first one that failed: PostgreSQL refuses the later ones in the same transaction because of it
 */
export function inOrder<Sent extends readonly unknown[] | []>(tx: EntityManager, sent: Sent): Promise<Results<Sent>> {
  const transaction = transactionOf(tx);
  return allInOrder(sent.map((one) => transaction.watched(one))) as Promise<Results<Sent>>;
}

/** Waits for all. @throws the error of the first one in the list that failed */
export async function allInOrder<Sent extends readonly unknown[] | []>(sent: Sent): Promise<Results<Sent>> {
  await Promise.allSettled(sent);
  // All have ended, so this one throws the error of the first in the list.
  return Promise.all(sent);
}
