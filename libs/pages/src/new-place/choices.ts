import { languages, zonesOfCountry, type Language } from '#kernel';
import { isISO31661Alpha2 } from 'class-validator';
import type { Choice } from '#page-kit';
import { isTimeZone } from '#tenancy';
import { newPlaceWords } from './new-place.words.js';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => isISO31661Alpha2(code));
const namedCountries = new Map<Language, readonly Choice[]>();
const choiceOf = (zone: string): Choice => [zone, zone.replaceAll('_', ' ')];
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map(choiceOf);

/** Countries by ISO 3166 alpha-2, sorted by name. */
export function countryChoices(language: Language): readonly Choice[] {
  const known = namedCountries.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const order = new Intl.Collator(language);
  const named = codes.map((code): Choice => [code, names.of(code) ?? code]).toSorted(([, one], [, other]) => order.compare(one, other));
  namedCountries.set(language, named);
  return named;
}

/** Time zones by their IANA names: none, which means that of the country, those of this country where it has several, and all others. */
export function zoneChoices(language: Language, present: string, country: string): readonly Choice[] {
  const first = new Set(zonesOfCountry(country));
  if (isTimeZone(present) && !zones.some(([zone]) => zone === present)) first.add(present);
  return [['', newPlaceWords[language].settings.ofCountry], ...[...first].map(choiceOf), ...zones.filter(([zone]) => !first.has(zone))];
}

/** Languages, each named in its own language. */
export function languageChoices(): readonly Choice[] {
  return languages.map((language) => [language, new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language]);
}
