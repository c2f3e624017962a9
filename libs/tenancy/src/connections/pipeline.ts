import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Sends all that is written to a connection before the next event of the event loop with one system call: it costs more than the statements.
 */
export function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Waits for statements that were sent without waiting for one another.
 * @throws the error of the first one that failed: PostgreSQL refuses the later ones in the same transaction because of it
 */
export async function inOrder<Results extends readonly unknown[]>(sent: {
  readonly [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
