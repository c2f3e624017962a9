import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { onOwnConnection } from '../../database/connections/own-connection.js';
import { latestShared, latestTenant, tenantMigrations } from '../../migrations/index.js';
import { createSharedOf } from '../../database/migrating/tenant-migration.js';
import { ArchiveReader } from '../transfer/archive/archive-reader.js';
import type { TransferProgress } from '../transfer/export-file.js';
import { writeRows } from '../transfer/format/copy-rows.js';
import { copySettings, qualified } from '../transfer/format/table-catalog.js';
import { TransferError } from '../transfer/format/transfer-error.js';
import { createUnlinkedTables, linkTables, unlinkTables, type DroppedKey } from '../transfer/format/unlinked-tables.js';
import { readBackup, type BackupVisitor, type ReadBackup } from './backup-file.js';
import { sharedSchema, type BackupHeader, type SchemaShape } from './backup-format.js';
import { unfinishedRestore } from '../../database/migrating/unfinished-restore.js';

/** Advisory lock of a running restore; the number must be unique in the database. */
const restoreLock = 7_263_009;

/** Names of schemas that Guichet creates. */
const ownSchemas = '^(shared|(t|spare|i|r)_[0-9a-f]{32})$';

/** Loads a backup into an empty database. */
@Injectable()
export class RestoreService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reads the whole backup once to verify it, then loads it: the tables of its versions, their rows, keys and sequences. Until all of it is
   * loaded, programs refuse to work on the database, and a second call begins anew.
   * @throws TransferError for a wrong passphrase, a damaged or newer file, and a database that is not empty
   */
  async restore(path: string, passphrase: string, progress?: TransferProgress): Promise<ReadBackup> {
    const half =
      (from: number): TransferProgress =>
      (state) =>
        progress?.({ ...state, done: from + state.done / 2 });
    const { header } = await readBackup(await ArchiveReader.open(path), passphrase, { progress: half(0) });
    refuseNewer(header);
    return onOwnConnection(this.dataSource, 'guichet-restore', async (client) => {
      await prepare(client);
      const loading = new LoadedBackup(client, header);
      const read = await readBackup(await ArchiveReader.open(path), passphrase, { visitor: loading, progress: half(0.5) });
      await loading.end();
      await client.query(`drop table ${unfinishedRestore}`);
      return read;
    });
  }
}

function refuseNewer({ sharedVersion, tenants }: BackupHeader): void {
  if (sharedVersion > latestShared || tenants.some(({ version }) => version > latestTenant))
    throw new TransferError('The backup is of a newer program than this one: install the newer Guichet.');
}

/** Drops what a restore left that did not finish. @throws TransferError when the database is not empty */
async function prepare(client: pg.Client): Promise<void> {
  const { rows: locks } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [restoreLock]);
  if (!locks[0]?.mine) throw new TransferError('Another process restores into this database.');
  const { rows } = await client.query<{ name: string; unfinished: boolean }>(
    'select nspname as name, to_regclass($2) is not null as unfinished from pg_namespace where nspname ~ $1 order by nspname <> $3',
    [ownSchemas, unfinishedRestore, sharedSchema],
  );
  if (rows.some(({ unfinished }) => !unfinished)) {
    throw new TransferError(
      'The database is not empty, and a restore replaces nothing: give another DATA_DIR, or a new database in DATABASE_URL.',
    );
  }
  // The schema with the mark is dropped last, so that a killed call changes nothing about this.
  for (const { name } of rows.toReversed()) await client.query(`drop schema "${name}" cascade`);
}

/** Loads each schema in a transaction of its own, because the locks of all tables are too many for one. */
class LoadedBackup implements BackupVisitor {
  private loaded:
    | { readonly name: string; readonly under: string; readonly shape: SchemaShape; readonly keys: readonly DroppedKey[] }
    | undefined;

  constructor(
    private readonly client: pg.Client,
    private readonly header: BackupHeader,
  ) {}

  async schema(name: string, shape: SchemaShape): Promise<void> {
    await this.end();
    await this.client.query(`begin; ${copySettings}`);
    const tenant = this.header.tenants.find(({ schema }) => schema === name);
    // Under another name, because some migrations copy from the tables into the row of the tenant with this schema.
    const under = tenant ? name.replace(/^t/, 'r') : name;
    const { tables, keys } = tenant
      ? await createUnlinkedTables(this.client, under, tenantMigrations.slice(0, tenant.version))
      : await this.createShared();
    const known = new Map(tables.map(({ table, columns }) => [table, columns]));
    const fits = shape.tables.every(({ table, columns }) => columns.every((column) => known.get(table)?.includes(column)));
    if (!fits) throw new TransferError(`The tables of ${name} are not those of this version of Guichet.`);
    this.loaded = { name, under, shape, keys };
  }

  async rows({ table, columns }: SchemaShape['tables'][number], rows: Buffer): Promise<void> {
    await writeRows(this.client, qualified(this.loaded!.under, table), rows, columns);
  }

  /** Completes the last schema. */
  async end(): Promise<void> {
    if (!this.loaded) return;
    const { name, under, shape, keys } = this.loaded;
    this.loaded = undefined;
    await linkTables(this.client, under, { keys, sequences: shape.sequences });
    if (under !== name) await this.client.query(`alter schema "${under}" rename to "${name}"`);
    await this.client.query('commit');
  }

  private async createShared(): Promise<Awaited<ReturnType<typeof unlinkTables>>> {
    await createSharedOf(this.client, this.header.sharedVersion);
    const unlinked = await unlinkTables(this.client, sharedSchema);
    await this.client.query(`create table ${unfinishedRestore} as select now() as begun_at`);
    return unlinked;
  }
}
