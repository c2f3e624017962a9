import type { ArchiveReader } from '../transfer/archive/archive-reader.js';
import { refuseOtherSum, type TransferProgress } from '../transfer/export-file.js';
import { StreamSummer, type RowPart } from '../transfer/format/copy-rows.js';
import {
  backupManifestEntry,
  notABackup,
  parseBackupHeader,
  parsed,
  rowsEntry,
  shapeEntry,
  sharedSchema,
  type BackupHeader,
  type BackupManifest,
  type SchemaShape,
} from './backup-format.js';

/** Receives the content of a backup in this order: the shared schema and then each tenant's, each with its tables and their rows. */
export interface BackupVisitor {
  schema(schema: string, shape: SchemaShape): Promise<void> | void;
  rows(table: SchemaShape['tables'][number], rows: RowPart): Promise<void> | void;
}

export interface ReadBackup {
  readonly header: BackupHeader;
  readonly manifest: BackupManifest;
}

/** Reads only the header. @throws TransferError for a wrong passphrase, and for a file that is damaged, newer or no backup */
export async function readBackupHeader(reader: ArchiveReader, passphrase: string): Promise<BackupHeader> {
  for await (const { name, body } of reader.entries(passphrase)) return parseBackupHeader(name, body);
  throw notABackup();
}

/**
 * Reads a whole backup and compares the number of rows and the SHA-256 of every table with the manifest.
 * @throws TransferError for a wrong passphrase, and for a file that is damaged, newer, incomplete or no backup
 */
export async function readBackup(
  reader: ArchiveReader,
  passphrase: string,
  { visitor, progress }: { readonly visitor?: BackupVisitor; readonly progress?: TransferProgress } = {},
): Promise<ReadBackup> {
  let content: BackupContent | undefined;
  for await (const { name, body } of reader.entries(passphrase)) {
    if (content) await content.take(name, body, visitor);
    else content = new BackupContent(parseBackupHeader(name, body));
    progress?.({ stream: content.current, done: reader.progress });
  }
  if (!content) throw notABackup();
  return content.end();
}

/** Checks the order of the entries and computes the sums. */
class BackupContent {
  private readonly expected: string[];
  private readonly sums: BackupManifest['sums'][number][] = [];
  private schema: { readonly name: string; readonly shape: SchemaShape } | undefined;
  private table: { readonly index: number; parts: number; readonly summer: StreamSummer } | undefined;
  private manifest: BackupManifest | undefined;

  constructor(private readonly header: BackupHeader) {
    this.expected = [sharedSchema, ...header.tenants.map(({ schema }) => schema)];
  }

  /** Name of the schema that is read. */
  get current(): string {
    return this.header.tenants.find(({ schema }) => schema === this.schema?.name)?.slug ?? sharedSchema;
  }

  async take(name: string, body: Buffer, visitor?: BackupVisitor): Promise<void> {
    if (this.manifest) throw notABackup();
    const [next] = this.expected;
    if (next !== undefined && name === shapeEntry(next)) {
      this.endTable();
      this.expected.shift();
      this.schema = { name: next, shape: parsed(body) as SchemaShape };
      await visitor?.schema(next, this.schema.shape);
    } else if (name === backupManifestEntry) {
      this.endTable();
      this.manifest = parsed(body) as BackupManifest;
    } else {
      const table = this.tableOf(name, body);
      await visitor?.rows(table, body);
    }
  }

  end(): ReadBackup {
    const { header, manifest, sums } = this;
    const complete = this.expected.length === 0 && manifest?.backupId === header.backupId && manifest.sums.length === sums.length;
    if (!complete) throw notABackup();
    for (const [index, sum] of manifest.sums.entries()) refuseOtherSum(sum, sums[index]);
    return { header, manifest };
  }

  /** The table of an entry with rows. Tables have the order of the shape, and parts ascending numbers. */
  private tableOf(name: string, body: Buffer): SchemaShape['tables'][number] {
    const { schema } = this;
    if (!schema) throw notABackup();
    const { tables } = schema.shape;
    let { table } = this;
    if (!table || name !== rowsEntry(schema.name, tables[table.index]!.table, table.parts + 1)) {
      this.endTable();
      const index = tables.findIndex((one, at) => at > (table?.index ?? -1) && name === rowsEntry(schema.name, one.table, 1));
      if (index < 0) throw notABackup();
      table = { index, parts: 0, summer: new StreamSummer(`${schema.name}.${tables[index]!.table}`) };
      this.table = table;
    }
    table.parts += 1;
    table.summer.add(body);
    return tables[table.index]!;
  }

  private endTable(): void {
    if (this.table) this.sums.push(this.table.summer.sum());
    this.table = undefined;
  }
}
