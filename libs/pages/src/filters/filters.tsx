import { tagKey } from '#catalogue';
import { capitalized, dayWords, startOfDayInZone, type Language } from '#kernel';
import { monthWords, pageWords } from '#page-kit';
import type { VNode } from 'preact';
import { kindWords } from '../event-lists/kind-words.js';
import { texts } from '../locales/pages.texts.js';
import { programmeWords } from '../event-lists/programme.words.js';
import type { AgendaFacets } from '../public-events/agenda-facets.js';
import { agendaHref, type AgendaParameters, type AgendaQuery } from './agenda-query.js';
import { networkWords } from './network.words.js';

interface SiftProps {
  /** Without the parameters that say where the page starts. */
  readonly query: AgendaQuery;
  readonly parameters: AgendaParameters;
  readonly facets: AgendaFacets;
  readonly timeZone: string;
  readonly language: Language;
  /** With what the calendar begins, `YYYY-MM`: the month of the first event. */
  readonly firstMonth: string | undefined;
}

/** Kinds and tags as chips, the search, and the views. Works without scripts. */
export function Sift(props: SiftProps): VNode {
  return (
    <>
      <div class="sift">
        <Search {...props} />
        <Chips {...props} />
        <Views query={props.query} language={props.language} firstMonth={props.firstMonth} />
      </div>
      <ChosenFilters {...props} />
    </>
  );
}

function Search({ query, parameters, facets, language }: SiftProps): VNode {
  const words = networkWords[language];
  const { searchHint } = programmeWords[language];
  const { fields } = parameters;
  const kept = ([...parameters.filters, 'view'] as const).filter(
    (name) => name !== 'q' && query[name] !== undefined && !fields.some((field) => field === name),
  );
  const { places = [] } = facets;
  return (
    <form method="get" action="/" role="search" aria-label={words.search}>
      <div class="field with-button">
        <label class="unseen" for="q">
          {words.search}
        </label>
        <input type="search" id="q" name="q" maxlength={200} value={query.q ?? ''} placeholder={searchHint} />
        <button class="button other button-small" type="submit">
          {words.show}
        </button>
      </div>
      {kept.map((name) => (
        <input type="hidden" name={name} value={query[name]} />
      ))}
      <details class="further" open={fields.some((name) => query[name] !== undefined)}>
        <summary>{programmeWords[language].further}</summary>
        <div class="field pair">
          {(['from', 'to'] as const).map((name) => (
            <p>
              <label for={name}>{name === 'from' ? words.firstDay : words.lastDay}</label>
              <input type="date" id={name} name={name} value={query[name] ?? ''} />
            </p>
          ))}
        </div>
        {fields.includes('place') && (places.length > 1 || query.place !== undefined) && (
          <PlaceField places={places} query={query} language={language} />
        )}
      </details>
    </form>
  );
}

interface PlaceFieldProps {
  readonly places: NonNullable<AgendaFacets['places']>;
  readonly query: AgendaQuery;
  readonly language: Language;
}

/** The place of a network. A chosen one without coming events stays in the list. */
function PlaceField({ places, query: { place }, language }: PlaceFieldProps): VNode {
  const all = place === undefined || places.some(({ slug }) => slug === place) ? places : [...places, { slug: place, name: place }];
  return (
    <p class="field">
      <label for="place">{networkWords[language].place}</label>
      <select id="place" name="place">
        <option value="">{programmeWords[language].allPlaces}</option>
        {all.map(({ slug, name }) => (
          <option value={slug} selected={slug === place}>
            {name}
          </option>
        ))}
      </select>
    </p>
  );
}

/** Kinds, free admission and tags that coming events have, and those that are chosen. A chosen one leads back to the agenda without it. */
function Chips({ query, facets, language }: SiftProps): VNode | null {
  const { category, free } = query;
  const tag = query.tag === undefined ? undefined : tagKey(query.tag);
  const kinds = category === undefined || facets.kinds.includes(category) ? facets.kinds : [...facets.kinds, category];
  const tags = tag === undefined || facets.tags.some(({ key }) => key === tag) ? facets.tags : [...facets.tags, { key: tag, name: tag }];
  const isAll = category === undefined && free === undefined && tag === undefined;
  const chips = [
    ...(kinds.length > 1 || category !== undefined
      ? kinds.map((kind) => chip(kindWords(kind, language), query, 'category', kind, kind === category))
      : []),
    ...(facets.hasFree || free !== undefined ? [chip(pageWords[language].free, query, 'free', 'on', free !== undefined)] : []),
    ...tags.map(({ key, name }) => chip(name, query, 'tag', key, key === tag)),
  ];
  if (chips.length === 0) return null;
  return (
    <nav class="chips" aria-label={programmeWords[language].choose}>
      <a
        class="chip"
        href={agendaHref('/', query, { category: undefined, free: undefined, tag: undefined })}
        aria-current={isAll ? 'true' : undefined}
      >
        {programmeWords[language].all}
      </a>
      {chips}
    </nav>
  );
}

function chip(label: string, query: AgendaQuery, name: 'category' | 'free' | 'tag', value: string, isChosen: boolean): VNode {
  return (
    <a
      class="chip"
      href={agendaHref('/', query, { [name]: isChosen ? undefined : value })}
      rel="nofollow"
      aria-current={isChosen ? 'true' : undefined}
    >
      <bdi>{label}</bdi>
    </a>
  );
}

function Views({ query, language, firstMonth }: Pick<SiftProps, 'query' | 'language' | 'firstMonth'>): VNode {
  const words = programmeWords[language];
  const { view = 'list', ...rest } = query;
  // The month of the calendar is no filter of the others.
  const { month: _month, ...others } = rest;
  const link = (name: typeof view, href: string, label: string): VNode => (
    <a href={href} rel={name === 'list' ? undefined : 'nofollow'} aria-current={name === view ? 'page' : undefined}>
      {label}
    </a>
  );
  const kept = view === 'month' ? others : rest;
  return (
    <nav class="views" aria-label={words.view}>
      {link('list', agendaHref('/', kept), words.list)}
      {link('cards', agendaHref('/', kept, { view: 'cards' }), words.cards)}
      {link('month', agendaHref('/', { ...(firstMonth !== undefined && { month: firstMonth }), ...rest }, { view: 'month' }), words.month)}
    </nav>
  );
}

/** The chosen filters that are no chips, each with a link to remove it. */
function ChosenFilters({ query, facets, timeZone, language }: SiftProps): VNode | null {
  const words = networkWords[language];
  const dayOf = (date: string): string => dayWords(startOfDayInZone(date, timeZone) as Date, language, timeZone);
  const chosen = {
    place: [words.place, facets.places?.find(({ slug }) => slug === query.place)?.name ?? query.place],
    month: [words.month, query.view === 'month' ? undefined : query.month && nameOfMonth(query.month, language, timeZone)],
    from: [words.firstDay, query.from && dayOf(query.from)],
    to: [words.lastDay, query.to && dayOf(query.to)],
    q: [words.words, query.q],
  } as const;
  const chips = Object.entries(chosen).flatMap(([name, [label, value]]) =>
    value === undefined ? [] : [{ name, what: texts.translate(language, 'network.chosenFilter', { label, value }) }],
  );
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={words.chosen}>
      {chips.map(({ name, what }) => (
        <li>
          <a class="chip" href={agendaHref('/', query, { [name]: undefined })} aria-label={words.takeOff(what)}>
            <span>
              <bdi>{what}</bdi> <span aria-hidden="true">×</span>
            </span>
          </a>
        </li>
      ))}
      <li>
        <a class="chip" href="/">
          {words.showAll}
        </a>
      </li>
    </ul>
  );
}

function nameOfMonth(month: string, language: Language, timeZone: string): string {
  return capitalized(monthWords(startOfDayInZone(`${month}-01`, timeZone) as Date, language, timeZone));
}
