import type { Language } from '#kernel';
import { english } from './words.en.js';
import type { PanelWords } from './words.en.js';
import { french } from './words.fr.js';

const WORDS: Record<Language, PanelWords> = { en: english, fr: french };

/** The panel's words in one language. */
export const panelWords = (language: Language): PanelWords => WORDS[language];

/** A text with its `{{blanks}}` filled in; not escaped. */
export function fill(text: string, blanks: Record<string, string | number>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(blanks[name] ?? whole));
}

/** What a resource says in one language. */
export interface ResourceWords {
  /** In the side bar and as the heading of the list. */
  plural: string;
  /** In headings of one record. */
  singular: string;
  properties?: Record<string, string>;
  /** Labels of enumerations: `{ status: { K: 'Valid' } }`. */
  values?: Record<string, Record<string, string>>;
  actions?: Record<string, string>;
  messages?: Record<string, string>;
}

/** Translations keep dots and colons for themselves; the pages' `wordKey` does the same. */
const asKeys = (labels: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([value, label]) => [value.replaceAll(/[.:]/g, '_'), label]));

/** A resource's words where AdminJS looks for them. */
export function toAdminWords(id: string, words: ResourceWords): Record<string, unknown> {
  const values = Object.entries(words.values ?? {}).map(([property, labels]) => [property, asKeys(labels)]);
  return {
    labels: { [id]: words.plural, singular: words.singular, ...Object.fromEntries(values) },
    properties: words.properties ?? {},
    actions: words.actions ?? {},
    messages: words.messages ?? {},
  };
}
