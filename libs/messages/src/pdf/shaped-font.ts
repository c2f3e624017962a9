import type { Font, GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { limits } from '../limits.js';

/** Parts of fontkit's glyphs that its types do not declare. */
interface OutlinedGlyph {
  /** Reads the outline. A subset only needs to know of which other glyphs the glyph consists. */
  _decode(): { readonly numberOfContours: number; readonly components?: readonly unknown[] } | null;
  /** Reads its advance and bearings, unless `_metrics` has them. */
  _getMetrics(): object;
}

/**
 * Wraps a parsed font so that it keeps the layout of words across documents, because layout takes most of the time of a document. Words
 * such as the venue's name and the name of the event are equal in all tickets of an event.
 */
export function shapedFont(parsed: Font): Font {
  // fontkit keeps each glyph with the characters it was first used for, which would be wrong in text that is searched, copied or read
  // aloud when another word uses the glyph for other characters. Therefore each word is laid out with no known glyphs.
  const metrics = new Map<number, object>();
  const layouter = Object.create(parsed, {
    getGlyph: {
      value: (id: number, characters?: number[]) => {
        const glyph = parsed.getGlyph.call(layouter, id, characters) as unknown as OutlinedGlyph;
        const { _getMetrics: read } = glyph;
        const known = metrics.get(id) ?? read.call(glyph);
        metrics.set(id, known);
        return Object.assign(glyph, { _metrics: known });
      },
    },
  }) as Font;
  const runs = new LRUCache<string, { readonly run: GlyphRun; readonly advanceWidth: number }>({ max: limits.words.kept.most });
  const layout = (text: string, ...options: unknown[]): GlyphRun => {
    if (options.some((option) => option !== undefined)) return fresh(text, ...(options as [string[]]));
    let known = runs.get(text);
    if (!known) {
      const run = fresh(text);
      known = { run, advanceWidth: run.advanceWidth };
      runs.set(text, known);
    }
    const { run, advanceWidth } = known;
    let positions: GlyphRun['positions'] | undefined;
    // pdfkit scales the positions in place. Most callers only ask for the width.
    const copied = (): GlyphRun['positions'] => (positions ??= run.positions.map((position) => ({ ...position })));
    return Object.create(run, { positions: { get: copied }, advanceWidth: { value: advanceWidth } }) as GlyphRun;
  };
  const fresh = (text: string, ...options: [string[]?]): GlyphRun => {
    Object.assign(layouter, { _glyphs: {} });
    return layouter.layout(text, ...options);
  };
  const outlined = new WeakSet<object>();
  const source = Object.create(parsed, {
    getGlyph: {
      value: (id: number) => {
        const glyph = parsed.getGlyph(id) as unknown as OutlinedGlyph;
        if (!outlined.has(glyph)) {
          outlined.add(glyph);
          rememberOutline(glyph);
        }
        return glyph;
      },
    },
  }) as Font;
  return Object.create(parsed, {
    layout: { value: layout },
    // A subset does not use the characters of glyphs, so it may use all glyphs that were ever read.
    createSubset: { value: () => Object.assign(parsed.createSubset(), { font: source }) },
  }) as Font;
}

/** Reading the outlines of the same letters takes most of the time of a subset. */
function rememberOutline(glyph: OutlinedGlyph): void {
  const { _decode: read } = glyph;
  let known: ReturnType<typeof read> | undefined;
  const decode = (): ReturnType<typeof read> => {
    if (known !== undefined) return known;
    const outline = read.call(glyph);
    const { numberOfContours = 0, components = [] } = outline ?? {};
    known = outline && { numberOfContours, components };
    return known;
  };
  Object.assign(glyph, { _decode: decode });
}
