import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kindSheets } from '#page-kit';
import { root } from '../support/sources.js';

const source = join(root, 'libs/page-kit/src/assets/style');
const built = join(root, 'dist/pages');

/** Bytes of each built style sheet at most. What makes one longer takes its place from another rule. */
const longest: Readonly<Record<string, number>> = {
  page: 7370,
  print: 540,
  list: 935,
  cards: 510,
  ticket: 2080,
  fold: 285,
  fields: 730,
  sale: 1670,
  home: 3160,
  event: 2060,
  order: 1630,
  holder: 1500,
  shop: 490,
  form: 580,
  framed: 380,
  'type-programme': 350,
  'type-affiche': 550,
  'type-atelier': 380,
};
/** All sheets above, each counted once: also those for paper and frames, and the faces of all types. */
const longestOfAll = 25_000;
/**
 * Counted are the sheet of all pages, the longest one of a type, and those of the kind. Not counted are the colours of the venue, which the
 * program writes (some 500 bytes), and the sheets for paper and frames, which a page on a screen does not use.
 */
const longestOfPages = 15_000;

const bytes = new Map(
  readdirSync(built)
    .filter((file) => file.endsWith('.css'))
    .map((file) => [file.split('.')[0] as string, readFileSync(join(built, file)).length]),
);
const sum = (sheets: readonly string[]) => sheets.reduce((total, sheet) => total + (bytes.get(sheet) ?? 0), 0);

const sources = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1));
const textOf = (file: string) => readFileSync(join(source, file), 'utf8');

describe('the style sheets of the public pages', () => {
  it('are each as short as they were', () => {
    expect([...bytes.keys()].toSorted()).toEqual(Object.keys(longest).toSorted());
    expect([...bytes].filter(([sheet, length]) => length > (longest[sheet] as number))).toEqual([]);
  });

  it(`are at most ${longestOfAll} bytes together, all rules counted once`, () => {
    expect(sum([...bytes.keys()])).toBeLessThanOrEqual(longestOfAll);
  });

  it(`are at most ${longestOfPages} bytes on a page`, () => {
    const kinds = Object.entries(kindSheets).map(([kind, sheets]) => [kind, sum(['page', 'type-affiche', ...sheets])] as const);
    expect(kinds.filter(([, length]) => length > longestOfPages)).toEqual([]);
  });

  it('have each component in exactly one of them', () => {
    const imports = sources.flatMap((file) => [...textOf(file).matchAll(/@import url\(([^)]+)\)/g)].map(([, part]) => part as string));
    expect(imports.toSorted()).toEqual(sources.filter((file) => file.includes('/')).toSorted());
  });

  it('have only logical properties, which fit languages that are written from right to left', () => {
    const physical = /(?<=[\s{;])(?:[\w-]+-(?:left|right|top|bottom)|(?:max-|min-)?(?:width|height)|left|right)(?:-[\w-]+)?:/g;
    const found = sources.flatMap((file) => (textOf(file).match(physical) ?? []).map((property) => `${file}: ${property}`));
    expect(found).toEqual([]);
  });
});
