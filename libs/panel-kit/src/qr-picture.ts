import { drawPicture } from '#kernel';
import { currentPanelRequest } from './request/panel-request.js';
import { toString as drawQr } from 'qrcode';

/**
 * Draws a QR code as a data URL (`data:image/svg+xml`), which is sharp at any size and allowed by the panel's content security policy.
 * @param text content of the code
 * @throws Problem 503 `server.busy`
 */
export async function qrPicture(text: string): Promise<string> {
  const svg = await drawPicture('staff', 'panel', text, () => drawQr(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 }));
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** A code of a ticket or card with its picture. @returns null during a support visit: an operator sees no valid code */
export async function shownCode(text: string): Promise<{ text: string; picture: string } | null> {
  return currentPanelRequest().support ? null : { text, picture: await qrPicture(text) };
}
