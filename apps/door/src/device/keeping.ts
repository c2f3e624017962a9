/**
 * Whether the browser promised to keep what this page stores, also when the memory of the phone is short; null: it does not tell.
 * @param ask asks it to promise: some browsers ask the person then, and only during a tap
 */
export async function keepsData(ask: boolean): Promise<boolean | null> {
  const { storage } = navigator as { storage?: Partial<StorageManager> };
  if (!storage?.persisted) return null;
  if (await storage.persisted()) return true;
  return ask && storage.persist ? storage.persist() : false;
}
