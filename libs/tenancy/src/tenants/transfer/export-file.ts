import type { ArchiveEntry, ArchiveReader } from './archive/archive-reader.js';
import { StreamSummer, type RowPart } from './format/copy-rows.js';
import { TransferError } from './format/transfer-error.js';
import {
  headerEntry,
  manifestEntry,
  notAnExport,
  parseHeader,
  parseManifest,
  partOf,
  type ExportHeader,
  type ExportManifest,
  type RowStream,
} from './format/transfer-format.js';

/** Receives the progress: the current stream, and the finished part from 0 to 1. */
export type TransferProgress = (state: { readonly stream: string; readonly done: number }) => void;

/** Receives the content of an export in this order: the header, each part of each stream, the manifest. */
export interface ExportVisitor {
  header(header: ExportHeader): Promise<void> | void;
  part?(stream: RowStream, part: number, rows: RowPart): Promise<void> | void;
}

/**
 * Reads a whole export.
 * @throws TransferError for a wrong passphrase, and for a file that is damaged, newer or no export
 */
export async function readExport(
  reader: ArchiveReader,
  passphrase: string,
  visitor: ExportVisitor,
): Promise<{ readonly header: ExportHeader; readonly manifest: ExportManifest }> {
  let header: ExportHeader | undefined;
  let manifest: ExportManifest | undefined;
  let last = { index: -1, part: 0 };
  for await (const { name, body } of reader.entries(passphrase)) {
    if (manifest) throw notAnExport();
    if (!header) {
      header = headerOf({ name, body });
      await visitor.header(header);
    } else if (name === manifestEntry) manifest = parseManifest(body.toString(), header);
    else {
      last = next(header, last, name);
      await visitor.part?.(header.streams[last.index] as RowStream, last.part, body);
    }
  }
  if (!header || !manifest) throw notAnExport();
  return { header, manifest };
}

/** Reads only the header. */
export async function readHeader(reader: ArchiveReader, passphrase: string): Promise<ExportHeader> {
  for await (const entry of reader.entries(passphrase)) return headerOf(entry);
  throw notAnExport();
}

/**
 * Reads a whole export and compares the number of rows and the SHA-256 of every table with the manifest.
 * @throws TransferError also when they differ
 */
export async function verifyExport(
  reader: ArchiveReader,
  passphrase: string,
  progress: TransferProgress = () => undefined,
): Promise<{ readonly header: ExportHeader; readonly manifest: ExportManifest }> {
  const summers = new Map<string, StreamSummer>();
  const { header, manifest } = await readExport(reader, passphrase, {
    header: ({ streams }) => streams.forEach(({ name }) => summers.set(name, new StreamSummer(name))),
    part: ({ name }, _part, rows) => {
      summers.get(name)?.add(rows);
      progress({ stream: name, done: reader.progress });
    },
  });
  for (const expected of manifest.streams) refuseOtherSum(expected, summers.get(expected.name)?.sum());
  return { header, manifest };
}

/** @throws TransferError when the sums differ */
export function refuseOtherSum(expected: ExportManifest['streams'][number], found: ExportManifest['streams'][number] | undefined): void {
  if (found?.rows === expected.rows && found.bytes === expected.bytes && found.sha256 === expected.sha256) return;
  throw new TransferError(
    `The rows of ${expected.name} are not those of the manifest (${found?.rows ?? 0} rows, expected ${expected.rows}).`,
  );
}

function headerOf({ name, body }: ArchiveEntry): ExportHeader {
  if (name !== headerEntry) throw notAnExport();
  return parseHeader(body.toString());
}

/** Finds the stream and part of an entry. Streams must have the order of the header, and parts ascending numbers. */
function next({ streams }: ExportHeader, last: { index: number; part: number }, name: string) {
  const { stream, part } = partOf(name) ?? {};
  const index = streams.findIndex((one) => one.name === stream);
  const follows = index === last.index ? part === last.part + 1 : index > last.index && part === 1;
  if (part === undefined || !follows) throw notAnExport();
  return { index, part };
}
