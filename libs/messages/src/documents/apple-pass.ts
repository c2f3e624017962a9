import type { ApplePassDrawing } from '../drawings/drawing.js';
import { drawInThread } from '../threads/shared-threads.js';

/**
 * Signs a pass for Apple Wallet in a worker thread.
 * @returns a `.pkpass` file
 * @throws DrawingFailedError
 */
export function drawApplePass(pass: Omit<ApplePassDrawing, 'kind'>): Promise<Buffer> {
  return drawInThread({ kind: 'apple-pass', ...pass });
}
