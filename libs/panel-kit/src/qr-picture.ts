import { drawPicture } from '#kernel';
import { toString as drawQr } from 'qrcode';

/**
 * A QR code as an address that a picture can show (`data:image/svg+xml`): sharp at any size, allowed by the panel's
 * content policy.
 *
 * @param text content of the code
 * @throws Problem 503 `server.busy`
 */
export async function qrPicture(text: string): Promise<string> {
  const svg = await drawPicture(() => drawQr(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 }));
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
