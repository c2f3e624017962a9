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
