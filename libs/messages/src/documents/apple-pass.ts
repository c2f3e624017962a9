import type { ApplePassDrawing } from '../drawings/drawing.js';
import { drawInThread } from '../threads/shared-threads.js';
import { coloursOf } from './drawing-colours.js';

type ApplePasses = Omit<ApplePassDrawing, 'kind' | 'colours'> & {
  /** The colour of the venue, `#rrggbb`. */
  readonly accent: string;
};

/**
 * Signs passes for Apple Wallet in a worker thread.
 * @returns a `.pkpass` file for one, a `.pkpasses` file for several
 * @throws DrawingFailedError
 */
export function drawApplePasses({ accent, ...passes }: ApplePasses): Promise<Buffer> {
  return drawInThread({ kind: 'apple-pass', ...passes, colours: coloursOf(accent) });
}
