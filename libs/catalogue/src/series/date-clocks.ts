import { instantInZone, isoInZone, RefusedInput } from '#kernel';
import type { Times } from '../events/event-times.js';
import { texts } from '../locales/catalogue.texts.js';
import { isClock } from './series-dates.js';

/** Times of day, `20:30`, that dates of a series get. Absent: as they are; null: none. */
export interface DateClocks {
  readonly begins?: string;
  readonly ends?: string | null;
  readonly doors?: string | null;
}

const dayMs = 86_400_000;

/** @throws RefusedInput on begins, ends or doors */
export function checkClocks({ begins, ends, doors }: DateClocks): void {
  for (const [field, clock] of Object.entries({ begins, ends, doors })) {
    if (typeof clock === 'string' && !isClock(clock)) throw new RefusedInput(field, texts.localized('series.noClock'));
  }
}

/** The time of day of an instant, to the minute. */
export function clockOfInstant(instant: Date, timeZone: string): string {
  return isoInZone(instant, timeZone).slice(11, 16);
}

/**
 * The times of a date with other times of day. It keeps its day and the number of whole days that it lasts. Doors open at most a day
 * before the start.
 */
export function atClocks({ startsAt, endsAt }: Times, { begins, ends, doors }: DateClocks, timeZone: string): Partial<Times> {
  // Local times as if they were in UTC, so that days have 24 hours.
  const local = (instant: Date): number => Date.parse(`${isoInZone(instant, timeZone).slice(0, 19)}Z`);
  const instant = (time: number): Date => instantInZone(new Date(time).toISOString().slice(0, 19), timeZone);
  const startOfDay = Math.floor(local(startsAt) / dayMs) * dayMs;
  const on = (day: number, clock: string): number => day + Date.parse(`1970-01-01T${clock}:00Z`);
  const start = begins === undefined ? local(startsAt) : on(startOfDay, begins);
  const days = endsAt ? Math.floor((local(endsAt) - local(startsAt)) / dayMs) * dayMs : 0;
  const earliest = (clock: string): number => (on(startOfDay, clock) < start ? on(startOfDay, clock) + dayMs : on(startOfDay, clock));
  const latest = (clock: string): number => (on(startOfDay, clock) > start ? on(startOfDay, clock) - dayMs : on(startOfDay, clock));
  return {
    ...(begins !== undefined && { startsAt: instant(start) }),
    ...(ends !== undefined && { endsAt: ends === null ? null : instant(earliest(ends) + days) }),
    ...(doors !== undefined && { doorsAt: doors === null ? null : instant(latest(doors)) }),
  };
}
