import { longRun } from './long-run.js';

/**
 * The combinations (widths, scripts, languages, conditions) in which a test runs.
 * @param all in a long run
 * @param usual in the others: those that find most faults in the least time; over all files, both widths, pages with and without scripts,
 *   and the languages en, fr and de occur
 */
export function inLongRuns<Some>(all: readonly Some[], usual: readonly Some[]): readonly Some[] {
  return longRun ? all : usual;
}
