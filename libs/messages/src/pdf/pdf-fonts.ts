import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { cjkFonts } from './cjk-fonts.js';

/** A font of a document. Parsed fonts are cached, because parsing costs more than drawing a page. */
export interface PdfFont {
  readonly id: string;
  readonly font: Font;
}

export type FontWeight = 'regular' | 'bold';

/** Fonts to try for each character, best first. */
export type FontChain = Readonly<Record<FontWeight, readonly [PdfFont, ...PdfFont[]]>>;

const { resolve } = createRequire(import.meta.url);
/** DejaVu contains Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and many symbols in one file. */
const faces = { regular: 'DejaVuSansCondensed', bold: 'DejaVuSansCondensed-Bold' } as const;
const baseFonts = new Map<FontWeight, Promise<PdfFont>>();

/**
 * Loads the fonts that a document needs. Fonts for Chinese, Japanese and Korean are read only when the text has such characters.
 * @param text the whole text of the document in each weight
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
 * Clears fontkit's glyph cache. It stores each glyph with the characters it was first used for; in another document that uses the glyph for
 * other characters, text could not be searched, copied or read aloud.
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
  // After a read error, the next document tries again.
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
