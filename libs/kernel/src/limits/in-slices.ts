import { setImmediate } from 'node:timers/promises';
import { limits } from '../bounds/limits.js';

/** Makes long loops share the event loop. @returns a function to call and await between two items; it pauses every few milliseconds */
export function pauses(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun <= limits.slice.ms) return;
    await setImmediate();
    begun = performance.now();
  };
}

/** Like `items.map(work)`, with pauses for other work; for lists that take long to render. */
export async function mapInSlices<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  const pause = pauses();
  const results: Result[] = [];
  for (const item of items) {
    await pause();
    results.push(work(item));
  }
  return results;
}
