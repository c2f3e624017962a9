interface LanguageFacts {
  /** The language's name in itself. */
  readonly name: string;
  /** BCP 47 tag for dates, numbers and money. */
  readonly locale: string;
  /** The time zone of most of its readers. */
  readonly timeZone: string;
  /** The country of most of its readers (ISO 3166-1). */
  readonly country: string;
  /** Digits of the hour in a time: `09:30` (the default) or `9 h 30`. */
  readonly hour?: 'numeric';
  /** The first day of a month, where it is not its number. */
  readonly firstDay?: string;
  /** No comma follows the weekday in a date. */
  readonly plainWeekday?: true;
  /** The article of the hours, which differs before the times from 1:00 to 1:59: `a las 2:00`, `a la 1:00`. */
  readonly hourArticle?: { readonly usual: string; readonly atOne: string };
  /** A non-breaking space precedes double punctuation marks and stands inside quotation marks. Catalogues contain ordinary spaces there. */
  readonly spacedPunctuation?: true;
}

/** The languages with complete texts, by code (ISO 639-1). A new language is one line here and a folder in `locales`. */
export const languageFacts = {
  en: { name: 'English', locale: 'en-GB', timeZone: 'Europe/London', country: 'GB', plainWeekday: true },
  fr: {
    name: 'Français',
    locale: 'fr-FR',
    timeZone: 'Europe/Paris',
    country: 'FR',
    hour: 'numeric',
    firstDay: '1er',
    plainWeekday: true,
    spacedPunctuation: true,
  },
  de: { name: 'Deutsch', locale: 'de-DE', timeZone: 'Europe/Berlin', country: 'DE' },
  es: { name: 'Español', locale: 'es-ES', timeZone: 'Europe/Madrid', country: 'ES', hourArticle: { usual: 'las', atOne: 'la' } },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

export type Language = keyof typeof languageFacts;

/** The language of the specification's messages and the fallback. */
export const fallbackLanguage: Language = 'en';
export const languages = Object.keys(languageFacts) as readonly Language[];

/** One text in every language. */
export type Text = Readonly<Record<Language, string>>;

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languageFacts, value);
}

/** One value for each language. */
export function forEachLanguage<Value>(value: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(languages.map((language) => [language, value(language)])) as Record<Language, Value>;
}

/** Differences between languages other than texts. */
export function factsOf(language: Language): LanguageFacts {
  return languageFacts[language];
}

/** BCP 47 tag of a language for `Intl`: `fr-FR`. */
export function localeOf(language: Language): string {
  return languageFacts[language].locale;
}
