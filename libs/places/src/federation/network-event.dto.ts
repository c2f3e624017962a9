import { eventCategories, eventSchemaTypes, imagePath } from '#catalogue';
import { isoInZone, present, type Language } from '#kernel';
import type { GatheredEvent } from './network-agenda.service.js';

type SchemaOrg = Readonly<Record<string, unknown>>;

/**
 * An event of a network's agenda as schema.org Event, with its sender as `organizer`. Times are in the sender's time zone.
 * @param home absolute URL of the sender's agenda, without the final slash
 */
export function toNetworkEvent(event: GatheredEvent, home: string, language: Language): SchemaOrg {
  const { sender, startsAt, endsAt, keywords, pictureId, isCancelled } = event;
  return present({
    '@context': 'https://schema.org',
    '@type': eventSchemaTypes[event.category],
    additionalType: eventCategories[event.category][language],
    identifier: event.id,
    name: event.name,
    url: event.url ?? event.sameAs ?? `${home}/event/${event.slug}`,
    sameAs: event.sameAs,
    startDate: isoInZone(startsAt, sender.timeZone),
    endDate: endsAt === null ? undefined : isoInZone(endsAt, sender.timeZone),
    alternateName: event.subtitle,
    disambiguatingDescription: event.shortDescription,
    eventStatus: `https://schema.org/${isCancelled ? 'EventCancelled' : 'EventScheduled'}`,
    keywords: keywords.length > 0 ? keywords : undefined,
    image: pictureId === null ? undefined : [`${home}${imagePath(pictureId, 'fhd')}`],
    organizer: { '@type': 'Organization', identifier: sender.id, name: sender.name, url: `${home}/` },
    location:
      event.country === null
        ? undefined
        : { '@type': 'Place', ...(event.placeName && { name: event.placeName }), address: toAddress(event) },
  });
}

function toAddress({ placeName, streetAddress, locality, region, postalCode, country, latitude, longitude }: GatheredEvent): SchemaOrg {
  return present({
    '@type': 'PostalAddress',
    name: placeName,
    streetAddress,
    addressLocality: locality,
    addressRegion: region,
    postalCode,
    addressCountry: country,
    geo: latitude === null || longitude === null ? undefined : { '@type': 'GeoCoordinates', latitude, longitude },
  });
}
