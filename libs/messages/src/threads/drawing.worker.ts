import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { draw } from '../drawings/draw.js';
import { loadedFonts } from '../pdf/pdf-fonts.js';
import type { DrawingAnswer, DrawingOrder } from './drawing-thread.js';

// On Linux a priority belongs to a thread: people who wait for an answer or scan a ticket come before drawings.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Takes one order at a time: the pool sends the next one after the answer. */
parentPort?.on('message', (order: DrawingOrder) => {
  void answer(order).then((given) => parentPort?.postMessage(given, []));
});

async function answer(order: DrawingOrder): Promise<DrawingAnswer> {
  try {
    return order === 'loaded fonts' ? { fonts: loadedFonts() } : { bytes: await draw(order) };
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
