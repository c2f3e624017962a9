import type { ApplePassDrawing } from '../drawings/drawing.js';
import { drawInThread } from '../threads/shared-threads.js';

/**
 * Signs passes for Apple Wallet in a worker thread.
 * @returns a `.pkpass` file for one, a `.pkpasses` file for several
 * @throws DrawingFailedError
 */
export function drawApplePasses(passes: Omit<ApplePassDrawing, 'kind'>): Promise<Buffer> {
  return drawInThread({ kind: 'apple-pass', ...passes });
}
