/**
 * When everybody expected is in, if the rate of the last minutes stays and everybody comes. `at`: about then. `late`: not before the end
 * of the event. `unknown`: too few people came in within the last minutes. `complete`: everybody is in. `nobody`: nobody is expected.
 */
export type Forecast = { readonly state: 'at'; readonly at: string } | { readonly state: 'late' | 'unknown' | 'complete' | 'nobody' };

interface Rate {
  readonly expected: number;
  readonly admitted: number;
  /** First entries per minute, oldest first; the last one is the minute that runs. */
  readonly entries: readonly number[];
  readonly now: Date;
  readonly endsAt: Date;
}

/** Whole minutes that the rate is computed from, in addition to the one that runs. */
const rateMinutes = 10;
/** With fewer entries than this, the rate says nothing. */
const leastEntries = 5;
/** The first seconds after the doors open say nothing, either. */
const leastMinutes = 2;
/** The forecast is rounded up to this many minutes, because it is no better. */
const roundedTo = 5;

/** Forecasts from the present rate of entries. */
export function forecastOf({ expected, admitted, entries, now, endsAt }: Rate): Forecast {
  if (expected === 0) return { state: 'nobody' };
  if (admitted >= expected) return { state: 'complete' };
  const last = entries.length - 1;
  // While the doors have been open for less than the window, the time before does not lower the rate.
  const from = Math.max(
    0,
    last - rateMinutes,
    entries.findIndex((count) => count > 0),
  );
  const count = entries.slice(from).reduce((sum, each) => sum + each, 0);
  if (count < leastEntries) return { state: 'unknown' };
  const minutes = Math.max(leastMinutes, last - from + (now.getTime() % 60_000) / 60_000);
  const at = now.getTime() + ((expected - admitted) / (count / minutes)) * 60_000;
  if (at > endsAt.getTime()) return { state: 'late' };
  const step = roundedTo * 60_000;
  return { state: 'at', at: new Date(Math.ceil(at / step) * step).toISOString() };
}
