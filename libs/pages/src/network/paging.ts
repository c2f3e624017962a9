import type { ListedEvent } from '../public-events/public-events.service.js';
import { wholeDays } from '../event-lists/whole-days.js';
import type { AgendaQuery } from '../filters/agenda-query.js';

/** Start of the next page. */
export type NextPage = Required<Pick<AgendaQuery, 'after' | 'skip'>>;

/**
 * Selects the events of a page and the start of the next one. A day is not split, unless it is longer than a page; then the next page
 * continues within it.
 * @param events ordered by start; one more than `limit` when there are later ones
 */
export function pageOf(
  events: readonly ListedEvent[],
  limit: number,
  timeZone: string,
  { after, skip = 0 }: AgendaQuery,
): { readonly shown: readonly ListedEvent[]; readonly next?: NextPage } {
  const { shown, next, isTorn } = wholeDays(events, limit, timeZone);
  if (!next) return { shown };
  return { shown, next: { after: next, skip: isTorn ? (after === next ? skip : 0) + limit : 0 } };
}
