import { languages, type Language } from '#kernel';
import { isISO31661Alpha2 } from 'class-validator';
import type { Choice } from '#page-kit';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => isISO31661Alpha2(code));
const namedCountries = new Map<Language, readonly Choice[]>();
const zones: readonly Choice[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => [
  zone,
  zone.replaceAll('_', ' '),
]);

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

/** Time zones by their IANA names. @param present comes first, and is always included */
export function zoneChoices(present: string): readonly Choice[] {
  return zones.some(([zone]) => zone === present) ? zones : [[present, present], ...zones];
}

/** Languages, each named in its own language. */
export function languageChoices(): readonly Choice[] {
  return languages.map((language) => [language, new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language]);
}
