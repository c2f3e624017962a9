import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInstance, type i18n } from 'i18next';
import { factsOf, fallbackLanguage, languages, localeOf, type Language } from './language.js';

/** A text, a list of texts, or texts by name. */
export type CatalogueNode = string | readonly string[] | { readonly [name: string]: CatalogueNode };

/** The folder `locales` beside package.json. Sources and compiled program lie at different depths below it. */
export const localesFolder = ((): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'locales');
})();

type Catalogues = Readonly<Record<string, CatalogueNode>>;

/** Non-breaking spaces before signs, inside of quotation marks, and in times: `à 20 h 30`. */
const spaced = (text: string): string =>
  text.replace(/ (?=[:;?!»](?!\w))|(?<=«) |(?<=\{hour\}) (?=h)|(?<=\{hour\} h) |(?<=à) (?=\{(?:start|end|time)\})/g, '\u00a0');

/** A text as the typography of its language has it. */
export const typeset = (language: Language, text: string): string => (factsOf(language).spacedPunctuation ? spaced(text) : text);

function read(language: Language): Catalogues {
  const folder = join(localesFolder, language);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  const parse = (json: string): CatalogueNode =>
    JSON.parse(json, (_name, value: unknown) => (typeof value === 'string' ? typeset(language, value) : value)) as CatalogueNode;
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.json'.length), parse(readFileSync(join(folder, file), 'utf8'))]));
}

const isGroup = (node: CatalogueNode | undefined): node is Readonly<Record<string, CatalogueNode>> =>
  typeof node === 'object' && !Array.isArray(node);

/** The texts of a language; where one is missing, that of the fallback language. */
function completed(given: CatalogueNode | undefined, fallback: CatalogueNode): CatalogueNode {
  if (!isGroup(fallback)) return given ?? fallback;
  const texts = isGroup(given) ? given : {};
  const missing = Object.entries(fallback).map(([name, node]) => [name, completed(texts[name], node)]);
  return Object.fromEntries([...Object.entries(texts), ...missing]) as CatalogueNode;
}

/** Rare plural forms, such as that of a million in French, are `_other` where the catalogue does not write them. */
function withAllForms(node: CatalogueNode, forms: readonly string[]): CatalogueNode {
  if (!isGroup(node)) return node;
  const entries = Object.entries(node).flatMap(([name, value]): [string, CatalogueNode][] => {
    const base = name.endsWith('_other') ? name.slice(0, -'_other'.length) : undefined;
    const absent = base === undefined ? [] : forms.filter((form) => !Object.hasOwn(node, `${base}_${form}`));
    return [[name, withAllForms(value, forms)], ...absent.map((form): [string, CatalogueNode] => [`${base}_${form}`, value])];
  });
  return Object.fromEntries(entries);
}

const original = read(fallbackLanguage);

/** Every catalogue of every language, read once at the start: `locales/<language>/<lib>.json`. `{name}` marks a parameter. */
export const catalogueFiles: i18n = createInstance({
  initAsync: false,
  supportedLngs: [...languages],
  fallbackLng: fallbackLanguage,
  ns: Object.keys(original),
  interpolation: { prefix: '{', suffix: '}', escapeValue: false, skipOnVariables: true },
  // A placeholder without a value does not change, because problem texts get their values later.
  missingInterpolationHandler: (_text: string, match: RegExpExecArray) => match[0],
  resources: Object.fromEntries(
    languages.map((language) => {
      const forms = new Intl.PluralRules(localeOf(language)).resolvedOptions().pluralCategories;
      const whole = completed(language === fallbackLanguage ? original : read(language), original);
      return [language, withAllForms(whole, forms) as Record<string, Record<string, CatalogueNode>>];
    }),
  ),
});
void catalogueFiles.init();
