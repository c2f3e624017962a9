import type { FontChain } from './pdf-fonts.js';
import { leading, TextLayout, type FittedText } from './text-layout.js';

export type Align = 'start' | 'center' | 'end';

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
        this.doc.font(font.id).text(text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
        at += em * size;
      }
    }
  }
}
