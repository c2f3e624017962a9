import type { Drawing } from '../drawings/drawing.js';
import { DrawingThreads } from './drawing-threads.js';

/** The threads of this process. Applications in one process share them, because they share its cores. */
let shared = new DrawingThreads({ threads: 1 });
let threads = 1;

/**
 * Draws a document or a mail in a worker thread of this process.
 * @throws DrawingFailedError
 * @throws Problem 503 `server.busy` when too many drawings wait
 */
export function drawInThread(drawing: Drawing): Promise<Buffer> {
  return shared.draw(drawing);
}

/** Sets the maximum number of drawing threads of this process. */
export async function setDrawingThreads(count: number): Promise<void> {
  if (count === threads) return;
  const former = shared;
  [shared, threads] = [new DrawingThreads({ threads: count }), count];
  await former.end();
}

/** Ends the drawing threads of this process; a later drawing starts new ones. */
export function endDrawingThreads(): Promise<void> {
  return shared.end();
}
