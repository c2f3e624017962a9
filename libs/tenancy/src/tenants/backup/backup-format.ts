import { isUuid } from '#kernel';
import { TransferError } from '../transfer/format/transfer-error.js';
import type { SequenceState, StreamSum } from '../transfer/format/transfer-format.js';

export const backupFormat = 'guichet-backup';
export const backupVersion = 1;
export const backupHeaderEntry = 'backup.json';
export const backupManifestEntry = 'manifest.json';
export const sharedSchema = 'shared';

/** First entry of a backup. */
export interface BackupHeader {
  readonly format: typeof backupFormat;
  readonly version: typeof backupVersion;
  readonly backupId: string;
  /** ISO 8601, clock of the database: the moment whose state the backup has. */
  readonly takenAt: string;
  readonly baseDomain: string;
  /** Sealed values of the tables open only with it. */
  readonly serverSecret: string;
  /** Version of the last migration of the shared tables. */
  readonly sharedVersion: number;
  /** In the order of their tables in the file. */
  readonly tenants: readonly BackupTenant[];
}

export interface BackupTenant {
  readonly slug: string;
  readonly schema: string;
  /** Version of the last migration of its tables. */
  readonly version: number;
}

/** Entry before the rows of a schema. */
export interface SchemaShape {
  readonly tables: readonly { readonly table: string; readonly columns: readonly string[] }[];
  readonly sequences: readonly SequenceState[];
}

/** Last entry of a backup: the sums of all tables that have rows, named `<schema>.<table>`. */
export interface BackupManifest {
  readonly backupId: string;
  readonly sums: readonly StreamSum[];
}

/** Entry name of the shape of a schema. */
export const shapeEntry = (schema: string): string => `${schema}/tables.json`;

/** Entry name of one part of the rows of a table; parts count from 1. */
export const rowsEntry = (schema: string, table: string, part: number): string =>
  `${schema}/${table}/${String(part).padStart(6, '0')}.copy`;

/** Parses the header. @throws TransferError for a newer format and for files that are no backup */
export function parseBackupHeader(name: string, body: Buffer): BackupHeader {
  const header = name === backupHeaderEntry ? (parsed(body) as BackupHeader) : undefined;
  if (header?.format !== backupFormat) throw notABackup();
  if (header.version !== backupVersion) {
    throw new TransferError(
      `The file has format ${String(header.version)}, this program reads format ${backupVersion}: install the newer Guichet.`,
    );
  }
  const { backupId, takenAt, baseDomain, serverSecret, sharedVersion, tenants } = header;
  const fits =
    isUuid(backupId) &&
    !Number.isNaN(Date.parse(takenAt)) &&
    [baseDomain, serverSecret].every((text) => typeof text === 'string') &&
    isVersion(sharedVersion) &&
    Array.isArray(tenants) &&
    tenants.every(({ slug, schema, version }) => typeof slug === 'string' && /^t_[0-9a-f]{32}$/.test(schema) && isVersion(version));
  if (!fits) throw notABackup();
  return header;
}

/** Parses another entry in JSON. @throws TransferError */
export function parsed(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Invalid JSON is no backup either.
  }
  throw notABackup();
}

/** The error for a file that is no backup. */
export function notABackup(): TransferError {
  return new TransferError('The file is not a backup of a server.');
}

function isVersion(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}
