import { currentLanguage, mapInSlices, type Language, type Settings } from '#kernel';
import type { NetworkPlace } from '#places';
import { categories, tenantUrl, type TenantIdentity } from '#tenancy';
import { htmlOf, SafeHtml } from '#http';
import { type Venue, pageDocument, pageWords, WayBack } from '#page-kit';
import type { VNode } from 'preact';
import { EmptyList, Facts } from '../event-lists/agenda-parts.js';
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
  // In slices and before the page, because there may be thousands.
  const items = await mapInSlices(places, (place) => htmlOf(<Place place={place} settings={settings} language={language} />));
  const main = (
    <>
      <WayBack path="/" label={pageWords[language].backToAgenda} />
      <h1>{words.places}</h1>
      <p>{words.placesLead}</p>
      {items.length > 0 ? (
        <ul class="places">
          <SafeHtml html={items.join('\n')} />
        </ul>
      ) : (
        <EmptyList lines={[words.noPlaces]} />
      )}
      {hasForm && (
        <p class="after-list">
          <a class="button" href="/tenant/new/">
            {words.createPlace}
          </a>
        </p>
      )}
    </>
  );
  return pageDocument({
    sheet: 'home',
    tenant,
    language,
    title: `${words.places} · ${tenant.name}`,
    main,
    venue,
    address: '/places',
    summary: { canonical: tenantUrl(settings, tenant, '/places'), description: words.placesLead },
  });
}

interface PlaceProps {
  readonly place: NetworkPlace;
  readonly settings: Settings;
  readonly language: Language;
}

function Place({ place: { name, slug, host, category, coming }, settings, language }: PlaceProps): VNode {
  const words = networkWords[language];
  const events = coming === 0 ? words.noEvents : <a href={agendaHref('/', {}, { place: slug })}>{words.comingEvents(coming)}</a>;
  return (
    <li>
      <h2 dir="auto">
        <a href={tenantUrl(settings, { host }, '/')} rel="external">
          {name}
        </a>
      </h2>
      <Facts facts={[categories[category].label[language], events]} />
    </li>
  );
}
