import { isZoneOfCountry, RefusedInput, zonesOfCountry } from '#kernel';
import { texts } from '../locales/places.texts.js';

/**
 * The time zone of a place that leaves it to its country.
 * @param present that of the place; it stays where it fits, and where nothing is known of the country
 * @param isGuessed nobody chose the present one: of several, one must be chosen
 * @throws RefusedInput on timeZone where the country has several
 */
export function zoneOfPlace(country: string, present: string, isGuessed = false): string {
  const [only, ...others] = zonesOfCountry(country);
  if (only === undefined || (!isGuessed && isZoneOfCountry(present, country))) return present;
  if (others.length === 0) return only;
  throw new RefusedInput('timeZone', texts.localized('placeZone.several'));
}
