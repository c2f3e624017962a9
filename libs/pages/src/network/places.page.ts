import { currentLanguage, escapeHtml, mapInSlices, type Settings } from '#kernel';
import type { NetworkPlace } from '#places';
import { categories, tenantUrl, type TenantIdentity } from '#tenancy';
import { type Venue, pageFrame, pageWords } from '#page-kit';
import { agendaHref } from '../filters/agenda-query.js';
import { networkWords } from '../filters/network.words.js';

export interface PlacesPage {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly venue: Venue;
  readonly places: readonly NetworkPlace[];
  /** Whether everybody may create a place here. */
  readonly hasForm: boolean;
}

/** The places that send events to the agenda of a network, in alphabetical order. */
export async function placesPage({ tenant, settings, venue, places, hasForm }: PlacesPage): Promise<string> {
  const language = currentLanguage();
  const words = networkWords[language];
  const item = ({ name, slug, host, category, coming }: NetworkPlace): string => {
    const events =
      coming === 0
        ? escapeHtml(words.noEvents)
        : `<a href="${escapeHtml(agendaHref('/', {}, { place: slug }))}">${escapeHtml(words.comingEvents(coming))}</a>`;
    return `<li><h2 dir="auto"><a href="${escapeHtml(tenantUrl(settings, { host }, '/'))}" rel="external">${escapeHtml(name)}</a></h2>
<p class="facts">${escapeHtml(categories[category].label[language])} <span aria-hidden="true">·</span> ${events}</p></li>`;
  };
  const list =
    places.length > 0
      ? `<ul class="places">\n${(await mapInSlices(places, item)).join('\n')}\n</ul>`
      : `<div class="empty"><p>${escapeHtml(words.noPlaces)}</p></div>`;
  return pageFrame({
    tenant,
    language,
    title: `${words.places} · ${tenant.name}`,
    main: `<p class="back"><a href="/">← ${escapeHtml(pageWords[language].backToAgenda)}</a></p>
<h1>${escapeHtml(words.places)}</h1>
<p>${escapeHtml(words.placesLead)}</p>
${list}${hasForm ? `\n<p class="after-list"><a class="button" href="/tenant/new/">${escapeHtml(words.createPlace)}</a></p>` : ''}`,
    venue,
    address: '/places',
    summary: { canonical: tenantUrl(settings, tenant, '/places'), description: words.placesLead },
  });
}
