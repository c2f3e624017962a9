import { eventCategories, tagKey, type EventCategory } from '#catalogue';
import { currentLanguage, hasControls, kernelProblem, startOfDayInZone, type BodyFault, type Text } from '#kernel';
import type { AgendaFilter } from '#places';
import { dayAfter } from '../event-lists/whole-days.js';
import { texts } from '../locales/pages.texts.js';

/** The validated query of a network's agenda. */
export interface AgendaQuery {
  readonly place?: string;
  readonly tag?: string;
  readonly category?: EventCategory;
  /** Days, `YYYY-MM-DD`, in the time zone of the network. */
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
  /** Start of the page: a day, and the number of its events on earlier pages. */
  readonly after?: string;
  readonly skip?: number;
}

const names = ['place', 'tag', 'category', 'from', 'to', 'q', 'after', 'skip'] as const;
type Name = (typeof names)[number];
const longest = 200;
/** Maximum number of events of one day to skip, because each of them is read again. */
const mostSkipped = 10_000;

const faults = {
  once: texts.localized('agendaQuery.once'),
  length: texts.localized('agendaQuery.length', { longest }),
  controls: texts.localized('agendaQuery.controls'),
  place: texts.localized('agendaQuery.place'),
  category: texts.localized('agendaQuery.category', { eventCategories: Object.keys(eventCategories).join(', ') }),
  date: texts.localized('pages.writeDate'),
  order: texts.localized('agendaQuery.order'),
  whole: texts.localized('agendaQuery.whole', { mostSkipped }),
} as const satisfies Record<string, Text>;

/**
 * Reads known parameters and ignores others, because newsletters append their own to links.
 * @throws Problem 400 `query.invalid` with all faults
 */
export function readAgendaQuery(query: Readonly<Record<string, unknown>>, timeZone: string): AgendaQuery {
  const found: BodyFault[] = [];
  const fault = (name: Name, code: keyof typeof faults): void => {
    found.push({ pointer: `/${name}`, code, detail: faults[code][currentLanguage()] });
  };
  const given: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = query[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') fault(name, 'once');
    else if (value.length > longest) fault(name, 'length');
    else if (hasControls(value)) fault(name, 'controls');
    // A form also sends its empty fields.
    else if (value.trim() !== '') given[name] = value.trim();
  }
  const { place, category, from, to, skip } = given;
  const isDay = (day: string): boolean => startOfDayInZone(day, timeZone) !== undefined;
  if (place !== undefined && !/^[a-z0-9-]{1,63}$/i.test(place)) fault('place', 'place');
  if (category !== undefined && !Object.hasOwn(eventCategories, category.toUpperCase())) fault('category', 'category');
  for (const name of ['from', 'to', 'after'] as const) if (given[name] !== undefined && !isDay(given[name])) fault(name, 'date');
  if (from !== undefined && to !== undefined && isDay(from) && isDay(to) && to < from) fault('to', 'order');
  if (skip !== undefined && !(/^\d{1,6}$/.test(skip) && Number(skip) <= mostSkipped)) fault('skip', 'whole');
  if (found.length > 0) throw kernelProblem('query.invalid', { errors: found });
  return {
    ...given,
    ...(place !== undefined && { place: place.toLowerCase() }),
    ...(category !== undefined && { category: category.toUpperCase() as EventCategory }),
    ...(skip !== undefined && { skip: Number(skip) }),
  } as AgendaQuery;
}

/** The filter of a query. @param now excludes events that were over at this time, or at the first day when that is later */
export function toAgendaFilter(query: AgendaQuery, now: Date, timeZone: string): AgendaFilter {
  const { place, tag, category, from, to, q, after } = query;
  const start = (day: string): Date => startOfDayInZone(day, timeZone) as Date;
  const first = from === undefined ? now : new Date(Math.max(now.getTime(), start(from).getTime()));
  return {
    since: first,
    ...(to !== undefined && { until: start(dayAfter(to)) }),
    ...(after !== undefined && { after: start(after) }),
    ...(place !== undefined && { place }),
    ...(tag !== undefined && { tag: tagKey(tag) }),
    ...(category !== undefined && { category }),
    ...(q !== undefined && { text: q }),
  };
}

/** The URL of the agenda with this query and these changes; undefined removes a parameter. Always links to the first page. */
export function agendaHref(
  path: string,
  query: AgendaQuery,
  changes: { readonly [name in Name]?: string | number | undefined } = {},
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, after: undefined, skip: undefined, ...changes })) {
    if (value !== undefined && value !== 0) parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

/** Whether a query filters the agenda. */
export function isFiltered(query: AgendaQuery): boolean {
  return (['place', 'tag', 'category', 'from', 'to', 'q'] as const).some((name) => query[name] !== undefined);
}
