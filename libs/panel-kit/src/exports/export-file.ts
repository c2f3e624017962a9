import { FairLimit } from '#kernel';
import type { Language } from '#kernel';
import { Worker } from 'node:worker_threads';
import { compiledBeside } from '../request/panel-assets.js';
import type { ExportType, ExportValue } from '../resource/export-cells.js';

export type ExportFormat = 'csv' | 'xlsx';

/** A list to write, with its columns' names in the user's language. */
export interface ExportTable {
  readonly format: ExportFormat;
  readonly language: Language;
  readonly timeZone: string;
  /** Name of the sheet. */
  readonly title: string;
  readonly columns: readonly { readonly label: string; readonly type: ExportType }[];
  readonly rows: readonly (readonly ExportValue[])[];
}

/** Tables are large: a process reads and writes two at a time, one for each tenant, and the next ones wait. */
export const inTurn = new FairLimit({ total: 2, each: 1, waiting: 5, waitMs: 60_000 });

/** Threads start without the tests' compiler, so that tests use the compiled file, too. */
const program = compiledBeside(import.meta.url, 'export-file.worker.js');

/** Writes the file in a thread of its own: twenty thousand rows take seconds, in which nobody at the door shall wait. */
export function writeExport(table: ExportTable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: table });
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The export ended with code ${code}`)));
  });
}
