import { compiledBeside, FairLimit } from '#kernel';
import { Worker } from 'node:worker_threads';
import { limits } from '../limits.js';
import type { ExportType, ExportValue } from '../resource/export-cells.js';

export type ExportFormat = 'csv' | 'xlsx';

/** A list to export, with column names in the user's language. */
export interface ExportTable {
  readonly format: ExportFormat;
  /** BCP 47 tag, for decimal signs. */
  readonly locale: string;
  /** How spreadsheets show a moment: `dd/mm/yyyy hh:mm`. */
  readonly dateFormat: string;
  readonly timeZone: string;
  /** Name of the sheet. */
  readonly title: string;
  readonly columns: readonly { readonly label: string; readonly type: ExportType }[];
  readonly rows: readonly (readonly ExportValue[])[];
}

/** Turns of exports, because tables are large. */
export const inTurn = new FairLimit(limits.exports.turns);

/** Tests use the compiled file too, because worker threads run without the tests' compiler. */
const program = compiledBeside(import.meta.url, 'export-file.worker.js');

/**
 * Writes the file in a worker thread, because 20,000 rows take seconds, which would delay scans.
 * @throws Error when the thread fails
 */
export function writeExport(table: ExportTable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: table });
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The export ended with code ${code}`)));
  });
}
