import { drawPicture } from '#kernel';
import { toString as drawQr } from 'qrcode';

/**
 * A QR code as inline SVG: always dark on white, because scanners need this contrast.
 * @throws Problem 503 `server.busy`
 */
export function qrDrawing(text: string): Promise<string> {
  return drawPicture('public', 'page', text, () =>
    drawQr(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4, color: { dark: '#000000', light: '#ffffff' } }),
  );
}
