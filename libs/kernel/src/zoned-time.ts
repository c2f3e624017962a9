const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    });
    // There are about 600 zones; the bound is for what else may come.
    if (formats.size > 1000) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}

/** The parts of an instant on the clocks of a time zone, each as text with leading zeros; `offset` is `+02:00`. */
export function partsInZone(
  instant: Date,
  timeZone: string,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'offset', string> {
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
  const { year, month, day, hour, minute, second, offset } = partsInZone(date, timeZone);
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fractionOf(instant)}${offset}`;
}

/** Now, with microseconds, in a time zone. */
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
