import type { Font, GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';

/** Words of each font whose layout is kept. */
const rememberedWords = 1000;

/**
 * Wraps a parsed font so that it keeps the layout of words across documents, because layout takes most of the time of a document. Words
 * such as the venue's name and the name of the event are equal in all tickets of an event.
 */
export function shapedFont(parsed: Font): Font {
  // fontkit keeps each glyph with the characters it was first used for, which would be wrong in text that is searched, copied or read
  // aloud when another word uses the glyph for other characters. Therefore each word is laid out with no known glyphs.
  const layouter = Object.create(parsed) as Font;
  const runs = new LRUCache<string, GlyphRun>({ max: rememberedWords });
  const layout = (text: string, ...options: unknown[]): GlyphRun => {
    Object.assign(layouter, { _glyphs: {} });
    if (options.some((option) => option !== undefined)) return layouter.layout(text, ...(options as [string[]]));
    const known = runs.get(text) ?? layouter.layout(text);
    runs.set(text, known);
    // pdfkit scales the positions in place.
    return Object.create(known, { positions: { value: known.positions.map((position) => ({ ...position })) } }) as GlyphRun;
  };
  return Object.create(parsed, {
    layout: { value: layout },
    // A subset does not use the characters of glyphs, so it may use all glyphs that were ever read.
    createSubset: { value: () => parsed.createSubset() },
  }) as Font;
}
