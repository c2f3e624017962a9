import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SERVER_SECRET, SETTINGS, type Settings } from '#kernel';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { Nodes } from '../../database/connections/nodes.js';
import { inTransactionOf, onOwnConnection } from '../../database/connections/own-connection.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { ArchiveReader } from '../transfer/archive/archive-reader.js';
import { ArchiveWriter } from '../transfer/archive/archive-writer.js';
import type { TransferProgress } from '../transfer/export-file.js';
import { readRows, StreamSummer } from '../transfer/format/copy-rows.js';
import { columnList, copySettings, qualified, sequencesOf, tablesOf, type TableShape } from '../transfer/format/table-catalog.js';
import { TransferError } from '../transfer/format/transfer-error.js';
import { rowsIn, type StreamSum } from '../transfer/format/transfer-format.js';
import { shortestPassphrase } from '../transfer/tenant-export.service.js';
import { readBackup } from './backup-file.js';
import {
  backupFormat,
  backupHeaderEntry,
  backupManifestEntry,
  backupVersion,
  rowsEntry,
  shapeEntry,
  sharedSchema,
  type BackupHeader,
  type BackupManifest,
  type BackupTenant,
  type SchemaShape,
} from './backup-format.js';

export interface BackupOptions {
  readonly passphrase: string;
  readonly progress?: TransferProgress;
  /** Base-2 logarithm of scrypt's work factor, as for exports. */
  readonly workFactor?: number;
  /** Approximate size of a part in bytes. */
  readonly partBytes?: number;
}

/** A complete and verified backup. */
export interface BackupReport {
  readonly path: string;
  readonly header: BackupHeader;
  readonly rows: number;
  /** Size of the file. */
  readonly bytes: number;
  readonly sha256: string;
}

/** The last backup of this server. */
export interface LastBackup {
  readonly finishedAt: Date;
  /** By the clock of the database. */
  readonly ageSeconds: number;
  readonly bytes: number;
}

/** One snapshot is of one server. */
const ofOneServer =
  'A backup reads one database server, and this installation has several: back up each of them with a common restore point ' +
  '(docs/operations.md, Several database servers).';

/** Tables of the shared schema whose rows are not backed up, because they describe schemas that are not. */
const notBackedUp = new Set(['spare_schema']);

/**
 * Writes a consistent snapshot of the whole server to an encrypted file while it works: all shared tables, all tenants with their pictures,
 * and the server secret. It needs no program of PostgreSQL, and locks the tables of one tenant at a time, so that the number of tenants
 * does not need `max_locks_per_transaction`. Memory use does not depend on the size.
 */
@Injectable()
export class BackupService implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly db: TenantDb,
    private readonly nodes: Nodes,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'baseDomain'>,
    @Inject(SERVER_SECRET) private readonly serverSecret: string,
  ) {}

  /**
   * Writes a backup, reads all of it again, and records it. The file gets its name when it is complete.
   * @throws TransferError when there are several database servers, for a short passphrase, when the file exists, cannot be written or is
   *   not what was written, and when a tenant was deleted or migrated meanwhile; no file is left then, unless only the record failed
   */
  async write(path: string, options: BackupOptions): Promise<BackupReport> {
    const { passphrase, progress, workFactor = 17 } = options;
    if (this.nodes.areSeveral) throw new TransferError(ofOneServer);
    if (passphrase.length < shortestPassphrase) throw new TransferError(`The passphrase has at least ${shortestPassphrase} characters.`);
    const writer = await ArchiveWriter.create(path, passphrase, workFactor);
    try {
      const { header, manifest } = await this.writeEntries(writer, options);
      const verify = async (written: string): Promise<unknown> =>
        readBackup(await ArchiveReader.open(written), passphrase, { progress: (state) => this.report(state, progress) });
      const { bytes, sha256 } = await writer.finish(verify);
      const rows = rowsIn(manifest.sums);
      await this.db.shared((tx) => tx.query(recordSql, [header.backupId, header.takenAt, bytes, rows, sha256]));
      return { path, header, rows, bytes, sha256 };
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** The last backup; undefined when there was none. */
  async last(): Promise<LastBackup | undefined> {
    const [row] = await this.db.sharedStatement<LastBackup & Record<string, unknown>>(lastStatement, []);
    return row;
  }

  /** Cancels a running backup, which deletes its file. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** One connection holds the snapshot and reads the shared tables; another one reads the tenants, each in its own transaction. */
  private writeEntries(writer: ArchiveWriter, options: BackupOptions): Promise<{ header: BackupHeader; manifest: BackupManifest }> {
    return onOwnConnection(this.dataSource, 'guichet-backup', async (client) => {
      const shared = await tablesOf(client, sharedSchema);
      return inTransactionOf(client, beginSql(lockSql(sharedSchema, shared)), async () => {
        const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
        const header = await this.headerOf(client);
        const sums: StreamSum[] = [];
        await writer.add(backupHeaderEntry, Buffer.from(JSON.stringify(header)));
        const backedUp = shared.filter(({ table }) => !notBackedUp.has(table));
        sums.push(...(await this.writeSchema(client, writer, { schema: sharedSchema, tables: backedUp }, options)));
        await onOwnConnection(this.dataSource, 'guichet-backup', async (reader) => {
          for (const [index, tenant] of header.tenants.entries()) {
            this.report({ stream: tenant.slug, done: index / header.tenants.length }, options.progress);
            const tables = await tablesOf(reader, tenant.schema).catch(() => []);
            if (tables.length === 0) throw changedMeanwhile(tenant);
            const begin = beginSql(`set transaction snapshot '${rows[0]!.snapshot}'; ${lockSql(tenant.schema, tables)}`);
            await inTransactionOf(reader, begin, async () => {
              await this.refuseMigrated(tenant);
              sums.push(...(await this.writeSchema(reader, writer, { schema: tenant.schema, tables }, options)));
            });
          }
        });
        const manifest = { backupId: header.backupId, sums };
        await writer.add(backupManifestEntry, Buffer.from(JSON.stringify(manifest)));
        return { header, manifest };
      });
    });
  }

  /** Writes the shape and the rows of a schema. @returns the sums of its tables that have rows */
  private async writeSchema(
    client: pg.Client,
    writer: ArchiveWriter,
    { schema, tables }: { readonly schema: string; readonly tables: readonly TableShape[] },
    { partBytes = 4 * 1024 * 1024 }: BackupOptions,
  ): Promise<StreamSum[]> {
    const shape: SchemaShape = {
      tables: tables.map(({ table, columns }) => ({ table, columns })),
      sequences: await sequencesOf(client, schema),
    };
    await writer.add(shapeEntry(schema), Buffer.from(JSON.stringify(shape)));
    const sums: StreamSum[] = [];
    for (const { table, columns, orderBy } of tables) {
      const summer = new StreamSummer(`${schema}.${table}`);
      let part = 0;
      const query = `select ${columnList(columns)} from ${qualified(schema, table)} order by ${orderBy}`;
      for await (const rows of readRows(client, query, partBytes)) {
        if (this.stopping) throw stopped();
        await writer.add(rowsEntry(schema, table, (part += 1)), rows);
        summer.add(rows);
      }
      if (part > 0) sums.push(summer.sum());
    }
    return sums;
  }

  /** @throws TransferError when the program stops */
  private report(state: Parameters<TransferProgress>[0], progress?: TransferProgress): void {
    if (this.stopping) throw stopped();
    progress?.(state);
  }

  private async headerOf(client: pg.Client): Promise<BackupHeader> {
    const { rows } = await client.query<{ facts: Pick<BackupHeader, 'takenAt' | 'sharedVersion' | 'tenants'> }>(factsSql);
    return {
      format: backupFormat,
      version: backupVersion,
      backupId: randomUUID(),
      baseDomain: this.settings.baseDomain,
      serverSecret: this.serverSecret,
      ...rows[0]!.facts,
    };
  }

  /** A migration rewrites rows, which the snapshot then does not see. Its tables are locked, so that none begins after this. */
  private async refuseMigrated(tenant: BackupTenant): Promise<void> {
    const rows = await this.db.shared((tx) =>
      tx.query<unknown[]>('select 1 from shared.tenant where schema_name = $1 and schema_version = $2', [tenant.schema, tenant.version]),
    );
    if (rows.length === 0) throw changedMeanwhile(tenant);
  }
}

function changedMeanwhile({ slug }: BackupTenant): TransferError {
  return new TransferError(`The tenant ${slug} was deleted or migrated meanwhile, or has no tables: begin the backup again.`);
}

function stopped(): TransferError {
  return new TransferError('The backup was stopped.');
}

const beginSql = (more: string): string => `begin isolation level repeatable read read only; ${more}; ${copySettings}`;

const lockSql = (schema: string, tables: readonly TableShape[]): string =>
  `lock table ${tables.map(({ table }) => qualified(schema, table)).join(', ')} in access share mode`;

const factsSql = `select json_build_object('takenAt', now(), 'sharedVersion', (select schema_version from shared.installation),
    'tenants', (select coalesce(json_agg(json_build_object('slug', slug, 'schema', schema_name, 'version', schema_version)
      order by slug), '[]') from shared.tenant)) as facts`;

const recordSql = 'insert into shared.backup (id, taken_at, bytes, rows, sha256) values ($1, $2, $3, $4, $5)';

const lastStatement = {
  name: 'last-backup',
  text: `select finished_at as "finishedAt", bytes::float8 as bytes,
      extract(epoch from statement_timestamp() - finished_at)::float8 as "ageSeconds"
    from shared.backup order by finished_at desc limit 1`,
};
