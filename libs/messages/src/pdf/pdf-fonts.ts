import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { cjkFonts } from './cjk-fonts.js';

/** A font of a document. The parsed font is kept for the life of the process: parsing it costs more than drawing a page. */
export interface PdfFont {
  readonly id: string;
  readonly font: Font;
}

export type FontWeight = 'regular' | 'bold';

/** Fonts to try for each character, best first. */
export type FontChain = Readonly<Record<FontWeight, readonly [PdfFont, ...PdfFont[]]>>;

const { resolve } = createRequire(import.meta.url);
/** DejaVu has Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and many signs in one file. */
const faces = { regular: 'DejaVuSansCondensed', bold: 'DejaVuSansCondensed-Bold' } as const;
const baseFonts = new Map<FontWeight, Promise<PdfFont>>();

/**
 * The fonts that a document needs for its texts. Fonts for Chinese, Japanese and Korean are read only when a text has such characters.
 * @param text all that the document says in each weight
 */
export async function loadFonts(text: Readonly<Record<FontWeight, string>>): Promise<FontChain> {
  const hint = text.regular + text.bold;
  const chain = async (weight: FontWeight): Promise<[PdfFont, ...PdfFont[]]> => {
    const base = await baseFont(weight);
    const fonts: [PdfFont, ...PdfFont[]] = [base, ...(await cjkFonts(missing(text[weight], base), hint, weight))];
    fonts.forEach(forgetGlyphs);
    return fonts;
  };
  return { regular: await chain('regular'), bold: await chain('bold') };
}

/**
 * fontkit remembers a glyph with the characters that it first stood for. Another document may use the same glyph for others, and its text
 * could then not be searched, copied or read aloud.
 */
function forgetGlyphs({ font }: PdfFont): void {
  Object.assign(font, { _glyphs: {} });
}

/** Whether a font has a glyph for each character of a text. */
export function hasGlyphs({ font }: PdfFont, text: string): boolean {
  return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) as number));
}

function baseFont(weight: FontWeight): Promise<PdfFont> {
  const known = baseFonts.get(weight) ?? readBaseFont(weight);
  baseFonts.set(weight, known);
  // A file that could not be read is tried again by the next document.
  known.catch(() => baseFonts.delete(weight));
  return known;
}

async function readBaseFont(weight: FontWeight): Promise<PdfFont> {
  const font = create(await readFile(resolve(`dejavu-fonts-ttf/ttf/${faces[weight]}.ttf`)));
  if ('fonts' in font) throw new TypeError('a collection of fonts is not a font');
  return { id: faces[weight], font };
}

function missing(text: string, { font }: PdfFont): Set<number> {
  const points = new Set([...text.normalize('NFC')].map((character) => character.codePointAt(0) as number));
  return new Set([...points].filter((point) => !font.hasGlyphForCodePoint(point)));
}
