import type { PostalAddress } from '../entities/postal-address.entity.js';

/** What is known of a place that a map can show. */
export type PlaceOnMap = Partial<
  Pick<PostalAddress, 'name' | 'streetAddress' | 'postalCode' | 'addressLocality' | 'addressCountry' | 'latitude' | 'longitude'>
>;

/**
 * The address of a map of OpenStreetMap that shows a place: its coordinates, or else a search for street and town. The name is searched
 * only where nothing else is known, because a map that does not know it finds nothing.
 * @returns undefined when nothing is known of the place
 */
export function mapAddress(place: PlaceOnMap | null): string | undefined {
  const { name, streetAddress, postalCode, addressLocality, addressCountry, latitude = null, longitude = null } = place ?? {};
  if (latitude !== null && longitude !== null) {
    return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  }
  const town = [postalCode, addressLocality].filter(Boolean).join(' ').trim();
  const known = [streetAddress?.trim(), town].filter(Boolean);
  const words = [...(known.length > 0 ? known : [name?.trim()]), addressCountry].filter(Boolean);
  if (known.length === 0 && !name?.trim()) return undefined;
  return `https://www.openstreetmap.org/search?${String(new URLSearchParams({ query: words.join(', ') }))}`;
}
