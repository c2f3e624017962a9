import { typeset } from './catalogue-files.js';
import { forEachLanguage, type Language, type Text } from './language.js';

/**
 * Texts that lie beside the code that they belong to, because it can be added and removed as a whole: a JSON file with the same texts in
 * every language, `{ "en": { "label": "…" }, … }`. A language that the file lacks does not compile.
 */
export function folderTexts<Name extends string>(words: Readonly<Record<Language, Readonly<Record<Name, string>>>>): Record<Name, Text> {
  const names = Object.keys(words.en) as Name[];
  return Object.fromEntries(names.map((name) => [name, forEachLanguage((language) => typeset(language, words[language][name]))])) as Record<
    Name,
    Text
  >;
}
