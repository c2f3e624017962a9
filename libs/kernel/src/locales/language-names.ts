import { forEachLanguage, localeOf, type Language, type Text } from './language.js';

/** The names of all languages in one of them, with an upper-case first letter: `{ en: 'Anglais', fr: 'Français' }`. */
export function languageNames(language: Language): Text {
  const names = new Intl.DisplayNames(localeOf(language), { type: 'language' });
  return forEachLanguage((code) => {
    const name = names.of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(localeOf(language)) + name.slice(1);
  });
}
