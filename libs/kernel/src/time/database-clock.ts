/** The database's clock at the moment when `performance.now()` was 0; undefined until it was read. */
let origin: number | undefined;

/**
 * The current time on the database's clock, so that all servers decide by the same clock even when one's own clock is wrong.
 * `DatabaseClockService` refreshes it; between refreshes the process's monotonic clock continues it. Statements that run anyway use `now()`
 * instead.
 */
export function databaseNow(): Date {
  return new Date(origin === undefined ? Date.now() : origin + performance.now());
}

/** The difference between this machine's clock and the database's, in milliseconds; positive when it is ahead. */
export function clockOffsetMs(): number {
  return Date.now() - databaseNow().getTime();
}

/** @param milliseconds since 1970 on the database's clock, @param at `performance.now()` at that moment */
export function setDatabaseTime(milliseconds: number, at: number): void {
  origin = milliseconds - at;
}
