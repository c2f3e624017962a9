import { currentLanguage, dayWords, escapeHtml, startOfDayInZone, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { agendaSections } from '../event-lists/agenda-entries.js';
import { type Venue, descriptionText, excerpt, pageFrame, pageWords } from '#page-kit';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { subscribeHtml } from '../event-lists/event-link.js';
import { turningHtml } from '../event-lists/whole-days.js';
import { agendaHref, isFiltered, networkParameters as parameters, type AgendaQuery } from '../filters/agenda-query.js';
import { filtersHtml, tagsHtml } from '../filters/filters.html.js';
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
    under: (event) => tagsHtml(event, query, language),
  });
  const filtered = isFiltered(query, parameters);
  const [empty, hint] = filtered ? [words.nothing, words.nothingHint] : [words.empty, words.emptyHint];
  const main = [
    `<h1>${escapeHtml(heading)}</h1>`,
    `<p class="to-places"><a href="/places">${escapeHtml(words.places)}</a>` +
      `${hasForm ? ` <a href="/tenant/new/">${escapeHtml(words.createPlace)}</a>` : ''}</p>`,
    filtersHtml({ query, parameters, now, timeZone }, language),
    ...(sections.length > 0 ? sections : [`<div class="empty"><p>${escapeHtml(empty)}</p><p>${escapeHtml(hint)}</p></div>`]),
    turningHtml(query.after && agendaHref('/', query), next && agendaHref('/', query, { ...next }), language),
    subscribeHtml(tenant, settings, language),
  ];
  return pageFrame({
    tenant,
    language,
    title: `${tenant.name} · ${heading}`,
    main: main.join('\n'),
    venue,
    home: { tagline },
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
