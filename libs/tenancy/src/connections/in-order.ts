/**
 * Waits for statements that were sent without waiting for one another.
 * @throws the error of the first one that failed: PostgreSQL refuses the later ones in the same transaction because of it
 */
export async function inOrder<Sent extends readonly unknown[] | []>(
  sent: Sent,
): Promise<{ -readonly [Index in keyof Sent]: Awaited<Sent[Index]> }> {
  await Promise.allSettled(sent);
  // All have ended, so this one throws the error of the first in the list.
  return Promise.all(sent);
}
