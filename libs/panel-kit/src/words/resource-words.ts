import { forEachLanguage, type Language, type Text } from '#kernel';
import { categories } from '#tenancy';
import type { ResourceWords } from './panel-words.js';

/** The labels of an enumeration in one language. */
export const labels = (texts: Readonly<Record<string, Text>>, language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([value, text]) => [value, text[language]]));

/** The labels of the categories of tenants in one language. */
export const categoryLabels = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(categories).map(([code, { label }]) => [code, label[language]]));

/** A resource's words in every language. */
export const inEachLanguage = (words: (language: Language) => ResourceWords): Record<Language, ResourceWords> => forEachLanguage(words);
