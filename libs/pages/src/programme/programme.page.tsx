import { currentLanguage, dateOf, dayWords, startOfDayInZone, type Settings } from '#kernel';
import { htmlOf, SafeHtml } from '#http';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { descriptionText, excerpt, pageDocument, pageWords } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { viewLimits } from '../event-lists/agenda-limits.js';
import { EmptyList, MoreDates } from '../event-lists/agenda-parts.js';
import { wholeDays } from '../event-lists/whole-days.js';
import { FollowForm } from '../following/follow-form.js';
import { agendaHref, isFiltered, type AgendaParameters, type AgendaQuery } from '../filters/agenda-query.js';
import { Sift } from '../filters/filters.js';
import { networkWords } from '../filters/network.words.js';
import type { AgendaFacets } from '../public-events/agenda-facets.js';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { eventCards } from './event-cards.js';
import { isOff, type ProgrammeReading } from './event-facts.js';
import { ListEntry, eventList } from './event-list.js';
import { EventMonth } from './event-month.js';
import { nextOf, Poster } from './poster.js';
import { programmeWords } from '../event-lists/programme.words.js';

/** The start of a page: the parameters of its address. */
type PageStart = Pick<AgendaQuery, 'after' | 'skip'>;

export interface Programme {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly reading: Omit<ProgrammeReading, 'language' | 'timeZone'>;
  readonly query: AgendaQuery;
  readonly parameters: AgendaParameters;
  readonly facets: AgendaFacets;
  /** Of one page, ordered by start. */
  readonly events: readonly ListedEvent[];
  readonly next: PageStart | undefined;
  /** The search whose events these are, in place of the one that was typed. */
  readonly meant?: string | undefined;
  /** Events that are over, latest first, when nothing comes. */
  readonly lately?: readonly ListedEvent[];
  /** Further links of the head. */
  readonly ways?: ComponentChildren;
}

/** The home page of a venue or a network: the next event as on a poster, and the programme as a list, as cards or as a month. */
export async function programmePage(programme: Programme): Promise<string> {
  const { tenant, settings, query, parameters, next } = programme;
  const language = currentLanguage();
  const reading: ProgrammeReading = { ...programme.reading, language, timeZone: tenant.timeZone };
  const isNarrowed = isFiltered(query, parameters);
  const first = query.after ?? query.from;
  const words = pageWords[language];
  const heading = first
    ? words.agendaFrom(dayWords(startOfDayInZone(first, tenant.timeZone) as Date, language, tenant.timeZone))
    : words.agenda;
  const start: PageStart = { after: query.after, ...(query.skip !== undefined && { skip: query.skip }) };
  const main = await mainOf(programme, { reading, heading, isNarrowed });
  return pageDocument({
    tenant,
    language,
    title: `${tenant.name} · ${heading}`,
    main: (
      <>
        {main}
        <MoreDates
          toNow={query.after && agendaHref('/', query)}
          toLater={next && agendaHref('/', query, { ...next })}
          tenant={tenant}
          settings={settings}
          language={language}
        />
      </>
    ),
    venue: reading.venue,
    isHome: hasPoster(query, isNarrowed),
    isProgramme: true,
    sheet: 'home',
    address: agendaHref('/', query, { ...start }),
    // Only the unfiltered list is indexed by search engines.
    ...(!isNarrowed &&
      query.view === undefined && {
        summary: {
          canonical: tenantUrl(settings, tenant, agendaHref('/', {}, { ...start })),
          description: excerpt(descriptionText(reading.venue.shortDescription ?? ''), 200),
        },
      }),
  });
}

/** Whether the page begins with the poster: where nothing is chosen. */
function hasPoster(query: AgendaQuery, isNarrowed: boolean): boolean {
  return !isNarrowed && query.after === undefined && query.view === undefined;
}

interface Main {
  readonly reading: ProgrammeReading;
  readonly heading: string;
  readonly isNarrowed: boolean;
}

/** The main part: with the poster where nothing is chosen, else with a heading. */
async function mainOf(programme: Programme, { reading, heading, isNarrowed }: Main): Promise<VNode> {
  const { tenant, query, parameters, facets, meant, lately = [], ways } = programme;
  const { now, language } = reading;
  // Cancelled events are not listed as running.
  const events = programme.events.filter(({ isCancelled, startsAt }) => !isCancelled || startsAt > now);
  const isHome = hasPoster(query, isNarrowed);
  const next = isHome ? nextOf(events, now) : undefined;
  const rest = events.filter((event) => event !== next);
  // The list names the event of the poster, too: readers look for it there.
  const listed = isHome && rest.length > 0 ? events : rest;
  const monthOf = (instant: Date): string => dateOf(instant, tenant.timeZone).slice(0, 7);
  const [first] = events;
  const isLater = first !== undefined && monthOf(first.startsAt) > monthOf(now);
  const words = programmeWords[language];
  return (
    <>
      {isHome ? (
        <Poster tenant={tenant} reading={reading} next={next} isEmpty={events.length === 0} ways={ways} />
      ) : (
        <div class="page-head">
          <h1>{heading}</h1>
          {ways}
        </div>
      )}
      {!(isHome && rest.length === 0 && programme.next === undefined) && (
        <Sift
          query={query}
          parameters={parameters}
          facets={facets}
          timeZone={tenant.timeZone}
          language={language}
          firstMonth={isLater ? monthOf(first.startsAt) : undefined}
        />
      )}
      {meant !== undefined && <p class="meant">{words.meant(meant, query.q ?? '')}</p>}
      {await viewOf(listed, programme, reading, isHome)}
      {isHome && next === undefined && lately.length > 0 && (
        <section class="programme">
          <h2>{words.lately}</h2>
          <ol>
            {lately.map((event) => (
              <ListEntry event={event} reading={reading} isOver={!isOff(event)} />
            ))}
          </ol>
        </section>
      )}
      {isHome && reading.venue.canBeFollowed && <FollowForm language={language} />}
    </>
  );
}

/** The events in the chosen view. */
async function viewOf(
  events: readonly ListedEvent[],
  { query, parameters }: Programme,
  reading: ProgrammeReading,
  isHome: boolean,
): Promise<VNode | null> {
  const { language, timeZone } = reading;
  const { nothing, nothingHint } = networkWords[language];
  const { empty, emptyHint, later } = pageWords[language];
  if (query.view === 'month') {
    const below = wholeDays(events, viewLimits.belowMonth, timeZone);
    const list = below.shown.length > 0 ? htmlOf(await eventList(below.shown, reading)) : '';
    return (
      <>
        <EventMonth events={events} query={query} reading={reading} />
        {events.length === 0 && <EmptyList lines={[nothing]} />}
        <div class="far">
          <SafeHtml html={list} />
        </div>
        {below.next !== undefined && (
          <p class="pages line">
            <a href={agendaHref('/', query, { view: undefined, after: below.next })} rel="nofollow">
              {later} →
            </a>
          </p>
        )}
      </>
    );
  }
  if (events.length === 0) {
    const lines = isFiltered(query, parameters) ? [nothing, nothingHint] : [empty, emptyHint];
    return isHome ? null : <EmptyList lines={lines} />;
  }
  return query.view === 'cards' ? eventCards(events, reading) : eventList(events, reading);
}
