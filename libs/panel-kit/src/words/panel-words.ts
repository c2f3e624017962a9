import type { Language } from '#kernel';
import { texts } from '../locales/panel-kit.texts.js';

const words = texts.perLanguage('adminjs', ({ words: panel }) => panel);

/** The panel's words, by AdminJS's groups. */
export type PanelWords = (typeof words)['en'];

/** The panel's words in one language. */
export const panelWords = (language: Language): PanelWords => words[language];

/** A text with its `{blanks}` filled in; not escaped. */
export function fill(text: string, blanks: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(blanks[name] ?? whole));
}

/** Texts in AdminJS's form, whose parameters have two braces. */
export function toAdminTexts<Tree>(tree: Tree): Tree {
  return JSON.parse(JSON.stringify(tree).replaceAll(/(?<!\{)\{(\w+)\}(?!\})/g, '{{$1}}')) as Tree;
}

/** Texts of a resource in one language. */
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
