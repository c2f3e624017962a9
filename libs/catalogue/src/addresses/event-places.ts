import { isVisible, refuseUnfitTexts } from '#kernel';
import type { Tx } from '#tenancy';
import { PostalAddress } from '../entities/postal-address.entity.js';
import { plainText } from '../values/event-text.js';
import { addressTexts } from '../values/text-limits.js';
import { advisoryLock } from '../values/turns.js';

/** Where an event takes place, as far as it is known: at least a name, a street or a town. */
export type PlaceOfEvent = Partial<
  Pick<
    PostalAddress,
    'name' | 'streetAddress' | 'addressLocality' | 'addressRegion' | 'postalCode' | 'addressCountry' | 'latitude' | 'longitude'
  >
>;

/** Whether so much is known of a place that people find it. */
export function isPlaceKnown({ name, streetAddress, addressLocality }: PlaceOfEvent): boolean {
  return [name, streetAddress, addressLocality].some((text) => isVisible(plainText(text ?? '')));
}

/**
 * Finds the address that agrees with all that is known of a place, the main one first, or creates it. Upper and lower case are the same.
 * The lock keeps two events at a time from creating the same place twice.
 * @returns the id of the address
 */
export async function addressOfPlace(tx: Tx, given: PlaceOfEvent): Promise<string> {
  refuseUnfitTexts(given, addressTexts);
  const place = named(given);
  const { name, streetAddress, addressLocality, postalCode, addressCountry } = place;
  await advisoryLock(tx, 'places of events');
  const conditions = ['name', 'street_address', 'address_locality', 'postal_code', 'address_country'].map(
    (column, index) => `($${index + 1}::text is null or lower(${column}) = lower($${index + 1}))`,
  );
  const [found] = await tx.query<{ id: string }[]>(
    `select id from postal_address where ${conditions.join(' and ')} order by is_main desc, id limit 1 for key share`,
    [name, streetAddress, addressLocality, postalCode, addressCountry],
  );
  if (found) return found.id;
  const { identifiers } = await tx.insert(PostalAddress, place);
  return (identifiers[0] as { id: string }).id;
}

/** Texts without markup, null for unknown ones. A place without street or town gets the other one as its name, unless it has one. */
function named({ latitude = null, longitude = null, ...texts }: PlaceOfEvent): Required<PlaceOfEvent> {
  const text = (field: keyof typeof texts): string | null => plainText(texts[field] ?? '') || null;
  const [name, streetAddress, addressLocality] = [text('name'), text('streetAddress'), text('addressLocality')];
  const isWhole = streetAddress !== null && addressLocality !== null;
  const called =
    name ??
    (isWhole
      ? null
      : Array.from(streetAddress ?? addressLocality ?? '')
          .slice(0, addressTexts.name)
          .join(''));
  return {
    name: called,
    streetAddress: name === null && !isWhole ? null : streetAddress,
    addressLocality,
    addressRegion: text('addressRegion'),
    postalCode: text('postalCode'),
    addressCountry: text('addressCountry'),
    latitude,
    longitude,
  };
}
