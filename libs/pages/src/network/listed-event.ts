import type { Settings } from '#kernel';
import type { GatheredEvent } from '#places';
import { tenantUrl } from '#tenancy';
import type { ListedEvent } from '../public-events/public-events.service.js';

/** Converts a network's event to the form that the pages list. */
export function toListedEvent(event: GatheredEvent, settings: Settings): ListedEvent {
  const { sender, placeName, streetAddress, locality, region, postalCode, country, latitude, longitude, ...rest } = event;
  const { id, name, slug, timeZone } = sender;
  return {
    ...rest,
    sender: { id, name, slug, timeZone, home: tenantUrl(settings, sender, '') },
    postalAddress: [country, placeName, streetAddress, locality].every((part) => part === null)
      ? null
      : {
          name: placeName,
          streetAddress: streetAddress ?? '',
          addressLocality: locality ?? '',
          addressRegion: region,
          postalCode: postalCode ?? '',
          addressCountry: country,
          latitude,
          longitude,
        },
  };
}
