import { databaseNow } from '#kernel';
const minutes = 60;
const hours = 60 * minutes;

/**
 * Seconds between a failed attempt and the next one (docs/decisions, section 10). Ten attempts in all, the last one a little more than
 * three days after the first.
 */
export const retryDelays = [5, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours] as const;

/** Longest accepted `Retry-After`, in seconds. */
export const longestPause = 24 * hours;

/**
 * Seconds to wait after this number of failures, with ±10 % jitter so that deliveries that failed together are not retried together.
 * Returns undefined when no attempt is left.
 */
export function retryDelay(failures: number, random = Math.random): number | undefined {
  const delay = retryDelays[failures - 1];
  return delay === undefined ? undefined : delay * (0.9 + 0.2 * random());
}

/**
 * Parses `Retry-After` (RFC 9110, 10.2.3; seconds or a date). Returns seconds from now, at most one day; undefined when the header is
 * absent or invalid.
 */
export function retryAfterSeconds(header: string | undefined, now = databaseNow().getTime()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : text.endsWith(' GMT') ? (Date.parse(text) - now) / 1000 : NaN;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestPause) : undefined;
}
