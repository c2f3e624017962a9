import { guichet } from '../page/guichet.js';

// Times are shown and typed in the place's time zone, independent of the device's.
const { timeZone, locale, clock } = guichet;

type Moment = string | number | Date;

const format = (options: Intl.DateTimeFormatOptions): ((value: Moment) => string) => {
  const formatter = new Intl.DateTimeFormat(locale, { timeZone, ...options });
  return (value) => {
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? '' : written(formatter.formatToParts(date));
  };
};

/** With hours and minutes as the other pages write them: `20 h 30`. */
function written(parts: readonly Intl.DateTimeFormatPart[]): string {
  const [hour, minute] = ['hour', 'minute'].map((name) => parts.findIndex(({ type }) => type === name)) as [number, number];
  const text = (some: typeof parts): string => some.map(({ value }) => value).join('');
  if (hour < 0 || minute < hour || parts.some(({ type }) => type === 'second')) return text(parts);
  const [hours = '', minutes = ''] = [parts[hour]?.value, parts[minute]?.value];
  const pattern = minutes === '00' ? clock.fullHour : clock.hourAndMinute;
  const shown = pattern.replace('{hour}', clock.hasTwoDigits ? hours : String(Number(hours))).replace('{minute}', minutes);
  return `${text(parts.slice(0, hour))}${shown}${text(parts.slice(minute + 1))}`;
}

/** `20:30` */
export const timeOf = format({ hour: '2-digit', minute: '2-digit' });
/** `20:30:07` */
export const timeWithSeconds = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** `Fri 20 Nov 2026, 20:30` */
export const dayAndTime = format({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
/** `20 Nov 2026, 20:30:07` */
export const dayAndSeconds = format({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
/** `Friday 20 November 2026 at 20:30` */
export const fullMoment = format({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const thisYear = format({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const yearOf = format({ year: 'numeric' });
/** `Fri 20 Nov, 20:30`, with the year when it is not the current one. */
export const briefly = (value: Moment): string => (yearOf(value) === yearOf(Date.now()) ? thisYear(value) : dayAndTime(value));
/** `Friday 20 November` */
export const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });

/** A calendar day, which has no zone. */
export function dayOf(value: unknown): string {
  const date = new Date(`${String(value).slice(0, 10)}T12:00:00Z`);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }).format(date);
}

const wallClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** An instant as `2026-11-20T20:30` on the place's clock, for a date-time field; empty for nothing. */
export function toField(value: Moment | null | undefined): string {
  if (!value) return '';
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : wallClock.format(date).replace(' ', 'T');
}

/** The place's offset from UTC at an instant, in milliseconds. */
const offsetAt = (time: number): number =>
  Date.parse(`${wallClock.format(new Date(time)).replace(' ', 'T')}Z`) - Math.floor(time / 60000) * 60000;

/** Converts the value of a date-time field to an ISO instant; null when it is empty. */
export function fromField(text: string): string | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  // Computed twice, because a clock change may lie between the first guess and the result.
  const near = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(near)).toISOString();
}
