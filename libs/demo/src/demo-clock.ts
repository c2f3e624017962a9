import { partsInZone, venueDayHour } from '#kernel';

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** Moments around now on a tenant's clocks. Its day runs from 04:00 to 04:00: a concert past midnight is still tonight's. */
export class DemoClock {
  constructor(
    readonly now: Date,
    private readonly timeZone: string,
  ) {}

  /** `time` (`HH:MM`, 04:00 or later) of the tenant's day that lies `days` after today. */
  at(days: number, time: string): Date {
    const today = partsInZone(this.now, this.timeZone);
    const nightOffset = Number(today.hour) < venueDayHour ? -1 : 0;
    const [hour, minutes] = time.split(':').map(Number) as [number, number];
    const date = Number(today.day) + nightOffset + days;
    return this.instantOf(Date.UTC(Number(today.year), Number(today.month) - 1, date, hour, minutes));
  }

  /** Something that people came to an hour and a bit ago, on a half hour, and today however early it is. */
  get runningSince(): Date {
    const halfHour = Math.floor((this.now.getTime() - 75 * minute) / (30 * minute)) * 30 * minute;
    return new Date(Math.max(halfHour, this.at(0, '04:00').getTime()));
  }

  /** @param wall what the clocks show, as if they showed UTC */
  private instantOf(wall: number): Date {
    // The offset at the guess is wrong only within hours of a change of the clocks; the second look corrects it.
    const guess = wall - this.offsetAt(wall);
    return new Date(wall - this.offsetAt(guess));
  }

  private offsetAt(instant: number): number {
    const { offset } = partsInZone(new Date(instant), this.timeZone);
    const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number];
    return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minute;
  }
}
