import { encodeQR } from 'qr';

/** Width of the quiet zone in modules (ISO/IEC 18004). */
const quiet = 4;

/**
 * Draws a QR code with error correction M as one vector path on a white square.
 * @param side of the square in points, including the quiet zone; the code is centred in it
 */
export function drawQr(doc: PDFKit.PDFDocument, code: string, x: number, y: number, side: number): void {
  const modules = modulesOf(code);
  const { length: whole } = modules;
  // A multiple of half a point, so that adjacent modules have no gap between them.
  const module = Math.max(Math.floor((side / whole) * 2) / 2, 0.5);
  const start = (side - module * whole) / 2;
  doc.rect(x, y, side, side).fill('#ffffff');
  // With a module as the unit the numbers are short, which makes the page cheap to compress.
  doc.save().transform(module, 0, 0, module, x + start, y + start);
  const rectangles: string[] = [];
  for (const [row, dark] of modules.entries()) {
    for (let from = dark.indexOf(true); from >= 0;) {
      const found = dark.indexOf(false, from);
      const end = found < 0 ? whole : found;
      rectangles.push(`${from} ${row} ${end - from} 1 re`);
      from = dark.indexOf(true, end);
    }
  }
  // One call for all, because each call encodes and stores its text.
  doc.addContent(rectangles.join('\n'));
  doc.fill('#000000').restore();
}

/** The rows of a code with its quiet zone; true is dark. */
function modulesOf(code: string): boolean[][] {
  return encodeQR(code, 'raw', { ecc: 'medium', encoding: 'byte', border: quiet });
}

/** Renders a QR code as PNG for screens, eight pixels per module. */
export async function qrPng(code: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const modules = modulesOf(code);
  const { length: side } = modules;
  const dots = Buffer.from(modules.flat().map((dark) => (dark ? 0 : 255)));
  return sharp(dots, { raw: { width: side, height: side, channels: 1 } })
    .resize(side * 8, side * 8, { kernel: 'nearest' })
    .png({ palette: true, colours: 2 })
    .toBuffer();
}
