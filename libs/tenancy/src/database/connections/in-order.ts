/** Waits for all. @throws the error of the first one in the list that failed */
export async function inOrder<Sent extends readonly unknown[] | []>(
  sent: Sent,
): Promise<{ -readonly [Index in keyof Sent]: Awaited<Sent[Index]> }> {
  await Promise.allSettled(sent);
  // All have ended, so this one throws the error of the first in the list.
  return Promise.all(sent);
}
