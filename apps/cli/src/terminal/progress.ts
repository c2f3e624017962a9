import type { TransferProgress } from '#tenancy';
import { say } from './output.js';

const width = 30;
const everyMs = 100;

/** Shows progress on standard error: a bar on a terminal, else a line for each table. Call `end` before writing anything else. */
export function progressBar(): { readonly report: TransferProgress; end(): void } {
  let [last, drawnAt] = ['', 0];
  if (!process.stderr.isTTY) {
    const report: TransferProgress = ({ stream, done }) => {
      if (stream !== last) say(`${percent(done)} ${stream}`);
      last = stream;
    };
    return { report, end: () => undefined };
  }
  const report: TransferProgress = ({ stream, done }) => {
    const now = performance.now();
    if (stream === last && now - drawnAt < everyMs) return;
    [last, drawnAt] = [stream, now];
    const filled = Math.round(done * width);
    process.stderr.write(`\r\u001B[K[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${percent(done)} ${stream}`);
  };
  return { report, end: () => process.stderr.write('\r\u001B[K') };
}

function percent(done: number): string {
  return `${String(Math.floor(done * 100)).padStart(3)} %`;
}
