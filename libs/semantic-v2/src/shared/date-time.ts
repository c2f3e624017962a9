import { instantInZone } from '#kernel';
import { currentTenant } from '#tenancy';

const day = String.raw`((?:19|2\d)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?`;
const offset = String.raw`[+-](?:0\d|1[0-4])(?::?[0-5]\d)?`;
const shape = new RegExp(`^${day}[T ](${time}) ?(Z|${offset})?$`, 'i');
const dayShape = new RegExp(`^${day}$`);
const timeShape = new RegExp(`^T?(${time}) ?(Z|${offset})?$`, 'i');
const durationShape = /^P(?:0+Y)?(?:0+M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})(?:[.,]\d+)?S)?)?$/i;

const inRegExp = (pattern: string): string => pattern.replaceAll(String.raw`\d`, '[0-9]');

/** The shape of such a text, for the API document; some days that it allows do not exist. */
export const dateTimePattern = inRegExp(`^${day}[Tt ]${time} ?(?:[Zz]|${offset})?$`);
/** The same, or a day alone. */
export const dateOrTimePattern = inRegExp(`^${day}(?:[Tt ]${time} ?(?:[Zz]|${offset})?)?$`);

/**
 * Parses an ISO 8601 date and time of the years 1900 to 2999. Without an offset it is in the tenant's time zone.
 * @returns undefined when the text is invalid
 */
export function instantOf(text: unknown): Date | undefined {
  const [, day = '', time = '', offset] = (typeof text === 'string' && shape.exec(text.trim())) || [];
  if (!day || !isDay(day)) return undefined;
  const local = `${day}T${time.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1')}`;
  if (offset === undefined) return instantInZone(local, currentTenant().timeZone);
  return new Date(
    `${local}${offset.toUpperCase().replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)}`,
  );
}

/** Whether a text is a date alone. `Date` reads the 31st of a shorter month as the 1st of the next one. */
export function isDay(text: unknown): text is string {
  return (
    typeof text === 'string' && dayShape.test(text.trim()) && new Date(`${text.trim()}T00:00:00Z`).toISOString().startsWith(text.trim())
  );
}

/** The start of an event: an instant, or the beginning of a day in the tenant's time zone. */
export function startOf(text: unknown): Date | undefined {
  return isDay(text) ? instantInZone(`${text.trim()}T00:00`, currentTenant().timeZone) : instantOf(text);
}

/** The end of an event: an instant, or the last second of a day in the tenant's time zone. */
export function endOf(text: unknown): Date | undefined {
  return isDay(text) ? instantInZone(`${text.trim()}T23:59:59`, currentTenant().timeZone) : instantOf(text);
}

/** @param text a text that `instantOf` accepted before */
export function knownInstantOf(text: string): Date {
  return instantOf(text) as Date;
}

/** Seconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; undefined for other texts, years and months. */
export function secondsOf(text: unknown): number | undefined {
  const parts = typeof text === 'string' ? durationShape.exec(text.trim())?.slice(1) : undefined;
  if (!parts || parts.every((part) => part === undefined)) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
}

/**
 * A date and time, or a time such as 19:00 on the day of another one, with its offset.
 * @param day the other date and time, or a date, as text
 */
export function timeOnDayOf(text: unknown, day: string): Date | undefined {
  const [, time, offset] = (typeof text === 'string' && timeShape.exec(text.trim())) || [];
  const [, , , offsetOfDay = ''] = shape.exec(day.trim()) ?? [];
  return time === undefined ? instantOf(text) : instantOf(`${day.trim().slice(0, 10)}T${time}${offset ?? offsetOfDay}`);
}

export function isTimeOrInstant(text: unknown): boolean {
  return instantOf(text) !== undefined || (typeof text === 'string' && timeShape.test(text.trim()));
}
