import type { ShareTexts } from '../drawings/drawing.js';
import { drawInThread } from '../threads/shared-threads.js';
import { coloursOf } from './drawing-colours.js';

/**
 * Draws the picture of an event for link previews, a PNG of 1200 × 630 pixels. Accepts any text; characters without a glyph become boxes.
 * @param accent the colour of the venue, `#rrggbb`
 * @throws DrawingFailedError
 */
export function sharePicture(texts: ShareTexts, accent: string): Promise<Buffer> {
  return drawInThread({ kind: 'share-picture', texts, colours: coloursOf(accent) });
}
