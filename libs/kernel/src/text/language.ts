/** The languages with complete texts. English is the language of the specification's messages and the fallback. */
export type Language = 'en' | 'fr';
export const languages: readonly Language[] = ['en', 'fr'];

/** One text in every language: a sentence, or a function of its parameters. */
export type Text<Parameters = void> = Readonly<Record<Language, Parameters extends void ? string : (parameters: Parameters) => string>>;

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language);
}
