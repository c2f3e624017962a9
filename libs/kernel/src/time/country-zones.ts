import { databaseNow } from './database-clock.js';
import { partsInZone } from './zoned-time.js';

/**
 * The time zones of a country by their IANA names, one where the clocks are the same everywhere; none where nobody lives, or of a country
 * that is not known.
 * @param country ISO 3166-1 alpha-2
 */
export function zonesOfCountry(country: string): readonly string[] {
  const zones = namesOf(country);
  if (new Set(zones.map(clockOf)).size !== 1) return zones;
  // America/Buenos_Aires before America/Argentina/Salta.
  return zones.toSorted((one, other) => one.split('/').length - other.split('/').length).slice(0, 1);
}

/** Whether a zone is one of a country, or shows the time of its only one. One of several may show the time of elsewhere by chance. */
export function isZoneOfCountry(zone: string, country: string): boolean {
  const [only, ...others] = zonesOfCountry(country);
  return namesOf(country).includes(zone) || (only !== undefined && others.length === 0 && clockOf(only) === clockOf(zone));
}

/** Programs of Node 20 have the property, later ones the method. */
type CountryLocale = Intl.Locale & { readonly timeZones?: readonly string[]; getTimeZones?(): readonly string[] | undefined };

function namesOf(country: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(country)) return [];
  const locale: CountryLocale = new Intl.Locale(`und-${country}`);
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** The offsets of a zone in the seasons of this year. */
function clockOf(zone: string): string {
  const year = databaseNow().getUTCFullYear();
  return [0, 3, 6, 9].map((month) => partsInZone(new Date(Date.UTC(year, month, 15)), zone).offset).join(' ');
}
