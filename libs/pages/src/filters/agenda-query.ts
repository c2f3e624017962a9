import { eventCategories, tagKey, type EventCategory } from '#catalogue';
import { currentLanguage, dateOf, hasControls, kernelProblem, startOfDayInZone, type BodyFault, type Text } from '#kernel';
import type { AgendaFilter } from '#places';
import { dayAfter } from '../event-lists/whole-days.js';
import { texts } from '../locales/pages.texts.js';

/** The validated query of an agenda. */
export interface AgendaQuery {
  /** Short name of a member of a network. */
  readonly place?: string;
  readonly tag?: string;
  readonly category?: EventCategory;
  /** `YYYY-MM`, in the time zone of the tenant. */
  readonly month?: string;
  /** Days, `YYYY-MM-DD`, in the time zone of the tenant. */
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
  /** Only events with free admission. Pages read it. */
  readonly free?: 'on';
  /** How a page shows the events; default: as a list. */
  readonly view?: AgendaView;
  /** Start of the page: a day, and the number of its events on earlier pages. */
  readonly after?: string;
  readonly skip?: number;
}

/** Other views than the list. */
type AgendaView = 'cards' | 'month';

type Name = keyof AgendaQuery;

/** The parameters that one kind of agenda reads. */
export interface AgendaParameters {
  readonly filters: readonly Exclude<Name, 'after' | 'skip' | 'view'>[];
  /** Filters of the fold beside the search; the form keeps the values of the others. */
  readonly fields: readonly ('from' | 'to' | 'place')[];
  /** Start of the page. */
  readonly paging: readonly Name[];
}

export const networkParameters: AgendaParameters = {
  filters: ['place', 'tag', 'category', 'month', 'from', 'to', 'q'],
  fields: ['from', 'to', 'place'],
  paging: ['after', 'skip'],
};
/** Of the agenda of a tenant with its own events. */
export const ownParameters: AgendaParameters = {
  filters: ['tag', 'category', 'month', 'from', 'to', 'q'],
  fields: ['from', 'to'],
  paging: ['after'],
};
/** Of the page of that agenda, which knows prices. */
export const ownPageParameters: AgendaParameters = { ...ownParameters, filters: [...ownParameters.filters, 'free'] };

const longest = 200;
/** Maximum number of events of one day to skip, because each of them is read again. */
const mostSkipped = 10_000;

const faults = {
  once: texts.localized('agendaQuery.once'),
  length: texts.localized('agendaQuery.length', { longest }),
  controls: texts.localized('agendaQuery.controls'),
  place: texts.localized('agendaQuery.place'),
  category: texts.localized('agendaQuery.category', { eventCategories: Object.keys(eventCategories).join(', ') }),
  month: texts.localized('agendaQuery.month'),
  date: texts.localized('agendaQuery.writeDate'),
  order: texts.localized('agendaQuery.order'),
  view: texts.localized('agendaQuery.view'),
  free: texts.localized('agendaQuery.free'),
  whole: texts.localized('agendaQuery.whole', { mostSkipped }),
} as const satisfies Record<string, Text>;

/**
 * Reads known parameters and ignores others, because newsletters append their own to links.
 * @throws Problem 400 `query.invalid` with all faults
 */
export function readAgendaQuery(
  query: Readonly<Record<string, unknown>>,
  timeZone: string,
  { filters, paging }: AgendaParameters,
): AgendaQuery {
  return readNames(query, timeZone, [...filters, ...paging]);
}

/** The same for a page, which has views. Calendars of a month have one page, and begin with the present month. */
export function readPageQuery(
  query: Readonly<Record<string, unknown>>,
  timeZone: string,
  { filters, paging }: AgendaParameters,
  now: Date,
): AgendaQuery {
  const { after, skip, ...read } = readNames(query, timeZone, [...filters, ...paging, 'view']);
  if (read.view === 'month') return { ...read, month: read.month ?? dateOf(now, timeZone).slice(0, 7) };
  return { ...read, ...(after !== undefined && { after }), ...(skip !== undefined && { skip }) };
}

function readNames(query: Readonly<Record<string, unknown>>, timeZone: string, names: readonly Name[]): AgendaQuery {
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
  const { place, category, month, from, to, skip, view, free } = given;
  const isDay = (day: string): boolean => startOfDayInZone(day, timeZone) !== undefined;
  if (place !== undefined && !/^[a-z0-9-]{1,63}$/i.test(place)) fault('place', 'place');
  if (category !== undefined && !Object.hasOwn(eventCategories, category.toUpperCase())) fault('category', 'category');
  if (month !== undefined && !(/^\d{4}-\d{2}$/.test(month) && isDay(`${month}-01`))) fault('month', 'month');
  for (const name of ['from', 'to', 'after'] as const) if (given[name] !== undefined && !isDay(given[name])) fault(name, 'date');
  if (from !== undefined && to !== undefined && isDay(from) && isDay(to) && to < from) fault('to', 'order');
  if (skip !== undefined && !(/^\d{1,6}$/.test(skip) && Number(skip) <= mostSkipped)) fault('skip', 'whole');
  if (view !== undefined && !['list', 'cards', 'month'].includes(view)) fault('view', 'view');
  if (free !== undefined && free !== 'on') fault('free', 'free');
  if (found.length > 0) throw kernelProblem('query.invalid', { errors: found });
  const { view: _view, ...rest } = given;
  return {
    ...rest,
    ...(view !== undefined && view !== 'list' && { view }),
    ...(place !== undefined && { place: place.toLowerCase() }),
    ...(category !== undefined && { category: category.toUpperCase() as EventCategory }),
    ...(skip !== undefined && { skip: Number(skip) }),
  } as AgendaQuery;
}

/**
 * The filter of a query. Days and months have the events that run in them, also those that began before.
 * @param now excludes events that were over at this time
 */
export function toAgendaFilter(query: AgendaQuery, now: Date, timeZone: string): AgendaFilter {
  const { place, tag, category, month, from, to, q, after, free } = query;
  const start = (day: string): Date => startOfDayInZone(day, timeZone) as Date;
  // Of a month and days, what both contain.
  const first = [from, month && `${month}-01`].filter(isSent).toSorted().at(-1);
  const until = [to && dayAfter(to), month && `${monthAfter(month)}-01`].filter(isSent).toSorted()[0];
  return {
    since: now,
    ...(first !== undefined && { from: start(first) }),
    ...(until !== undefined && { until: start(until) }),
    ...(after !== undefined && { after: start(after) }),
    ...(place !== undefined && { place }),
    ...(tag !== undefined && { tag: tagKey(tag) }),
    ...(category !== undefined && { category }),
    ...(q !== undefined && { text: q }),
    ...(free !== undefined && { free: true }),
  };
}

function isSent(day: string | undefined): day is string {
  return day !== undefined;
}

/** The next month, both as `YYYY-MM`. */
export function monthAfter(month: string): string {
  return monthLater(month, 1);
}

/** The month before, both as `YYYY-MM`. */
export function monthBefore(month: string): string {
  return monthLater(month, -1);
}

function monthLater(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const whole = year * 12 + number - 1 + months;
  return `${String(Math.floor(whole / 12)).padStart(4, '0')}-${String((whole % 12) + 1).padStart(2, '0')}`;
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
export function isFiltered(query: AgendaQuery, { filters }: AgendaParameters): boolean {
  return filters.some((name) => query[name] !== undefined);
}
