import { toString as drawQr } from 'qrcode';

/** A QR code as SVG that stands in a page: dark on white whatever the page's colours are, because scanners need it so. */
export function qrDrawing(text: string): Promise<string> {
  return drawQr(text, {
    type: 'svg',
    errorCorrectionLevel: 'M',
    margin: 4,
    color: { dark: '#000000', light: '#ffffff' },
  });
}
