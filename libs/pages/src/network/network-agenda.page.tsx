import { currentLanguage, dayWords, startOfDayInZone, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { agendaSections } from '../event-lists/agenda-entries.js';
import { EmptyList, Subscribe, Turning } from '../event-lists/agenda-parts.js';
import { type Venue, descriptionText, excerpt, pageDocument, pageWords } from '#page-kit';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { agendaHref, isFiltered, networkParameters as parameters, type AgendaQuery } from '../filters/agenda-query.js';
import { Filters, Tags } from '../filters/filters.js';
import { networkWords } from '../filters/network.words.js';
import type { NextPage } from './paging.js';

export interface NetworkAgenda {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly venue: Venue;
  readonly query: AgendaQuery;
  readonly events: readonly ListedEvent[];
  readonly next?: NextPage | undefined;
  readonly now: Date;
  /** Whether everybody may create a place here. */
  readonly hasForm: boolean;
}

/** The agenda of a network: events by month, running ones first. */
export async function networkAgendaPage({ tenant, settings, venue, query, events, next, now, hasForm }: NetworkAgenda): Promise<string> {
  const language = currentLanguage();
  const { timeZone } = tenant;
  const words = { ...pageWords[language], ...networkWords[language] };
  const first = query.after ?? query.from;
  const heading = first ? words.agendaFrom(dayWords(startOfDayInZone(first, timeZone) as Date, language, timeZone)) : words.agenda;
  const tagline = descriptionText(venue.shortDescription ?? '');
  const sections = await agendaSections({
    events,
    now,
    language,
    timeZone,
    under: (event) => <Tags event={event} query={query} language={language} />,
  });
  const filtered = isFiltered(query, parameters);
  const emptyLines = filtered ? [words.nothing, words.nothingHint] : [words.empty, words.emptyHint];
  const toLater = next && agendaHref('/', query, { ...next });
  const main = (
    <>
      <h1>{heading}</h1>
      <p class="to-places">
        <a href="/places">{words.places}</a>
        {hasForm && <a href="/tenant/new/">{words.createPlace}</a>}
      </p>
      <Filters filters={{ query, parameters, now, timeZone }} language={language} />
      {sections.length > 0 ? sections : <EmptyList lines={emptyLines} />}
      <Turning toNow={query.after && agendaHref('/', query)} toLater={toLater} language={language} />
      <Subscribe tenant={tenant} settings={settings} language={language} />
    </>
  );
  return pageDocument({
    tenant,
    language,
    title: `${tenant.name} · ${heading}`,
    main,
    venue,
    isHome: true,
    sheet: 'home',
    address: agendaHref('/', query, { after: query.after, skip: query.skip }),
    // Only the unfiltered agenda is indexed by search engines.
    ...(!filtered && {
      summary: {
        canonical: tenantUrl(settings, tenant, agendaHref('/', {}, { after: query.after, skip: query.skip })),
        description: excerpt(tagline, 200),
      },
    }),
  });
}
