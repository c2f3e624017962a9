import { partsInZone, venueDayHour } from '#kernel';

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** Moments around now in a tenant's time zone. A day runs from 04:00 to 04:00, so a concert past midnight still belongs to the evening. */
export class DemoClock {
  constructor(
    readonly now: Date,
    private readonly timeZone: string,
  ) {}

  /** `time` (`HH:MM`, 04:00 or later) on the tenant's day that is `days` after today. */
  at(days: number, time: string): Date {
    const today = partsInZone(this.now, this.timeZone);
    const nightOffset = Number(today.hour) < venueDayHour ? -1 : 0;
    const [hour, minutes] = time.split(':').map(Number) as [number, number];
    const date = Number(today.day) + nightOffset + days;
    return this.instantOf(Date.UTC(Number(today.year), Number(today.month) - 1, date, hour, minutes));
  }

  /** The start of a running event: about an hour ago, on a half hour, and never before the tenant's current day. */
  get runningSince(): Date {
    const halfHour = Math.floor((this.now.getTime() - 75 * minute) / (30 * minute)) * 30 * minute;
    return new Date(Math.max(halfHour, this.at(0, '04:00').getTime()));
  }

  /** @param wall local time, written as if it were UTC */
  private instantOf(wall: number): Date {
    // The guessed offset is wrong only within hours of a clock change; the second computation corrects it.
    const guess = wall - this.offsetAt(wall);
    return new Date(wall - this.offsetAt(guess));
  }

  private offsetAt(instant: number): number {
    const { offset } = partsInZone(new Date(instant), this.timeZone);
    const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number];
    return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minute;
  }
}
