import { eventCategories, tagKey, type EventCategory } from '#catalogue';
import { capitalized, dateOf, dayWords, startOfDayInZone, type Language } from '#kernel';
import { type Choice, monthWords } from '#page-kit';
import { texts } from '../locales/pages.texts.js';
import type { ComponentChildren, VNode } from 'preact';
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

interface FiltersProps {
  readonly filters: ShownFilters;
  readonly language: Language;
}

/** The form of the filters, and the chosen filters with links to remove them. Works without scripts. */
export function Filters({ filters, language }: FiltersProps): VNode {
  const { query, parameters } = filters;
  const words = networkWords[language];
  const kept = parameters.filters.filter((name) => query[name] !== undefined && !parameters.fields.includes(name));
  return (
    <>
      <details class="filters" open={isFiltered(query, parameters)}>
        <summary>{words.search}</summary>
        <form method="get" action="/" role="search" aria-label={words.search}>
          {fieldsOf(filters, language)}
          {kept.map((name) => (
            <input type="hidden" name={name} value={query[name]} />
          ))}
          <p>
            <button class="button" type="submit">
              {words.show}
            </button>
          </p>
        </form>
      </details>
      <ChosenFilters filters={filters} language={language} />
    </>
  );
}

/** The fields that the agenda offers. */
function fieldsOf(filters: ShownFilters, language: Language): (VNode | false)[] {
  const { query, parameters } = filters;
  const words = networkWords[language];
  const has = (name: keyof AgendaQuery): boolean => parameters.fields.includes(name);
  const day = (name: 'from' | 'to'): VNode => <input type="date" id={name} name={name} value={query[name] ?? ''} />;
  return [
    has('q') && (
      <FilterField name="q" label={words.words}>
        <input type="search" id="q" name="q" maxlength={200} value={query.q ?? ''} />
      </FilterField>
    ),
    has('category') && (
      <FilterField name="category" label={words.kind}>
        <Options name="category" any={words.anyKind} choices={kindsIn(language)} value={query.category} />
      </FilterField>
    ),
    has('month') && (
      <FilterField name="month" label={words.month}>
        <Options name="month" any={words.anyMonth} choices={monthsOf(filters, language)} value={query.month} />
      </FilterField>
    ),
    has('from') && (
      <FilterField name="from" label={words.firstDay}>
        {day('from')}
      </FilterField>
    ),
    has('to') && (
      <FilterField name="to" label={words.lastDay}>
        {day('to')}
      </FilterField>
    ),
  ];
}

interface FilterFieldProps {
  readonly name: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

function FilterField({ name, label, children }: FilterFieldProps): VNode {
  return (
    <p>
      <label for={name}>{label}</label>
      {children}
    </p>
  );
}

interface OptionsProps {
  readonly name: string;
  /** The label of the empty choice. */
  readonly any: string;
  readonly choices: readonly Choice[];
  readonly value: string | undefined;
}

function Options({ name, any, choices, value }: OptionsProps): VNode {
  return (
    <select id={name} name={name}>
      <option value="">{any}</option>
      {choices.map(([code, label]) => (
        <option value={code} selected={code === value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function kindsIn(language: Language): Choice[] {
  return (Object.keys(eventCategories) as EventCategory[]).map((code) => [code, kindWords(code, language)]);
}

/** The coming months and the chosen one, each with its name. */
function monthsOf({ query, now, timeZone }: ShownFilters, language: Language): Choice[] {
  const months = [dateOf(now, timeZone).slice(0, 7)];
  while (months.length < shownMonths) months.push(monthAfter(months.at(-1) as string));
  const all = new Set(query.month === undefined ? months : [...months, query.month].toSorted());
  return [...all].map((month) => [month, nameOfMonth(month, language, timeZone)]);
}

function nameOfMonth(month: string, language: Language, timeZone: string): string {
  return capitalized(monthWords(startOfDayInZone(`${month}-01`, timeZone) as Date, language, timeZone));
}

function ChosenFilters({ filters: { query, parameters, timeZone }, language }: FiltersProps): VNode | null {
  if (!isFiltered(query, parameters)) return null;
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
  const chips = Object.entries(chosen).flatMap(([name, [label, value]]) =>
    value === undefined ? [] : [{ name, what: texts.translate(language, 'network.chosenFilter', { label, value }) }],
  );
  return (
    <ul class="chips" aria-label={words.chosen}>
      {chips.map(({ name, what }) => (
        <li>
          <a href={agendaHref('/', query, { [name]: undefined })} aria-label={words.takeOff(what)}>
            <bdi>{what}</bdi> <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      <li>
        <a href="/">{words.showAll}</a>
      </li>
    </ul>
  );
}

interface TagsProps {
  readonly event: ListedEvent;
  readonly query: AgendaQuery;
  readonly language: Language;
}

/** The tags of an event as links that filter the agenda. */
export function Tags({ event: { keywords = [] }, query, language }: TagsProps): VNode | null {
  if (keywords.length === 0) return null;
  return (
    <ul class="tags" aria-label={networkWords[language].tags}>
      {keywords.slice(0, mostTags).map((name) => (
        <li>
          <a href={agendaHref('/', query, { tag: tagKey(name) })} rel="nofollow">
            <bdi>{name}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
