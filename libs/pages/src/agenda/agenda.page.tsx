import { currentLanguage, dayWords, startOfDayInZone, type Settings } from '#kernel';
import { categoryHas, tenantUrl, type TenantIdentity } from '#tenancy';
import { agendaSections } from '../event-lists/agenda-entries.js';
import { EmptyList, Subscribe, Turning } from '../event-lists/agenda-parts.js';
import { agendaHref, isFiltered, ownParameters, type AgendaQuery } from '../filters/agenda-query.js';
import { Filters, Tags } from '../filters/filters.js';
import { networkWords } from '../filters/network.words.js';
import { FollowForm } from './follow-form.js';
import { type Venue, descriptionText, excerpt, pageDocument, pageWords } from '#page-kit';
import type { VNode } from 'preact';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { dayAfter, wholeDays } from '../event-lists/whole-days.js';

export interface Agenda {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly venue: Venue;
  /** Ordered by start; one more than the limit when there are later ones. */
  readonly events: readonly ListedEvent[];
  readonly now: Date;
  readonly query: AgendaQuery;
  readonly limit: number;
}

/** The page of the agenda: events by month, running ones first. */
export async function agendaPage({ tenant, settings, venue, events, now, query, limit }: Agenda): Promise<string> {
  const language = currentLanguage();
  const words = { ...pageWords[language], ...networkWords[language] };
  const { timeZone } = tenant;
  const { shown, next, isTorn } = wholeDays(events, limit, timeZone);
  // Events of a day that do not fit on one page are not shown, because the links of pages contain days only.
  const nextPage = next && agendaHref('/', query, { after: isTorn ? dayAfter(next) : next });
  const first = query.after ?? query.from;
  const isNarrowed = isFiltered(query, ownParameters);
  const heading = first ? words.agendaFrom(dayWords(startOfDayInZone(first, timeZone) as Date, language, timeZone)) : words.agenda;
  const tagline = descriptionText(venue.shortDescription ?? '');
  const under = (event: ListedEvent): VNode => <Tags event={event} query={query} language={language} />;
  const sections = await agendaSections({ events: shown, now, language, timeZone, under });
  const emptyLines = isNarrowed ? [words.nothing, words.nothingHint] : [words.empty, words.emptyHint];
  const hasFilters = isNarrowed || sections.length > 0;
  const main = (
    <>
      <h1>{heading}</h1>
      {hasFilters && <Filters filters={{ query, parameters: ownParameters, now, timeZone }} language={language} />}
      {sections.length > 0 ? sections : <EmptyList lines={emptyLines} />}
      <Turning toNow={query.after && agendaHref('/', query)} toLater={nextPage} language={language} />
      {venue.hasGoods && categoryHas(tenant.category, 'ticketing') && (
        <p class="subscribe">
          <a href="/shop">{words.visitShop}</a>
        </p>
      )}
      {venue.canBeFollowed && <FollowForm language={language} />}
      <Subscribe tenant={tenant} settings={settings} language={language} />
    </>
  );
  return pageDocument({
    tenant,
    language,
    title: `${tenant.name} · ${heading}`,
    main,
    venue,
    home: { tagline },
    address: agendaHref('/', query, { after: query.after }),
    // Only the unfiltered agenda is indexed by search engines.
    ...(!isNarrowed && {
      summary: { canonical: tenantUrl(settings, tenant, agendaHref('/', {}, { after: query.after })), description: excerpt(tagline, 200) },
    }),
  });
}
