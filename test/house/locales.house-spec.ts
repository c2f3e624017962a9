import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fallbackLanguage, languages, localeOf, localesFolder } from '#kernel';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

type Node = string | readonly Node[] | { readonly [name: string]: Node };

/** All texts below a node, by path. */
function textsBelow(node: Node, path: string): [path: string, text: string][] {
  if (typeof node === 'string') return [[path, node]];
  return Object.entries(node).flatMap(([name, inner]) => textsBelow(inner, path === '' ? name : `${path}.${name}`));
}

const filesOf = (language: string): string[] =>
  existsSync(join(localesFolder, language)) ? readdirSync(join(localesFolder, language)).toSorted() : [];

/** The texts of a language by `<lib>:<path>`. */
const textsOf = (language: string): Map<string, string> =>
  new Map(
    filesOf(language).flatMap((file) =>
      textsBelow(JSON.parse(readFileSync(join(localesFolder, language, file), 'utf8')) as Node, '').map(
        ([path, text]): [string, string] => [`${file.slice(0, -'.json'.length)}:${path}`, text],
      ),
    ),
  );

const form = /_(?:zero|one|two|few|many|other)$/;
const withoutForm = (key: string): string => key.replace(form, '');
const all = new Map(languages.map((language) => [language, textsOf(language)]));
const english = all.get(fallbackLanguage) as Map<string, string>;

/** Names in braces, of all plural forms together. */
function parametersOf(texts: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [key, text] of texts) {
    const names = found.get(withoutForm(key)) ?? new Set();
    for (const [, name] of text.matchAll(/\{(\w+)\}/g)) names.add(name as string);
    found.set(withoutForm(key), names);
  }
  return found;
}

/** Source files of a folder without tests and comments. */
const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|jsx?)$/.test(entry.name) && !entry.name.endsWith('.spec.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .map((text) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''));

describe('the message catalogues', () => {
  it('have a folder for each language of the list, with the same files', () => {
    expect(readdirSync(localesFolder).toSorted()).toEqual([...languages].toSorted());
    for (const language of languages) expect(filesOf(language)).toEqual(filesOf(fallbackLanguage));
    expect(english.size).toBeGreaterThan(1000);
  });

  it.each(languages)('have the same keys in %s', (language) => {
    const keys = (texts: Iterable<string>): string[] => [...new Set([...texts].map(withoutForm))].toSorted();
    expect(keys((all.get(language) as Map<string, string>).keys())).toEqual(keys(english.keys()));
  });

  it.each(languages)('have the same parameters in %s', (language) => {
    const expected = parametersOf(english);
    const sorted = (names: Iterable<string> = []): string => [...names].toSorted().join(', ');
    const wrong = [...parametersOf(all.get(language) as Map<string, string>)]
      .filter(([key, names]) => sorted(names) !== sorted(expected.get(key)))
      .map(([key, names]) => `${key} has ${sorted(names)}`);
    expect(wrong).toEqual([]);
  });

  it.each(languages)('have every plural form that small numbers need in %s', (language) => {
    const rules = new Intl.PluralRules(localeOf(language));
    const needed = new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)));
    const texts = all.get(language) as Map<string, string>;
    const plurals = new Set([...english.keys()].filter((key) => key.endsWith('_other')).map(withoutForm));
    expect([...plurals].flatMap((key) => [...needed].map((one) => `${key}_${one}`)).filter((key) => !texts.has(key))).toEqual([]);
    expect([...texts.keys()].filter((key) => form.test(key) && !plurals.has(withoutForm(key)))).toEqual([]);
  });

  it.each(languages)('have no empty text in %s, and no text with two braces, which only AdminJS reads', (language) => {
    const unfit = [...(all.get(language) as Map<string, string>)].filter(([, text]) => text === '' || /\{\{|\}\}/.test(text));
    expect(unfit).toEqual([]);
  });

  it.each(languages)('write apostrophes as ’ in %s', (language) => {
    expect([...(all.get(language) as Map<string, string>)].filter(([, text]) => /\p{L}'\p{L}/u.test(text))).toEqual([]);
  });

  it('contain no unused text', () => {
    const code = [...sourcesOf('libs'), ...sourcesOf('apps/door')].join('\n');
    const words = new Set(code.match(/\w+/g));
    // `${act}Done`: names that code composes.
    const suffixes = [...new Set([...code.matchAll(/\}(\w{4,})[`.]/g)].map(([, suffix]) => suffix as string))];
    // AdminJS reads these by names of its own, also among the texts of a resource.
    const adminJs = /^panel-kit:adminjs\.(?:actions|buttons|labels|properties|messages|components\.DropZone)\./;
    const ofAdminJs = new Set(
      [...english.keys()].filter((key) => adminJs.test(key)).map((key) => withoutForm(key.split('.').at(-1) ?? '')),
    );
    const isUsed = (key: string): boolean => {
      const path = withoutForm(key.slice(key.indexOf(':') + 1));
      const [first = '', noun, reason] = path.split('.');
      // Stored codes of changes, as the panel shows them.
      if (path.startsWith('users.changes.')) return true;
      if (first === 'problems') return code.includes(`'${noun}.${reason}'`);
      const last = path.split('.').findLast((name) => !/^\d+$/.test(name)) ?? '';
      return words.has(last) || ofAdminJs.has(last) || suffixes.some((suffix) => last.endsWith(suffix));
    };
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });
});

describe('texts beside the code that they belong to', () => {
  type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;
  const files = ['libs', 'test/support'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.words.json'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );

  it.each(files)('have the same names in every language, none empty, and ’ for apostrophes: %s', (file) => {
    const words = JSON.parse(readFileSync(file, 'utf8')) as Words;
    expect(Object.keys(words).toSorted()).toEqual([...languages].toSorted());
    for (const texts of Object.values(words)) {
      expect(Object.keys(texts)).toEqual(Object.keys(words[fallbackLanguage] ?? {}));
      expect(Object.values(texts).filter((text) => text === '' || /\p{L}'\p{L}/u.test(text))).toEqual([]);
    }
  });

  it.each(files)('are all used: %s', (file) => {
    const code = sourcesOf(dirname(file).slice(root.length + 1)).join('\n');
    const names = Object.keys((JSON.parse(readFileSync(file, 'utf8')) as Words)[fallbackLanguage] ?? {});
    expect(names.filter((name) => !new RegExp(`texts\\.${name}\\b`).test(code))).toEqual([]);
  });
});

describe('the code', () => {
  const files = ['libs', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:tsx?|jsx?)$/.test(entry.name) && !entry.name.endsWith('.spec.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((path) => !path.includes('/migrations/') && !path.startsWith('libs/demo/') && !path.endsWith('/locales/language.ts')),
  );
  const codeOf = (path: string): string => readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const codes = languages.join('|');
  const withMatch = (pattern: RegExp): string[] =>
    files.flatMap((path) => [...codeOf(path).matchAll(pattern)].map(([found]) => `${path}: ${found.trim().slice(0, 80)}`));

  it('reads real sources', () => expect(files.length).toBeGreaterThan(500));

  it('contains no texts by language, because they belong into the catalogues', () => {
    // `{ en: 'Name' }`, `en: (count) => …`, `const words = { fr: {`, `{ en: first, fr: second }`
    expect(withMatch(new RegExp(`(?<=[{,(]\\s*|^\\s*)(?:${codes}): *(?:['"\`([{]|(?!string\\b)\\w+[,; }])`, 'gm'))).toEqual([]);
  });

  it('does not compare with a single language, because differences are texts or facts of the list of languages', () => {
    expect(withMatch(new RegExp(`[lL]anguage *[!=]== *'(?:${codes})'|'(?:${codes})' *[!=]== *\\w*[lL]anguage`, 'g'))).toEqual([]);
  });

  it('contains no sentence in pages and components', () => {
    const pages = (path: string): boolean => /^(?:libs\/(?:pages|panel|panel-kit|messages)|apps\/door)\//.test(path);
    const inElements = withMatch(/>[ \n]*[A-ZÀ-Ý][a-zà-ÿ’']+ [a-zà-ÿ][^<>{}$;=]*</g);
    const inAttributes = withMatch(/\b(?:aria-label|title|placeholder|alt)="[^"{$]*[A-Za-z][^"]*"/g);
    expect([...inElements, ...inAttributes].filter(pages)).toEqual([]);
  });
});
