import { it } from '@jest/globals';

/**
 * Whether this is a long run (`LONG=on npm test`, by hand): with all files of `test/long`, and with every size, look and repetition of the
 * other tests. Without it, tests take the sizes and looks that find most faults in the least time.
 */
export const longRun = process.env['LONG'] === 'on';

/** Defines a test that only long runs have: it waits for limits of time, or needs much data. */
export const itInLongRuns: typeof it = longRun ? it : Object.assign(() => undefined, it);

/**
 * The combinations (widths, scripts, languages, conditions) in which a test runs.
 * @param all in a long run
 * @param usual in the others: those that find most faults in the least time; over all files, both widths, pages with and without scripts,
 *   and the languages en, fr and de occur
 */
export function inLongRuns<Some>(all: readonly Some[], usual: readonly Some[]): readonly Some[] {
  return longRun ? all : usual;
}
