import { describeFailure } from '../terminal/failure.js';
import { StoppedError } from '../terminal/stop-signals.js';

/** One line of the result of `doctor`. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do; absent when all is well, or when the detail contains it. */
  readonly advice?: string;
}

type Finding = Omit<Check, 'name'>;

export const ok = (detail: string): Finding => ({ state: 'ok', detail });
export const warn = (detail: string, advice: string): Finding => ({ state: 'warn', detail, advice });
export const fail = (detail: string, advice?: string): Finding => ({
  state: 'fail',
  detail,
  ...(advice === undefined ? {} : { advice }),
});

/** Runs a check. Never throws, except after a signal: an error becomes the result of the check. */
export async function check(name: string, look: () => Promise<Finding> | Finding): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    if (error instanceof StoppedError) throw error;
    const { lines } = describeFailure(error);
    return { name, ...fail((lines[0] ?? '').replace(/^guichet: /, '')) };
  }
}
