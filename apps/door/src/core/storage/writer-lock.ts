/** The Web Locks of browsers that have them (Safari 15.4, Chrome 69, Firefox 96). */
interface Locks {
  request(name: string, options: { readonly signal: AbortSignal }, work: () => Promise<void>): Promise<void>;
}

/**
 * Waits until no other tab of the browser writes, and then holds the lock. Without Web Locks nobody waits; the journal itself refuses to
 * continue where another tab wrote.
 * @param onWait is called when another tab holds the lock @returns gives the lock back
 */
export async function becomeWriter(name: string, signal: AbortSignal, onWait: () => void): Promise<() => void> {
  const locks = (globalThis.navigator as { readonly locks?: Locks } | undefined)?.locks;
  if (!locks) return () => {};
  return new Promise((held, failed) => {
    const waiting = setTimeout(onWait, 200);
    const work = (): Promise<void> =>
      new Promise((release) => {
        clearTimeout(waiting);
        held(release);
      });
    locks.request(name, { signal }, work).catch((error: unknown) => {
      clearTimeout(waiting);
      failed(error);
    });
  });
}
