import type { ListedEvent } from '../public-events.service.js';
import { wholeDays } from '../whole-days.js';
import type { AgendaQuery } from './agenda-query.js';

/** Where the next page begins. */
export type NextPage = Required<Pick<AgendaQuery, 'after' | 'skip'>>;

/**
 * What fits on a page, and where the next one begins. A day is not torn apart, unless it alone is longer than a page: then the next page goes
 * on within it.
 * @param events in the order of their start, one more than `limit` when there are later ones
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
