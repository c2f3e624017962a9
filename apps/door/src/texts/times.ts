const oneDay = 86_400_000;
const clock = { hour: '2-digit', minute: '2-digit' } as const;

/** A time of day at the venue: `20:31`. @param zone IANA name of its time zone; null: that of the phone */
export function clockTime(at: number, locale: string, zone: string | null): string {
  return format(at, locale, zone, clock);
}

/** A time at the venue, with the weekday when it is another day, and with the date when it is a week away. */
export function momentWords(at: number, now: number, locale: string, zone: string | null): string {
  if (dayOf(at, zone) === dayOf(now, zone)) return clockTime(at, locale, zone);
  const near = Math.abs(at - now) < 6 * oneDay;
  const day: Intl.DateTimeFormatOptions = near ? { weekday: 'long' } : { weekday: 'short', day: 'numeric', month: 'short' };
  return format(at, locale, zone, { ...day, ...clock });
}

/** Whole seconds that passed, never negative. */
export function secondsSince(at: number, now: number): number {
  return Math.max(0, Math.round((now - at) / 1000));
}

/** The last day on which somebody may be born who is `age` years old today at the venue: `23 November 2008`. */
export function bornBefore(age: number, now: number, locale: string, zone: string | null): string {
  const day = new Date(`${dayOf(now, zone)}T12:00:00Z`);
  const month = day.getUTCMonth();
  day.setUTCFullYear(day.getUTCFullYear() - age);
  // 29 February became 1 March, on which nobody is that old yet.
  if (day.getUTCMonth() !== month) day.setUTCDate(0);
  return format(day.getTime(), locale, 'UTC', { dateStyle: 'long' });
}

/** The day at the venue: `2026-11-23`. */
function dayOf(at: number, zone: string | null): string {
  return format(at, 'en-CA', zone, { year: 'numeric', month: '2-digit', day: '2-digit' });
}

/** A time in words. An old browser that does not know the zone uses its own. */
export function format(at: number, locale: string, zone: string | null, options: Intl.DateTimeFormatOptions): string {
  try {
    return new Intl.DateTimeFormat(locale, zone === null ? options : { ...options, timeZone: zone }).format(at);
  } catch {
    // An old browser does not know a new zone.
    return new Intl.DateTimeFormat(locale, options).format(at);
  }
}
