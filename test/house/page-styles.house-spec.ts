import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kindSheets } from '#page-kit';
import { root } from '../support/sources.js';

const source = join(root, 'libs/page-kit/src/assets/style');
const built = join(root, 'dist/pages');

/** Bytes of each built style sheet at most. What makes one longer takes its place from another rule. */
const longest: Readonly<Record<string, number>> = {
  page: 9640,
  print: 560,
  list: 1280,
  ticket: 3445,
  sale: 2070,
  home: 2830,
  event: 2270,
  order: 960,
  holder: 1290,
  shop: 460,
  form: 450,
  framed: 380,
  'type-programme': 350,
  'type-affiche': 580,
  'type-atelier': 400,
};
const longestOfAll = 26_900;
/**
 * Counted are the sheet of all pages, the longest one of a type, and those of the kind. Pages where one chooses among prices, or that show
 * tickets, need more components than others.
 */
const longestOfPages = 15_000;
const longerPages: Readonly<Partial<Record<keyof typeof kindSheets, number>>> = { event: 19_600, holder: 16_300, shop: 18_800 };

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

  it(`are at most ${longestOfPages} bytes on a page, or as many as are named for its kind`, () => {
    const kinds = Object.entries(kindSheets).map(([kind, sheets]) => [kind, sum(['page', 'type-affiche', ...sheets])] as const);
    const long = kinds.filter(([kind, length]) => length > (longerPages[kind as keyof typeof kindSheets] ?? longestOfPages));
    expect(long).toEqual([]);
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
