const minutes = 60;
const hours = 60 * minutes;

/** Seconds between a failed attempt and the next one. */
const delays = [10, minutes, 5 * minutes, 30 * minutes, 2 * hours, 6 * hours, 24 * hours] as const;

/** Maximum attempts per job. */
export const attemptsInAll = delays.length + 1;

/** Seconds to wait after an attempt (from 1), with a jitter of ±10 %; undefined after the last attempt. */
export function jobRetryDelay(attempt: number, random = Math.random): number | undefined {
  const delay = delays[attempt - 1];
  return delay === undefined ? undefined : delay * (0.9 + 0.2 * random());
}

/** Class and code of an error. Only these are stored and logged, because messages may contain personal data (e-mail addresses). */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'not an Error was thrown';
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? `${error.name} ${code}` : error.name;
}

/** The first stack frames of an error, without its message. */
export function failurePlace(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .join('\n');
}
