import { databaseNow } from '#kernel';
const minutes = 60;
const hours = 60 * minutes;

/** Seconds between a failed attempt and the next one (decisions 10). Ten attempts in all, the last after three days and a bit. */
export const retryDelays = [
  5,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
] as const;

/** No receiver is left alone for longer than this, whatever it asks for. */
export const longestPause = 24 * hours;

/**
 * Seconds to wait after the given number of failures, with a tenth of jitter either way, so that what failed together does not come
 * back together; undefined: that was the last attempt.
 */
export function retryDelay(failures: number, random = Math.random): number | undefined {
  const delay = retryDelays[failures - 1];
  return delay === undefined ? undefined : delay * (0.9 + 0.2 * random());
}

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as seconds from now, at most a day; undefined when it says nothing. */
export function retryAfterSeconds(header: string | undefined, now = databaseNow().getTime()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : text.endsWith(' GMT') ? (Date.parse(text) - now) / 1000 : NaN;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestPause) : undefined;
}
