const minutes = 60;
const hours = 60 * minutes;

/** Seconds between a failed attempt and the next one. */
const delays = [10, minutes, 5 * minutes, 30 * minutes, 2 * hours, 6 * hours, 24 * hours] as const;

/** So often a job is tried. */
export const attemptsInAll = delays.length + 1;

/** Seconds to wait after the given attempt, with a tenth of jitter either way; undefined: that was the last one. */
export function jobRetryDelay(attempt: number, random = Math.random): number | undefined {
  const delay = delays[attempt - 1];
  return delay === undefined ? undefined : delay * (0.9 + 0.2 * random());
}

/** Class and code of a failure: what may be kept and logged, as messages of mail servers, say, hold people's addresses. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'not an Error was thrown';
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? `${error.name} ${code}` : error.name;
}

/** Where a failure was thrown, without its message. */
export function failurePlace(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .join('\n');
}
