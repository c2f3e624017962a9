import { create as createQr, type QRCode } from 'qrcode';

/** Width of the quiet zone in modules (ISO/IEC 18004). */
const quiet = 4;

/**
 * Draws a QR code with error correction M as one vector path on a white square.
 * @param side of the square in points, including the quiet zone; the code is centred in it
 */
export function drawQr(doc: PDFKit.PDFDocument, code: string, x: number, y: number, side: number): void {
  const { size, data } = modulesOf(code);
  // A multiple of half a point, so that adjacent modules have no gap between them.
  const module = Math.max(Math.floor((side / (size + 2 * quiet)) * 2) / 2, 0.5);
  const start = (side - module * size) / 2;
  doc.rect(x, y, side, side).fill('#ffffff');
  // The texts of the numbers are made once, because a code has about a thousand rectangles.
  const lengths = Array.from({ length: size + 1 }, (_, modules) => ` ${pdfNumber(modules * module)} ${pdfNumber(module)} re`);
  const columns = Array.from({ length: size }, (_, column) => `${pdfNumber(x + start + column * module)} `);
  const rectangles: string[] = [];
  for (let row = 0; row < size; row += 1) {
    const top = pdfNumber(y + start + row * module);
    let column = 0;
    while (column < size) {
      let end = column;
      while (end < size && data[row * size + end]) end += 1;
      if (end > column) rectangles.push(`${columns[column]}${top}${lengths[end - column]}`);
      column = end + 1;
    }
  }
  // One call for all, because each call encodes and stores its text.
  doc.addContent(rectangles.join('\n'));
  doc.fill('#000000');
}

/** The codes consist of letters of both cases, so that the search for shorter encodings of parts is left out. */
function modulesOf(code: string): QRCode['modules'] {
  return createQr([{ data: Buffer.from(code), mode: 'byte' }], { errorCorrectionLevel: 'M' }).modules;
}

const pdfNumber = (value: number): number => Math.round(value * 1000) / 1000;

/** Renders a QR code as PNG for screens, eight pixels per module. */
export async function qrPng(code: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { size, data } = modulesOf(code);
  const side = size + 2 * quiet;
  const dots = Buffer.alloc(side * side, 255);
  for (const [index, dark] of data.entries()) if (dark) dots[(Math.floor(index / size) + quiet) * side + (index % size) + quiet] = 0;
  return sharp(dots, { raw: { width: side, height: side, channels: 1 } })
    .resize(side * 8, side * 8, { kernel: 'nearest' })
    .png({ palette: true, colours: 2 })
    .toBuffer();
}
