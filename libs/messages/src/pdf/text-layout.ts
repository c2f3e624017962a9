import type { Font } from 'fontkit';
import LineBreaker from 'linebreak';
import { LRUCache } from 'lru-cache';
import { limits } from '../limits.js';
import { hasGlyphs, type FontChain, type FontWeight, type PdfFont } from './pdf-fonts.js';
import { directionsOf, partsInOrder, reversed, runsRightToLeft, type TextPart } from './text-direction.js';

export interface TextStyle {
  readonly weight: FontWeight;
  /** Font sizes in points, largest first; the first one at which the text fits is used. */
  readonly sizes: readonly number[];
  readonly color: string;
  readonly maxLines: number;
}

/** A piece of a line with one font and one direction. Width in em. */
export interface Piece {
  readonly font: PdfFont;
  readonly text: string;
  readonly width: number;
}

export interface Line {
  /** From left to right. */
  readonly pieces: readonly Piece[];
  readonly width: number;
}

/** Text broken into lines at a size that fits. */
export interface FittedText {
  readonly lines: readonly Line[];
  readonly size: number;
  readonly color: string;
  /** Points. */
  readonly height: number;
  /** Whether the text as a whole runs from right to left. */
  readonly rightToLeft: boolean;
  /** Text for screen readers; undefined when it equals the drawn characters in the same order. */
  readonly readAs: string | undefined;
}

/** Text with a font for each UTF-16 code unit. */
interface SetText {
  readonly text: string;
  readonly fontAt: readonly PdfFont[];
}

/** Distance of two lines, in sizes of the font. */
export const leading = 1.25;
/** Maximum characters of a text; longer ones are cut, because layout time grows with the length. */
export const longestText = 400;
/** Scripts that fontkit lays out from right to left. */
const maybeTurned = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters that draw nothing themselves, such as variation selectors and joiners. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Results that further documents with the same fonts use again: tickets of one event repeat most texts. */
interface Measured {
  /** The font of each grapheme cluster, by weight and cluster. */
  readonly known: LRUCache<string, { readonly text: string; readonly font: PdfFont }>;
  /** Results of `fit`. */
  readonly fitted: LRUCache<string, FittedText>;
}

const measuredWith = new WeakMap<FontChain, Measured>();

/** Lays out text of any script; each character uses the first font that has it. */
export class TextLayout {
  private readonly known: Measured['known'];
  private readonly fitted: Measured['fitted'];

  constructor(private readonly fonts: FontChain) {
    const measured = measuredWith.get(fonts) ?? {
      known: new LRUCache({ max: limits.clusters.kept.most }),
      fitted: new LRUCache({ max: limits.fittedTexts.kept.most }),
    };
    measuredWith.set(fonts, measured);
    ({ known: this.known, fitted: this.fitted } = measured);
  }

  /**
   * Breaks text into lines at the largest size that fits; at the smallest size, cuts it off with an ellipsis.
   * @param width in points
   */
  fit(given: string, width: number, style: TextStyle): FittedText {
    const key = JSON.stringify([given, width, style]);
    const fitted = this.fitted.get(key) ?? this.measure(given, width, style);
    this.fitted.set(key, fitted);
    return fitted;
  }

  private measure(given: string, width: number, { weight, sizes, color, maxLines }: TextStyle): FittedText {
    const set = this.choose(readable(given), weight);
    const directions = directionsOf(set.text);
    for (const [index, size] of sizes.entries()) {
      const breaks = this.lines(set, width / size);
      if (breaks.length > maxLines && index < sizes.length - 1) continue;
      const kept = breaks.slice(0, maxLines).map(([start, end]) => this.line(set, directions, start, end));
      if (breaks.length > maxLines) {
        const [start, end] = breaks[maxLines - 1] as [number, number];
        kept[maxLines - 1] = this.cut(set, start, end, width / size, weight);
      }
      const rightToLeft = runsRightToLeft(directions);
      // With several lines the spaces at the breaks are not drawn, so screen readers need the text.
      const asDrawn = breaks.length === 1 && directions.levels.every((level: number) => level === 0);
      const readAs = asDrawn ? undefined : set.text;
      return { lines: kept, size, color, height: kept.length * size * leading, rightToLeft, readAs };
    }
    throw new TypeError('a style needs a size');
  }

  /** Start and end of each line, without trailing spaces. @param width in em */
  private lines({ text, fontAt }: SetText, width: number): [number, number][] {
    // Most texts fit on one line; drawing measures the same words again, whereas the parts between breaks are measured for this alone.
    if (text !== '' && this.width({ text, fontAt }, 0, text.length) <= width) return [[0, text.length]];
    const lines: [number, number][] = [];
    let used = Infinity;
    for (const [start, end] of this.unbreakable({ text, fontAt }, width)) {
      const word = text.slice(start, end);
      const needed = this.width({ text, fontAt }, start, end - (word.length - word.trimEnd().length));
      const last = lines.at(-1);
      if (!last || used + needed > width) {
        lines.push([start, end]);
        used = 0;
      } else last[1] = end;
      used += this.width({ text, fontAt }, start, end);
    }
    return lines.map(([start, end]) => [start, start + text.slice(start, end).trimEnd().length]);
  }

  /** Segments that are not broken: words and single ideographs; parts of words that are wider than a line. */
  private *unbreakable(set: SetText, width: number): Generator<[number, number]> {
    const breaker = new LineBreaker(set.text);
    let start = 0;
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      const end = next.position;
      if (this.width(set, start, end) <= width) yield [start, end];
      else yield* this.parts(set, start, end, width);
      start = end;
    }
  }

  private *parts(set: SetText, start: number, end: number, width: number): Generator<[number, number]> {
    let from = start;
    let used = 0;
    for (const { segment, index } of clusters.segment(set.text.slice(start, end))) {
      const at = start + index;
      const one = this.width(set, at, at + segment.length);
      if (used + one > width && at > from) {
        yield [from, at];
        from = at;
        used = 0;
      }
      used += one;
    }
    if (end > from) yield [from, end];
  }

  /** A line that ends with an ellipsis. */
  private cut({ text, fontAt }: SetText, start: number, end: number, width: number, weight: FontWeight): Line {
    const ellipsis = this.choose('…', weight);
    let last = end;
    const shortened = (): SetText => ({
      text: text.slice(start, last).trimEnd() + ellipsis.text,
      fontAt: [...fontAt.slice(start, start + text.slice(start, last).trimEnd().length), ...ellipsis.fontAt],
    });
    const ends = [...clusters.segment(text.slice(start, end))].map(({ index }) => start + index);
    let set = shortened();
    while (ends.length > 0 && this.width(set, 0, set.text.length) > width) {
      last = ends.pop() as number;
      set = shortened();
    }
    return this.line(set, directionsOf(set.text), 0, set.text.length);
  }

  private line(set: SetText, directions: ReturnType<typeof directionsOf>, start: number, end: number): Line {
    const pieces = partsInOrder(set.text, directions, set.fontAt, start, end).map((part) => this.piece(part));
    return { pieces, width: pieces.reduce((sum, { width }) => sum + width, 0) };
  }

  /** fontkit derives the direction from the script of the first letter; a text without letters may have to be reversed. */
  private piece({ text, font, rightToLeft }: TextPart<PdfFont>): Piece {
    if (!rightToLeft && !maybeTurned.test(text)) return { font, text, width: this.em(font, text) };
    const laidOut = font.font.layout(text) as ReturnType<Font['layout']> & { readonly direction: 'ltr' | 'rtl' };
    const shown = (laidOut.direction === 'rtl') === rightToLeft ? text : reversed(text);
    return { font, text: shown, width: this.em(font, shown) };
  }

  private width({ text, fontAt }: SetText, start: number, end: number): number {
    let sum = 0;
    for (let from = start; from < end;) {
      let to = from + 1;
      while (to < end && fontAt[to] === fontAt[from]) to += 1;
      sum += this.em(fontAt[from] as PdfFont, text.slice(from, to));
      from = to;
    }
    return sum;
  }

  /** Word by word, as pdfkit draws text: letters at both sides of a space are not moved closer to each other. */
  private em({ font }: PdfFont, text: string): number {
    const units = text.match(/[^ ]* |[^ ]+$/g)?.reduce((sum, word) => sum + font.layout(word).advanceWidth, 0) ?? 0;
    return units / font.unitsPerEm;
  }

  private choose(text: string, weight: FontWeight): SetText {
    let chosen = '';
    const fontAt: PdfFont[] = [];
    for (const { segment } of clusters.segment(text)) {
      const { text: shown, font } = this.find(segment, weight);
      chosen += shown;
      for (let index = 0; index < shown.length; index += 1) fontAt.push(font);
    }
    return { text: chosen, fontAt };
  }

  /** Finds the first font that has a whole grapheme cluster; falls back to simpler forms, then to a box. */
  private find(cluster: string, weight: FontWeight): { readonly text: string; readonly font: PdfFont } {
    const key = `${weight} ${cluster}`;
    const known = this.known.get(key);
    if (known) return known;
    const fonts = this.fonts[weight];
    const bare = cluster.replace(invisible, '');
    const tries = bare === '' ? [] : [cluster, bare, cluster.normalize('NFD').replace(/\p{M}/gu, ''), '□', '?'];
    const found = tries
      .filter((text) => text !== '')
      .map((text) => ({ text, font: fonts.find((font) => hasGlyphs(font, text)) }))
      .find(({ font }) => font !== undefined);
    const chosen = { text: found?.text ?? '', font: found?.font ?? fonts[0] };
    this.known.set(key, chosen);
    return chosen;
  }
}

/** Normalises text to one line with single spaces and without control characters. Replaces U+202F, which few fonts have. */
export function readable(text: string): string {
  return text
    .slice(0, longestText)
    .toWellFormed()
    .normalize('NFC')
    .replace(/\u202F/g, '\u00A0')
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2000-\u200A\u2028\u2029 ]+/gu, ' ')
    .trim();
}
