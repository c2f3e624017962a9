const oneDay = 86_400_000;

/** A time of day: `20:31`. */
export function clockTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(at);
}

/** A time, with the weekday when it is another day, and with the date when it is a week away. */
export function momentWords(at: number, now: number, locale: string): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return clockTime(at, locale);
  const near = Math.abs(at - now) < 6 * oneDay;
  const day: Intl.DateTimeFormatOptions = near ? { weekday: 'long' } : { weekday: 'short', day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(locale, { ...day, hour: 'numeric', minute: '2-digit' }).format(at);
}

/** Whole seconds that passed, never negative. */
export function secondsSince(at: number, now: number): number {
  return Math.max(0, Math.round((now - at) / 1000));
}

/** The last day on which somebody may be born who is `age` years old today: `23 November 2008`. */
export function bornBefore(age: number, now: number, locale: string): string {
  const day = new Date(now);
  day.setFullYear(day.getFullYear() - age);
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(day);
}
