import { isUuid } from '#kernel';
import { isCategory, type CategoryCode } from '../../../database/context/tenant-categories.js';
import { TransferError } from './transfer-error.js';

export const formatName = 'guichet-tenant';
export const formatVersion = 1;
export const headerEntry = 'header.json';
export const manifestEntry = 'manifest.json';

/** A column whose values are encrypted with the server secret. The file has them in plain text, because its passphrase protects them. */
export interface SealedColumn {
  readonly column: string;
  /** The purpose that the encryption is bound to, see `SecretBox`; `{provider}` stands for the value of that column in the same row. */
  readonly purpose: string;
}

/** One table of the file: `tenant.<table>` of the tenant's own schema, or `shared.<table>` for its rows of a shared table. */
export interface RowStream {
  readonly name: string;
  readonly columns: readonly string[];
  readonly sealed: readonly SealedColumn[];
}

/** The state of an identity sequence. */
export interface SequenceState {
  readonly table: string;
  readonly column: string;
  /** A bigint in decimal. */
  readonly last: string;
  readonly called: boolean;
}

/** First entry of an export, with everything that an import must know before it reads rows. */
export interface ExportHeader {
  readonly format: typeof formatName;
  readonly version: typeof formatVersion;
  readonly exportId: string;
  /** ISO 8601, clock of the exporting database. */
  readonly exportedAt: string;
  /** Version of the last tenant migration of the exported tables, and of the newest one that a program must know to work on them. */
  readonly schemaVersion: number;
  readonly requiredVersion: number;
  readonly baseDomain: string;
  readonly tenant: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly category: CategoryCode;
    readonly language: string;
    readonly timeZone: string;
    readonly createdAt: string;
    readonly state: string;
  };
  readonly streams: readonly RowStream[];
  readonly sequences: readonly SequenceState[];
}

/** Sum of the rows of a stream. `sha256` is computed over their COPY text in the order of the primary key, with sealed values decrypted. */
export interface StreamSum {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Number of rows of all streams. */
export const rowsIn = (sums: readonly StreamSum[]): number => sums.reduce((sum, { rows }) => sum + rows, 0);

/** Last entry of an export. */
export interface ExportManifest {
  readonly exportId: string;
  readonly streams: readonly StreamSum[];
}

/** Entry name of one part of a stream; parts count from 1. */
export function partEntry(stream: string, part: number): string {
  return `${stream.replace('.', '/')}/${String(part).padStart(6, '0')}.copy`;
}

/** Stream and number of a part; undefined for other entries. */
export function partOf(entry: string): { readonly stream: string; readonly part: number } | undefined {
  const [, schema, table, part] = /^(tenant|shared)\/([a-z][a-z0-9_]*)\/(\d{6,9})\.copy$/.exec(entry) ?? [];
  return schema && table && part ? { stream: `${schema}.${table}`, part: Number(part) } : undefined;
}

/**
 * Parses the header. The file may come from an untrusted source, so everything that is used in SQL is checked.
 * @throws TransferError for a newer format and for files that are no export
 */
export function parseHeader(json: string): ExportHeader {
  const header = parsed(json) as ExportHeader;
  if (header.format !== formatName) throw notAnExport();
  if (header.version !== formatVersion)
    throw new TransferError(
      `The file has format ${String(header.version)}, this program reads format ${formatVersion}: install the newer Guichet.`,
    );
  const { tenant, streams, sequences } = header;
  const fits =
    [header.exportId, tenant?.id].every((id) => typeof id === 'string' && isUuid(id) && id === id.toLowerCase()) &&
    [tenant.slug, tenant.name, tenant.language, tenant.timeZone, header.baseDomain].every(isText) &&
    isCategory(tenant.category) &&
    [header.exportedAt, tenant.createdAt].every((at) => isText(at) && !Number.isNaN(Date.parse(at))) &&
    [header.schemaVersion, header.requiredVersion].every((version) => Number.isInteger(version) && version >= 0) &&
    Array.isArray(streams) &&
    streams.every(isStream) &&
    Array.isArray(sequences) &&
    sequences.every(isSequence);
  if (!fits) throw notAnExport();
  return header;
}

/** Parses the manifest. @throws TransferError when it is invalid or belongs to another export */
export function parseManifest(json: string, { exportId, streams }: ExportHeader): ExportManifest {
  const manifest = parsed(json) as ExportManifest;
  const fits =
    manifest.exportId === exportId &&
    Array.isArray(manifest.streams) &&
    manifest.streams.length === streams.length &&
    manifest.streams.every(
      ({ name, rows, bytes, sha256 }, index) =>
        name === streams[index]?.name &&
        Number.isSafeInteger(rows) &&
        Number.isSafeInteger(bytes) &&
        isText(sha256) &&
        /^[0-9a-f]{64}$/.test(sha256),
    );
  if (!fits) throw notAnExport();
  return manifest;
}

/** The error for a file that is no export of a tenant. */
export function notAnExport(): TransferError {
  return new TransferError('The file is not the export of a tenant.');
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Invalid JSON is no export either.
  }
  throw notAnExport();
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 300;
}

function isName(value: unknown): boolean {
  return isText(value) && /^[a-z_][a-z0-9_]{0,62}$/.test(value);
}

function isStream({ name, columns, sealed }: RowStream): boolean {
  return (
    isText(name) &&
    partOf(partEntry(name, 1))?.stream === name &&
    Array.isArray(columns) &&
    columns.length > 0 &&
    columns.every(isName) &&
    Array.isArray(sealed) &&
    sealed.every(({ column, purpose }) => columns.includes(column) && isText(purpose))
  );
}

function isSequence({ table, column, last, called }: SequenceState): boolean {
  return isName(table) && isName(column) && /^\d{1,19}$/.test(last) && typeof called === 'boolean';
}
