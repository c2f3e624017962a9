import { Kept } from '../bounds/kept.js';
import { limits } from '../bounds/limits.js';

/** There are about 600 zones; the bound is for invalid or differently spelled names. */
const formats = new Kept<Intl.DateTimeFormat>(limits.formats.kept);

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return formats.of(
    timeZone,
    () =>
      new Intl.DateTimeFormat('en-US', {
        timeZone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        timeZoneName: 'longOffset',
      }),
  );
}

type ZonedParts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'offset', string>;

/** Lists contain the same instants repeatedly, and Intl takes 10 µs or more for each. */
const knownParts = new Kept<ZonedParts>(limits.zonedParts.kept);

/** The parts of an instant in a time zone, each as text with leading zeros; `offset` is `+02:00`. */
export function partsInZone(instant: Date, timeZone: string): Readonly<ZonedParts> {
  return knownParts.of(`${instant.getTime()} ${timeZone}`, () => askIntl(instant, timeZone));
}

function askIntl(instant: Date, timeZone: string): ZonedParts {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) parts[type] = value;
  const offset = (parts['timeZoneName'] as string).slice(3) || '+00:00';
  return {
    ...(parts as { year: string; month: string; day: string; hour: string; minute: string; second: string }),
    offset,
  };
}

/**
 * ISO 8601 with the offset of a time zone: `2026-11-20T20:30:00+01:00`, with a fraction only when the instant has one.
 * A text instant (PostgreSQL's, in UTC with microseconds) keeps its microseconds.
 */
export function isoInZone(instant: Date | string, timeZone: string): string {
  const date = typeof instant === 'string' ? new Date(instant) : instant;
  const steady = steadyOffset(date.getTime(), timeZone);
  if (steady) {
    const local = new Date(date.getTime() + steady.milliseconds).toISOString().slice(0, 19);
    return `${local}${fractionOf(instant)}${steady.text}`;
  }
  const { year, month, day, hour, minute, second, offset } = partsInZone(date, timeZone);
  // Offsets of the time before standard zones have seconds, which RFC 3339 cannot write.
  if (offset.length > 6) return `${date.toISOString().slice(0, 19)}${fractionOf(instant)}+00:00`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fractionOf(instant)}${offset}`;
}

interface Offset {
  /** `+01:00` */
  readonly text: string;
  readonly milliseconds: number;
}

const dayMs = 86_400_000;
/** Lists have thousands of times on few days, and computing the offset of one takes as long as the rest of its line. */
const steadyDays = new Kept<{ readonly offset: Offset | undefined }>(limits.steadyDays.kept);

/** The offset of a time zone for the whole UTC day of a moment; undefined on days when it changes, and before 1970 or after 2100. */
function steadyOffset(time: number, timeZone: string): Offset | undefined {
  const day = Math.floor(time / dayMs);
  if (!(day >= 0 && day < 47_482)) return undefined;
  return steadyDays.of(`${day} ${timeZone}`, () => {
    const [text, end] = [day * dayMs, (day + 1) * dayMs - 1].map((at) => partsInZone(new Date(at), timeZone).offset) as [string, string];
    const milliseconds = offsetAt(day * dayMs, timeZone);
    return { offset: text === end ? { text, milliseconds } : undefined };
  }).offset;
}

/**
 * The instant of a local date and time (`2026-11-20T20:30`, optionally with seconds and a fraction) in a time zone. For a repeated hour
 * it is the first; a skipped time is moved forward by the length of the gap.
 */
export function instantInZone(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  const day = 86_400_000;
  const before = asUtc - offsetAt(asUtc - day, timeZone);
  if (before + offsetAt(before, timeZone) === asUtc) return new Date(before);
  const after = asUtc - offsetAt(asUtc + day, timeZone);
  return new Date(after + offsetAt(after, timeZone) === asUtc ? after : before);
}

/**
 * The start of a day in a time zone; where the clocks skip midnight, the moment of the change.
 * @param date `YYYY-MM-DD`, 1970 or later
 * @returns undefined when there is no such day
 */
export function startOfDayInZone(date: string, timeZone: string): Date | undefined {
  const midnight = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts 31 February as 3 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined;
  return instantInZone(`${date}T00:00`, timeZone);
}

/** The midnight that begins the local day of an instant, or the day `days` later. */
export function dayInZone(instant: Date, timeZone: string, days = 0): Date {
  return instantInZone(`${localLater(instant, timeZone, days).slice(0, 10)}T00:00`, timeZone);
}

/** The moment with the same local time `days` later, to the second; negative: before. Days on which the clocks change are no 24 hours. */
export function addDaysInZone(instant: Date, timeZone: string, days: number): Date {
  return instantInZone(localLater(instant, timeZone, days), timeZone);
}

/** Local date and time of an instant, `days` later in the calendar. */
function localLater(instant: Date, timeZone: string, days: number): string {
  const { year, month, day, hour, minute, second } = partsInZone(instant, timeZone);
  const local = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  local.setUTCDate(local.getUTCDate() + days);
  return local.toISOString().slice(0, 19);
}

/** The offset of a time zone from UTC, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const { offset } = partsInZone(new Date(instant), timeZone);
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/** SQL of a timestamptz as text in UTC with microseconds, which `isoInZone` accepts; a Date would lose the microseconds. */
export function utcSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** The current time with microseconds in a time zone. */
export function nowInZone(timeZone: string): string {
  const microseconds = Math.round((performance.timeOrigin + performance.now()) * 1000);
  const whole = new Date(Math.floor(microseconds / 1_000_000) * 1000);
  const { year, month, day, hour, minute, second, offset } = partsInZone(whole, timeZone);
  const fraction = String(microseconds % 1_000_000).padStart(6, '0');
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${offset}`;
}

function fractionOf(instant: Date | string): string {
  if (typeof instant === 'string') return (/\.\d+/.exec(instant)?.[0] ?? '').replace(/^\.0+$/, '');
  const milliseconds = instant.getUTCMilliseconds();
  return milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`;
}
