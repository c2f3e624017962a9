import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { LRUCache } from 'lru-cache';
import subsetFont from 'subset-font';
import { limits } from '../limits.js';
import { shapedFont } from './shaped-font.js';

/**
 * Noto Sans for Chinese (simplified and traditional), Japanese and Korean. Each package contains one variable font split into about a
 * hundred small files; `unicode.json` lists the characters of each file.
 */
type Family = 'sc' | 'tc' | 'jp' | 'kr';

const { resolve } = createRequire(import.meta.url);
const weights = { regular: 400, bold: 700 } as const;

/** Start of Hangul. Characters below it are not looked up in these families. */
const firstPoint = 0x1100;
/** Maximum font files per document. Normal texts need about 20; the limit stops hostile texts from loading all files. */
const mostFiles = 60;
const parsedFonts = new LRUCache<string, Promise<Font>>({ max: limits.fonts.kept.most });
/** The file of each code point, by family. */
const tables = new Map<Family, Promise<ReadonlyMap<number, string>>>();

/**
 * Loads the fonts for characters that the base font lacks.
 * @param points code points
 * @param hint the whole text of the document, which determines the language of its ideographs
 */
export async function cjkFonts(
  points: ReadonlySet<number>,
  hint: string,
  weight: keyof typeof weights,
): Promise<{ readonly id: string; readonly font: Font }[]> {
  let left = [...points].filter((point) => point >= firstPoint);
  const fonts: { readonly id: string; readonly font: Font }[] = [];
  for (const family of left.length > 0 ? familiesFor(hint) : []) {
    const table = await tableOf(family);
    const files = new Set(left.map((point) => table.get(point)).filter((file) => file !== undefined));
    for (const file of [...files].slice(0, mostFiles - fonts.length))
      fonts.push({ id: `${file} ${weight}`, font: await instance(file, weight) });
    // A file may lack characters that its table lists.
    left = left.filter((point) => !fonts.some(({ font }) => font.hasGlyphForCodePoint(point)));
    if (left.length === 0) break;
  }
  return fonts;
}

/** The files that this thread has read and still keeps, with their weights. */
export function loadedCjkFonts(): string[] {
  return [...parsedFonts.keys()];
}

/** The order of families for a text, because each country draws the same ideograph differently. */
function familiesFor(text: string): Family[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return ['jp', 'sc', 'tc', 'kr'];
  if (/\p{Script=Hangul}/u.test(text)) return ['kr', 'sc', 'tc', 'jp'];
  if (/\p{Script=Bopomofo}/u.test(text)) return ['tc', 'sc', 'jp', 'kr'];
  return ['sc', 'tc', 'jp', 'kr'];
}

function tableOf(family: Family): Promise<ReadonlyMap<number, string>> {
  const known = tables.get(family) ?? readTable(family);
  tables.set(family, known);
  // After a read error, the next document tries again.
  known.catch(() => tables.delete(family));
  return known;
}

/** Reads the table of a family. Its values are ranges such as `U+4e00-4e05,U+4e07`. */
async function readTable(family: Family): Promise<ReadonlyMap<number, string>> {
  const packageName = `@fontsource-variable/noto-sans-${family}`;
  const ranges = JSON.parse(await readFile(resolve(`${packageName}/unicode.json`), 'utf8')) as Record<string, string>;
  const table = new Map<number, string>();
  for (const [key, value] of Object.entries(ranges)) {
    const file = `${packageName}/files/noto-sans-${family}-${key.replace(/[[\]]/g, '')}-wght-normal.woff2`;
    for (const range of value.split(',')) {
      const [from = 0, to = from] = range
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      for (let point = from; point <= to; point += 1) table.set(point, file);
    }
  }
  return table;
}

/** One weight of a variable font as TrueType, because fontkit can embed subsets of TrueType fonts. */
function instance(file: string, weight: keyof typeof weights): Promise<Font> {
  const key = `${file} ${weight}`;
  const known = parsedFonts.get(key) ?? readInstance(file, weights[weight]);
  parsedFonts.set(key, known);
  known.catch(() => parsedFonts.delete(key));
  return known;
}

async function readInstance(file: string, wght: number): Promise<Font> {
  const packed = await readFile(resolve(file));
  const options = { targetFormat: 'truetype', variationAxes: { wght }, keepAllGlyphs: true } as const;
  const font = create(await subsetFont(packed, undefined, options));
  if ('fonts' in font) throw new TypeError(`${file} is a collection of fonts`);
  return shapedFont(font);
}
