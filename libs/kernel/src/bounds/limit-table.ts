/** What every row of a table of limits says beside its numbers. docs/operations.md prints the rows of all libs. */
interface Row {
  /** What is limited or kept. */
  readonly of: string;
  /** What people feel without it. */
  readonly why: string;
  /** What a caller gets beyond the limit; default: nothing else than a longer wait. */
  readonly beyond?: string;
  /** The setting with the number, or from which it follows. */
  readonly setting?: string;
  /** The metric that counts what is beyond; that of turns is `guichet_turns_refused_total`. */
  readonly metric?: string;
}

export interface TurnsNumbers {
  /** The label of refusals in `guichet_turns_refused_total`; default: they are not counted. */
  readonly name?: string;
  /** Maximum concurrent tasks in this process. */
  readonly total: number;
  /** Maximum concurrent tasks of one tenant. */
  readonly each: number;
  /** Maximum waiting tasks of one tenant; the next one is refused at once. */
  readonly waiting: number;
  /**
   * Maximum waiting tasks of one client network within a tenant. The networks of a tenant then take turns. Tasks outside of requests
   * (jobs, commands) have no such maximum. Default: networks are not counted.
   */
  readonly waitingOfNetwork?: number;
  /** Maximum waiting tasks of all tenants together; default: no maximum. */
  readonly waitingInAll?: number;
  /** Maximum wait in milliseconds; default: no maximum. */
  readonly waitMs?: number;
}

export interface KeptNumbers {
  /** Maximum number of values; default: no maximum, when there is one of their size. */
  readonly most?: number;
  /** Maximum size of all values together, in characters or bytes. */
  readonly size?: number;
  /** Maximum size of the values of one tenant. */
  readonly each?: number;
  /** Maximum age of a value in milliseconds; default: no maximum. */
  readonly ttlMs?: number;
  /** Reading a value makes it new. */
  readonly renewed?: true;
  /** Values are large: they go at the end of their time, also when nobody asks. */
  readonly purged?: true;
}

/** One of the kinds of mechanisms; the setting alone: a number that the program takes from it. */
export type LimitRow = Row &
  (
    | { /** For `FairLimit` and `SharedReading`. */ readonly turns: Partial<TurnsNumbers> & { readonly name: string } }
    | { /** For `TokenBuckets`: `count` in a time, by key. */ readonly rate: { readonly count?: number; readonly milliseconds?: number } }
    | { /** For `Kept`, `RecentReadings` and `TenantCache`. */ readonly kept: KeptNumbers }
    | { /** A time limit, an interval or a pause. */ readonly ms: number }
    | { /** A maximum or a minimum. */ readonly number: number; readonly unit: string }
    | { readonly setting: string }
  );

/** The limits of a lib by name: `libs/<lib>/src/limits.ts`. The code takes its numbers from there. */
export type LimitTable = Readonly<Record<string, LimitRow>>;
