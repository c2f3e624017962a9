/** The languages that are complete. English is the one of the specification's messages and the last resort. */
export type Language = 'en' | 'fr';
export const languages: readonly Language[] = ['en', 'fr'];

/** One text in every language: a sentence, or a function of what it speaks about. */
export type Text<Parameters = void> = Readonly<
  Record<Language, Parameters extends void ? string : (parameters: Parameters) => string>
>;

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language);
}
