import { eventCategories, tagKey, type EventCategory } from '#catalogue';
import { capitalized, dateOf, dayWords, escapeHtml, startOfDayInZone, type Language } from '#kernel';
import { monthWords, pageTexts } from '#page-kit';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { agendaHref, isFiltered, monthAfter, type AgendaParameters, type AgendaQuery } from './agenda-query.js';
import { networkWords } from './network.words.js';
import { kindWords } from '../event-lists/kind-words.js';

/** The filters of an agenda. */
export interface ShownFilters {
  /** Without the parameters that say where the page starts. */
  readonly query: AgendaQuery;
  readonly parameters: AgendaParameters;
  readonly now: Date;
  readonly timeZone: string;
}

/** Months that can be chosen, from the present one on. */
const shownMonths = 12;
/** Maximum number of tags per event that are shown as links. */
const mostTags = 5;

/** The form of the filters, and the chosen filters with links to remove them. Works without scripts. */
export function filtersHtml(filters: ShownFilters, language: Language): string {
  const { query, parameters } = filters;
  const words = networkWords[language];
  const field = (name: string, label: string, control: string): string =>
    `<p><label for="${name}">${escapeHtml(label)}</label>${control}</p>\n`;
  const day = (name: 'from' | 'to'): string => `<input type="date" id="${name}" name="${name}" value="${query[name] ?? ''}">`;
  const choice = (name: 'category' | 'month', any: string, options: readonly (readonly [value: string, label: string])[]): string => {
    const shown = options.map(
      ([value, label]) => `<option value="${value}"${value === query[name] ? ' selected' : ''}>${escapeHtml(label)}</option>`,
    );
    return `<select id="${name}" name="${name}"><option value="">${escapeHtml(any)}</option>${shown.join('')}</select>`;
  };
  const kinds = (Object.keys(eventCategories) as EventCategory[]).map((code) => [code, kindWords(code, language)] as const);
  const controls: Partial<Record<keyof AgendaQuery, () => string>> = {
    q: () => field('q', words.words, `<input type="search" id="q" name="q" maxlength="200" value="${escapeHtml(query.q ?? '')}">`),
    category: () => field('category', words.kind, choice('category', words.anyKind, kinds)),
    month: () => field('month', words.month, choice('month', words.anyMonth, monthsOf(filters, language))),
    from: () => field('from', words.firstDay, day('from')),
    to: () => field('to', words.lastDay, day('to')),
  };
  const shown = Object.entries(controls).map(([name, control]) => (parameters.fields.includes(name as keyof AgendaQuery) ? control() : ''));
  const kept = parameters.filters
    .filter((name) => query[name] !== undefined && !parameters.fields.includes(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(query[name] ?? '')}">`);
  return `<details class="filters"${isFiltered(query, parameters) ? ' open' : ''}>
<summary>${escapeHtml(words.search)}</summary>
<form method="get" action="/" role="search" aria-label="${escapeHtml(words.search)}">
${shown.join('')}${kept.join('')}<p><button class="button" type="submit">${escapeHtml(words.show)}</button></p>
</form>
</details>
${chosenHtml(filters, language)}`;
}

/** The coming months and the chosen one, each with its name. */
function monthsOf({ query, now, timeZone }: ShownFilters, language: Language): [string, string][] {
  const months = [dateOf(now, timeZone).slice(0, 7)];
  while (months.length < shownMonths) months.push(monthAfter(months.at(-1) as string));
  const all = new Set(query.month === undefined ? months : [...months, query.month].toSorted());
  return [...all].map((month) => [month, nameOfMonth(month, language, timeZone)]);
}

function nameOfMonth(month: string, language: Language, timeZone: string): string {
  return capitalized(monthWords(startOfDayInZone(`${month}-01`, timeZone) as Date, language, timeZone));
}

function chosenHtml({ query, parameters, timeZone }: ShownFilters, language: Language): string {
  if (!isFiltered(query, parameters)) return '';
  const words = networkWords[language];
  const dayOf = (date: string): string => dayWords(startOfDayInZone(date, timeZone) as Date, language, timeZone);
  const chosen = {
    place: [words.place, query.place],
    tag: [words.tag, query.tag],
    category: [words.kind, query.category && kindWords(query.category, language)],
    month: [words.month, query.month && nameOfMonth(query.month, language, timeZone)],
    from: [words.firstDay, query.from && dayOf(query.from)],
    to: [words.lastDay, query.to && dayOf(query.to)],
    q: [words.words, query.q],
  } as const;
  const chips = Object.entries(chosen).flatMap(([name, [label, value]]) => {
    if (value === undefined) return [];
    const what = pageTexts.translate(language, 'network.chosenFilter', { label, value });
    return [
      `<li><a href="${escapeHtml(agendaHref('/', query, { [name]: undefined }))}" ` +
        `aria-label="${escapeHtml(words.takeOff(what))}"><bdi>${escapeHtml(what)}</bdi> <span aria-hidden="true">×</span></a></li>`,
    ];
  });
  return (
    `<ul class="chips" aria-label="${escapeHtml(words.chosen)}">${chips.join('')}` +
    `<li><a href="/">${escapeHtml(words.showAll)}</a></li></ul>`
  );
}

/** The tags of an event as links that filter the agenda. */
export function tagsHtml({ keywords = [] }: ListedEvent, query: AgendaQuery, language: Language): string {
  const links = keywords.slice(0, mostTags).map((name) => {
    const href = agendaHref('/', query, { tag: tagKey(name) });
    return `<li><a href="${escapeHtml(href)}" rel="nofollow"><bdi>${escapeHtml(name)}</bdi></a></li>`;
  });
  if (links.length === 0) return '';
  return `\n<ul class="tags" aria-label="${escapeHtml(networkWords[language].tags)}">${links.join('')}</ul>`;
}
