import { ticketFonts, type FontChain } from './ticket-fonts.js';

export interface TextStyle {
  readonly weight: keyof FontChain;
  /** Points, the greatest first; a smaller one is taken when the text does not fit. */
  readonly sizes: readonly number[];
  readonly color: string;
  readonly maxLines: number;
}

interface Run {
  readonly font: string;
  readonly text: string;
}

interface Word {
  readonly runs: readonly Run[];
  readonly width: number;
  readonly rightToLeft: boolean;
}

/** Words that stand beside each other, in the order they are drawn. */
type Line = readonly Word[];

/** Text that fits its place. */
export interface FittedText {
  readonly lines: readonly Line[];
  readonly size: number;
  readonly color: string;
  readonly space: number;
  readonly height: number;
}

const leading = 1.25;
/** Nobody's name is longer, and layout takes time with every character. */
const longest = 400;
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Selectors of a variant and joiners, which draw nothing themselves. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const rightToLeftLetter =
  /^[\P{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** What Windows-1252, the encoding of the standard fonts, has. */
const standardCharacter = /^[\u0020-\u007E\u00A0-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/u;

/** Sets text of any script on the pages of one document, where each character takes the first font that has it. */
export class TicketText {
  private readonly known = new Map<string, Run>();

  constructor(
    private readonly doc: PDFKit.PDFDocument,
    private readonly fonts: FontChain = ticketFonts,
  ) {}

  /** Breaks text into lines: smaller when it does not fit, at the smallest size cut off. */
  fit(text: string, width: number, style: TextStyle): FittedText {
    const { sizes, maxLines, color, weight } = style;
    const words = readable(text).split(' ').filter(Boolean);
    for (const [index, size] of sizes.entries()) {
      const space = this.width(weight, size, ' ');
      const lines = this.lines(words, width, weight, size);
      if (lines.length > maxLines && index < sizes.length - 1) continue;
      const kept = lines.slice(0, maxLines);
      if (lines.length > maxLines) kept[maxLines - 1] = [...(kept[maxLines - 1] ?? []).slice(0, -1), this.word('…', weight, size)]; // prettier-ignore
      return { lines: kept.map(inOrder), size, color, space, height: kept.length * size * leading };
    }
    throw new TypeError('a style needs a size');
  }

  /** @param top of the first line */
  draw(
    { lines, size, color, space }: FittedText,
    x: number,
    top: number,
    width: number,
    align: 'left' | 'center' | 'right' = 'left',
  ): void {
    this.doc.fontSize(size).fillColor(color);
    for (const [number, line] of lines.entries()) {
      const used = line.reduce((sum, word) => sum + word.width, space * (line.length - 1));
      let left = x + (align === 'left' ? 0 : align === 'right' ? width - used : (width - used) / 2);
      const baseline = top + number * size * leading + size;
      for (const word of line) {
        let at = left;
        for (const { font, text } of word.runs) {
          this.doc.font(font).text(text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
          at += this.doc.widthOfString(text);
        }
        left += word.width + space;
      }
    }
  }

  private lines(texts: readonly string[], width: number, weight: keyof FontChain, size: number): Word[][] {
    const lines: Word[][] = [];
    const space = this.width(weight, size, ' ');
    let used = Infinity;
    for (const word of texts.flatMap((text) => this.pieces(text, width, weight, size))) {
      if (used + space + word.width > width) {
        lines.push([word]);
        used = word.width;
      } else {
        lines.at(-1)?.push(word);
        used += space + word.width;
      }
    }
    return lines;
  }

  /** A word, in pieces when it is wider than a line. */
  private pieces(text: string, width: number, weight: keyof FontChain, size: number): Word[] {
    const whole = this.word(text, weight, size);
    if (whole.width <= width) return [whole];
    const pieces: Word[] = [];
    let piece = '';
    for (const { segment } of clusters.segment(text)) {
      if (piece !== '' && this.word(piece + segment, weight, size).width > width) {
        pieces.push(this.word(piece, weight, size));
        piece = '';
      }
      piece += segment;
    }
    return [...pieces, this.word(piece, weight, size)];
  }

  private word(text: string, weight: keyof FontChain, size: number): Word {
    const runs: { font: string; text: string }[] = [];
    for (const { segment } of clusters.segment(text)) {
      const run = this.run(segment, this.fonts[weight]);
      const last = runs.at(-1);
      if (last?.font === run.font) last.text += run.text;
      else runs.push({ ...run });
    }
    this.doc.fontSize(size);
    const width = runs.reduce((sum, run) => sum + this.doc.font(run.font).widthOfString(run.text), 0);
    return { runs, width, rightToLeft: rightToLeftLetter.test(text) };
  }

  /** What is seen as one character, in the first font that has all of it; a box or a question mark when none has. */
  private run(cluster: string, fonts: readonly string[]): Run {
    const key = `${fonts[0]} ${cluster}`;
    const known = this.known.get(key) ?? this.find(cluster, fonts);
    this.known.set(key, known);
    return known;
  }

  private find(cluster: string, fonts: readonly string[]): Run {
    if (cluster.replace(invisible, '') === '') return { font: fonts[0] ?? 'Helvetica', text: '' };
    for (const text of [
      cluster,
      cluster.replace(invisible, ''),
      cluster.normalize('NFD').replace(/\p{M}/gu, ''),
      '□',
      '?',
    ]) {
      const font = fonts.find((one) => this.has(one, text));
      if (font && text !== '') return { font, text };
    }
    return { font: 'Helvetica', text: '?' };
  }

  private has(font: string, text: string): boolean {
    this.doc.font(font);
    // Typed nowhere, but the only way to ask pdfkit which characters a font has.
    const { _font: current } = this.doc as unknown as {
      _font: { font: { hasGlyphForCodePoint?(point: number): boolean } };
    };
    const file = current.font;
    return [...text].every((character) =>
      file.hasGlyphForCodePoint
        ? file.hasGlyphForCodePoint(character.codePointAt(0) as number)
        : standardCharacter.test(character),
    );
  }

  private width(weight: keyof FontChain, size: number, text: string): number {
    return this.doc
      .font(this.fonts[weight][0] ?? 'Helvetica')
      .fontSize(size)
      .widthOfString(text);
  }
}

/** One line of text with single spaces and no controls; the narrow space of French numbers is in few fonts. */
function readable(text: string): string {
  const known = text
    .slice(0, longest)
    .toWellFormed()
    .normalize('NFC')
    .replace(/\u202F/g, '\u00A0');
  return known
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2000-\u200A\u2028\u2029 ]+/gu, ' ')
    .trim();
}

/** Words of scripts that run to the left stand in their order, those around them in theirs. */
function inOrder(line: readonly Word[]): Line {
  const drawn: Word[] = [];
  let from = 0;
  for (const word of line) {
    if (word.rightToLeft) drawn.splice(from, 0, word);
    else from = drawn.push(word);
  }
  return drawn;
}
