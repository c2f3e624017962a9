import { partsInZone } from './zoned-time.js';

/** The hour at which a day ends on the clocks of a venue: evenings do not end at midnight. Used by the function and the SQL below. */
export const venueDayHour = 4;

/**
 * The day that a moment belongs to at a venue, which runs from 04:00 to 04:00 on its clocks.
 * @returns `YYYY-MM-DD`
 */
export function venueDayOf(moment: Date, timeZone: string): string {
  const { year, month, day, hour } = partsInZone(moment, timeZone);
  const before = Number(hour) < venueDayHour ? 1 : 0;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) - before)).toISOString().slice(0, 10);
}

/**
 * SQL of the moment at which the current day of a venue begins, or so many days later; the length of a day follows the clocks.
 * @param timeZone SQL of the name of the time zone: a parameter such as `$1`
 */
export function venueDayStartSql(timeZone: string, daysLater = 0): string {
  const zone = `cast(${timeZone} as text)`;
  const midnight = `date_trunc('day', (now() at time zone ${zone}) - interval '${venueDayHour} hours')`;
  return `((${midnight} + interval '${venueDayHour + 24 * daysLater} hours') at time zone ${zone})`;
}
