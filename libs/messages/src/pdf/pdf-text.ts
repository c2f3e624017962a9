import type { Font } from 'fontkit';
import type { FontChain, PdfFont } from './pdf-fonts.js';
import { leading, TextLayout, type FittedText } from './text-layout.js';

export type Align = 'start' | 'center' | 'end';

/** Texts that are drawn before the words of a font are forgotten. */
const rememberedTexts = 2000;

/** The words that pdfkit has laid out with a font; tickets of one event repeat most of them. */
interface DrawnWords {
  readonly layouts: Record<string, unknown>;
  texts: number;
}

/** For the documents of this thread. A text has at most `longestText` characters, so that the number of texts limits the words. */
const wordsOf = new WeakMap<Font, DrawnWords>();

/** Lays out and draws text of any script in one document. */
export class PdfText extends TextLayout {
  constructor(
    private readonly doc: PDFKit.PDFDocument,
    fonts: FontChain,
  ) {
    super(fonts);
    // pdfkit accepts parsed fonts, but its types do not declare it.
    for (const { id, font } of [...fonts.regular, ...fonts.bold]) doc.registerFont(id, font as unknown as Buffer);
  }

  /** Draws fitted text. All positions in points. @param top top of the first line */
  draw({ lines, size, color, rightToLeft }: FittedText, x: number, top: number, width: number, align: Align): void {
    this.doc.fontSize(size).fillColor(color);
    for (const [number, line] of lines.entries()) {
      const left = width - line.width * size;
      const atRight = align === 'center' ? 0.5 : (align === 'end') === rightToLeft ? 0 : 1;
      let at = x + left * atRight;
      const baseline = top + number * size * leading + size;
      for (const { font, text, width: em } of line.pieces) {
        // Without its width and words pdfkit measures the text once more.
        const known = { textWidth: em * size, wordCount: 1 };
        this.select(font);
        this.doc.text(text, at, baseline, { lineBreak: false, baseline: 'alphabetic', ...known });
        at += em * size;
      }
    }
  }

  private select({ id, font }: PdfFont): void {
    this.doc.font(id);
    let words = wordsOf.get(font);
    if (!words || words.texts >= rememberedTexts) {
      words = { layouts: Object.create(null) as DrawnWords['layouts'], texts: 0 };
      wordsOf.set(font, words);
    }
    words.texts += 1;
    // pdfkit keeps them for one document. Its types declare neither field.
    const { _font: embedded } = this.doc as unknown as { readonly _font: { layoutCache: object } };
    embedded.layoutCache = words.layouts;
  }
}
