import { dateOf } from '#kernel';
import type { ListedEvent } from '../public-events/public-events.service.js';

/** The events of one page of an agenda. */
export interface WholeDays {
  readonly shown: readonly ListedEvent[];
  /** The day of the first event on the next page; absent: there is none. */
  readonly next?: string;
  /** The page ends within that day, because the day alone is longer than a page. */
  readonly isTorn?: boolean;
}

/**
 * Selects the events of one page. A day is not split, unless it is longer than a page.
 * @param events ordered by start; one more than `limit` when there are later ones
 */
export function wholeDays(events: readonly ListedEvent[], limit: number, timeZone: string): WholeDays {
  const extra = events[limit];
  if (!extra) return { shown: events };
  const date = dateOf(extra.startsAt, timeZone);
  const shown = events.filter(({ startsAt }) => dateOf(startsAt, timeZone) < date);
  return shown.length > 0 ? { shown, next: date } : { shown: events.slice(0, limit), next: date, isTorn: true };
}

/** The next day, both as `YYYY-MM-DD`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/**
 * The number of events on a page that should have about `limit`: at least those of its first day.
 * @param events ordered by start
 * @param most on a page
 */
export function limitOfPage(events: readonly ListedEvent[], limit: number, most: number, timeZone: string): number {
  const [first] = events;
  if (!first) return limit;
  const date = dateOf(first.startsAt, timeZone);
  const firstLater = events.findIndex(({ startsAt }) => dateOf(startsAt, timeZone) !== date);
  return Math.min(most, Math.max(limit, firstLater === -1 ? events.length : firstLater));
}
