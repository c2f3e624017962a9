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

/** Told how far the reading or writing is. */
export type TransferProgress = (state: { readonly stream: string; readonly done: number }) => void;

/** What the reader of an export is told, in this order: the header, each part of each stream, the manifest. */
export interface ExportVisitor {
  header(header: ExportHeader): Promise<void> | void;
  part?(stream: RowStream, part: number, rows: RowPart): Promise<void> | void;
}

/**
 * Reads an export to its end.
 * @throws TransferError for a wrong passphrase, and for a file that is damaged, newer or none
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

/** Reads the header alone. */
export async function readHeader(reader: ArchiveReader, passphrase: string): Promise<ExportHeader> {
  for await (const entry of reader.entries(passphrase)) return headerOf(entry);
  throw notAnExport();
}

/**
 * Reads an export to its end and compares rows and SHA-256 of every table with the manifest.
 * @throws TransferError also for rows that are not those of the manifest
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
  for (const said of manifest.streams) refuseOtherSum(said, summers.get(said.name)?.sum());
  return { header, manifest };
}

/** @throws TransferError when they differ */
export function refuseOtherSum(said: ExportManifest['streams'][number], found: ExportManifest['streams'][number] | undefined): void {
  if (found?.rows === said.rows && found.bytes === said.bytes && found.sha256 === said.sha256) return;
  throw new TransferError(`The rows of ${said.name} are not those of the manifest (${found?.rows ?? 0} rows, expected ${said.rows}).`);
}

function headerOf({ name, body }: ArchiveEntry): ExportHeader {
  if (name !== headerEntry) throw notAnExport();
  return parseHeader(body.toString());
}

/** Streams come in the order of the header, their parts in that of their numbers. */
function next({ streams }: ExportHeader, last: { index: number; part: number }, name: string) {
  const { stream, part } = partOf(name) ?? {};
  const index = streams.findIndex((one) => one.name === stream);
  const follows = index === last.index ? part === last.part + 1 : index > last.index && part === 1;
  if (part === undefined || !follows) throw notAnExport();
  return { index, part };
}
