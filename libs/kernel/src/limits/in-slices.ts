import { setImmediate } from 'node:timers/promises';

/** Other work waits no longer than this for a long list, besides the time of one of its items. */
const sliceMs = 5;

/** Makes long loops share the event loop. @returns to be called and awaited between two items: pauses after every few milliseconds */
export function pauses(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun <= sliceMs) return;
    await setImmediate();
    begun = performance.now();
  };
}

/** Like `items.map(work)`, with pauses for other work: for lists that take long to render. */
export async function mapInSlices<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  const pause = pauses();
  const results: Result[] = [];
  for (const item of items) {
    await pause();
    results.push(work(item));
  }
  return results;
}
