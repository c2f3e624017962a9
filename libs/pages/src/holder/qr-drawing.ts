import { toString as drawQr } from 'qrcode';

/** A QR code as inline SVG: always dark on white, because scanners need this contrast. */
export function qrDrawing(text: string): Promise<string> {
  return drawQr(text, {
    type: 'svg',
    errorCorrectionLevel: 'M',
    margin: 4,
    color: { dark: '#000000', light: '#ffffff' },
  });
}
