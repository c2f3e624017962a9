import { partsInZone } from './zoned-time.js';

/** The local hour at which a venue's day ends, because evenings do not end at midnight. Used by the function and the SQL below. */
export const venueDayHour = 4;

/**
 * The venue's day of a moment; a day runs from 04:00 to 04:00 local time.
 * @returns `YYYY-MM-DD`
 */
export function venueDayOf(moment: Date, timeZone: string): string {
  const { year, month, day, hour } = partsInZone(moment, timeZone);
  const before = Number(hour) < venueDayHour ? 1 : 0;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) - before)).toISOString().slice(0, 10);
}

/**
 * SQL of the moment at which the venue's current day begins, or `daysLater` days after it, in local days (a day may have 23 or 25 hours).
 * @param timeZone SQL of the name of the time zone: a parameter such as `$1` @param at SQL of another moment than now
 */
export function venueDayStartSql(timeZone: string, daysLater = 0, at = 'now()'): string {
  const zone = `cast(${timeZone} as text)`;
  const midnight = `date_trunc('day', (${at} at time zone ${zone}) - interval '${venueDayHour} hours')`;
  return `((${midnight} + interval '${venueDayHour + 24 * daysLater} hours') at time zone ${zone})`;
}
