import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';
import { cjkFonts, loadedCjkFonts } from './cjk-fonts.js';
import { shapedFont } from './shaped-font.js';

/** A parsed font. Fonts are kept for all documents of a thread, because parsing costs more than drawing a page. */
export interface PdfFont {
  readonly id: string;
  readonly font: Font;
}

export type FontWeight = 'regular' | 'bold';

/** Fonts to try for each character, best first. Documents without rare characters have the same chain. */
export type FontChain = Readonly<Record<FontWeight, readonly [PdfFont, ...PdfFont[]]>>;

const { resolve } = createRequire(import.meta.url);
/** DejaVu contains Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and many symbols in one file. */
const faces = { regular: 'DejaVuSansCondensed', bold: 'DejaVuSansCondensed-Bold' } as const;
/** Latin, phonetic, Greek and Cyrillic letters with their marks, punctuation, currencies, arrows, mathematical and geometric signs. */
const usualPoints = [
  [0x20, 0x7e],
  [0xa0, 0x52f],
  [0x1e00, 0x1fff],
  [0x2010, 0x206f],
  [0x20a0, 0x20cf],
  [0x2100, 0x22ff],
  [0x25a0, 0x25ff],
] as const;
const usualCharacters = usualPoints
  .map(([first, last]) => String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index)))
  .join('');
/** DejaVu has no character of these blocks: Hangul, ideographs, kana, full-width forms. */
const notInDejaVu = /^[\u1100-\u11FF\u3000-\uA4CF\uAC00-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF\u{20000}-\u{3FFFF}]$/u;
/** By name: the usual characters of a face, or all. */
const fonts = new Map<string, Promise<PdfFont>>();
let usualChain: FontChain | undefined;

/**
 * Loads the fonts that a document needs. Most documents need the usual characters of DejaVu only; Arabic, Hebrew and rarer scripts need all
 * of it, and Chinese, Japanese and Korean need further fonts.
 * @param text the whole text of the document in each weight
 */
export async function loadFonts(text: Readonly<Record<FontWeight, string>>): Promise<FontChain> {
  const hint = text.regular + text.bold;
  const [regular, bold] = [await chainOf('regular', text.regular, hint), await chainOf('bold', text.bold, hint)];
  if (regular.length > 1 || bold.length > 1) return { regular, bold };
  return (usualChain ??= { regular, bold });
}

/** The fonts that this thread has read and still keeps. */
export function loadedFonts(): string[] {
  return [...fonts.keys(), ...loadedCjkFonts()];
}

/** Whether a font has a glyph for each character of a text. */
export function hasGlyphs({ font }: PdfFont, text: string): boolean {
  return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) as number));
}

async function chainOf(weight: FontWeight, text: string, hint: string): Promise<[PdfFont, ...PdfFont[]]> {
  const chain: [PdfFont, ...PdfFont[]] = [await dejaVu(weight, 'usual')];
  const rare = missing([...new Set(text.normalize('NFC'))], chain[0]);
  if (rare.some((character) => !notInDejaVu.test(character))) chain.push(await dejaVu(weight, 'all'));
  const others = missing(rare, chain.at(-1) as PdfFont).map((character) => character.codePointAt(0) as number);
  return [...chain, ...(await cjkFonts(new Set(others), hint, weight))];
}

function dejaVu(weight: FontWeight, characters: 'usual' | 'all'): Promise<PdfFont> {
  const id = characters === 'usual' ? faces[weight] : `${faces[weight]} all`;
  const known = fonts.get(id) ?? readDejaVu(id, weight, characters);
  fonts.set(id, known);
  // After a read error, the next document tries again.
  known.catch(() => fonts.delete(id));
  return known;
}

/** Without the instructions for screens of low resolution, which would be copied to each document. */
async function readDejaVu(id: string, weight: FontWeight, characters: 'usual' | 'all'): Promise<PdfFont> {
  const file = await readFile(resolve(`dejavu-fonts-ttf/ttf/${faces[weight]}.ttf`));
  const options = { targetFormat: 'truetype', noHinting: true } as const;
  const font = create(
    await (characters === 'usual'
      ? subsetFont(file, usualCharacters, options)
      : subsetFont(file, undefined, { ...options, keepAllGlyphs: true })),
  );
  if ('fonts' in font) throw new TypeError('a collection of fonts is not a font');
  return { id, font: shapedFont(font) };
}

function missing(characters: readonly string[], font: PdfFont): string[] {
  return characters.filter((character) => !hasGlyphs(font, character));
}
