/** What the database's clock said when `performance.now()` was 0; undefined before it was asked. */
let origin: number | undefined;

/**
 * The time on the database's clock, which decides for all servers: a server whose own clock is wrong shows and decides what the others do. Kept
 * current by `DatabaseClock`, between whose questions the process's steady clock counts on. SQL that runs anyway uses `now()` instead.
 */
export function databaseNow(): Date {
  return new Date(origin === undefined ? Date.now() : origin + performance.now());
}

/** By how many milliseconds this machine's clock is ahead of the database's. */
export function clockOffsetMs(): number {
  return Date.now() - databaseNow().getTime();
}

/** @param milliseconds since 1970 on the database's clock, @param at `performance.now()` at that moment */
export function setDatabaseTime(milliseconds: number, at: number): void {
  origin = milliseconds - at;
}
