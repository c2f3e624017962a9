import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { SecretBox, SETTINGS, type Settings } from '#kernel';
import type pg from 'pg';
import { TenantHistoryService } from '../tenants/tenant-history.service.js';
import { currentNode } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { ArchiveWriter } from './archive/archive-writer.js';
import { openSealed, readRows, StreamSummer } from './format/copy-rows.js';
import type { TransferProgress } from './export-file.js';
import { Nodes } from '../../database/connections/nodes.js';
import { inTransactionOf, onOwnConnection } from '../../database/connections/own-connection.js';
import { SealedColumnsService } from './sealed-columns.service.js';
import { sharedStreams, tablesThatStay } from './format/shared-streams.js';
import { columnList, copySettings, qualified, sequencesOf, tablesOf } from './format/table-catalog.js';
import { TransferError } from './format/transfer-error.js';
import {
  formatName,
  formatVersion,
  headerEntry,
  manifestEntry,
  partEntry,
  type ExportHeader,
  type ExportManifest,
  type RowStream,
} from './format/transfer-format.js';

export const shortestPassphrase = 12;

export interface ExportOptions {
  readonly passphrase: string;
  readonly progress?: TransferProgress;
  /** Base-2 logarithm of scrypt's work factor; 17 takes about one second and 128 MiB, once per export. */
  readonly workFactor?: number;
  /** Approximate size of a part in bytes. */
  readonly partBytes?: number;
}

export interface ExportReport {
  readonly header: ExportHeader;
  readonly manifest: ExportManifest;
  /** Size of the file. */
  readonly bytes: number;
  readonly sha256: string;
}

interface Exported {
  readonly stream: RowStream;
  /** SQL of the rows, without an order. */
  readonly source: string;
  readonly orderBy: string;
}

/** Writes a consistent snapshot of a tenant to an encrypted file while the tenant works. Memory use does not depend on its size. */
@Injectable()
export class TenantExportService implements BeforeApplicationShutdown {
  private stopping = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly nodes: Nodes,
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly sealed: SealedColumnsService,
    private readonly history: TenantHistoryService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'baseDomain'>,
  ) {}

  /**
   * Exports a tenant and records the export. The file gets its name when it is complete.
   * @throws TransferError for Root, a short passphrase, and when the file exists or cannot be written
   */
  async export(tenantId: string, path: string, options: ExportOptions): Promise<ExportReport> {
    if (options.passphrase.length < shortestPassphrase)
      throw new TransferError(`The passphrase has at least ${shortestPassphrase} characters.`);
    const exported = this.db.onNodeOf(tenantId, () => this.write(tenantId, path, options));
    this.running = exported.catch(() => undefined);
    return exported;
  }

  /** Cancels a running export, which deletes its file. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async write(tenantId: string, path: string, options: ExportOptions): Promise<ExportReport> {
    const writer = await ArchiveWriter.create(path, options.passphrase, options.workFactor ?? 17);
    try {
      const { dataSource } = await this.nodes.use(currentNode());
      const { header, manifest } = await onOwnConnection(dataSource, 'guichet-export', (client) =>
        this.writeEntries(client, tenantId, writer, options),
      );
      const { bytes, sha256 } = await writer.finish();
      const { id, slug } = header.tenant;
      const details = { export_id: header.exportId, sha256 };
      await this.db.shared((tx) => this.history.record(tx, { tenantId: id, slug, action: 'exported', details }));
      return { header, manifest, bytes, sha256 };
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  private async writeEntries(
    client: pg.Client,
    tenantId: string,
    writer: ArchiveWriter,
    { progress = () => undefined, partBytes = 4 * 1024 * 1024 }: ExportOptions,
  ): Promise<{ header: ExportHeader; manifest: ExportManifest }> {
    const schema = await schemaOf(client, tenantId);
    const tables = (await tablesOf(client, schema)).map(({ table }) => qualified(schema, table)).join(', ');
    // Locks the tables before the snapshot is taken, so that no migration changes them in between.
    const begin = `begin isolation level repeatable read read only; ${copySettings}; lock table ${tables} in access share mode`;
    return inTransactionOf(client, begin, async () => {
      const streams = await this.streamsOf(client, tenantId, schema);
      const header = await this.headerOf(client, tenantId, schema, streams);
      const total = await countAll(client, streams);
      await writer.add(headerEntry, Buffer.from(JSON.stringify(header)));
      const manifest: ExportManifest = { exportId: header.exportId, streams: [] };
      let done = 0;
      for (const { stream, source, orderBy } of streams) {
        const summer = new StreamSummer(stream.name);
        let part = 0;
        for await (const rows of readRows(client, `${source} order by ${orderBy}`, partBytes)) {
          if (this.stopping) throw new TransferError('The export was stopped.');
          const open = openSealed(rows, stream, this.box);
          await writer.add(partEntry(stream.name, (part += 1)), open);
          done += summer.add(open);
          progress({ stream: stream.name, done: Math.min(1, done / total) });
        }
        (manifest.streams as ExportManifest['streams'][number][]).push(summer.sum());
      }
      await writer.add(manifestEntry, Buffer.from(JSON.stringify(manifest)));
      return { header, manifest };
    });
  }

  private async streamsOf(client: pg.Client, tenantId: string, schema: string): Promise<Exported[]> {
    const own = (await tablesOf(client, schema))
      .filter(({ table }) => tablesThatStay[table] === undefined)
      .map(({ table, columns, orderBy }) => ({
        stream: { name: `tenant.${table}`, columns, sealed: this.sealedOf(table, columns, tenantId) },
        source: `select ${columnList(columns)} from ${qualified(schema, table)}`,
        orderBy,
      }));
    const shared = sharedStreams.map(({ name, columns, sealed, select, orderBy }) => ({
      stream: { name, columns, sealed },
      source: `select * from (select ${select.replaceAll('$tenant', `'${tenantId}'`)}) rows`,
      orderBy,
    }));
    return [...own, ...shared];
  }

  private sealedOf(table: string, columns: readonly string[], tenantId: string): RowStream['sealed'] {
    return this.sealed
      .all()
      .filter((one) => one.table === table && columns.includes(one.column))
      .map(({ column, purpose }) => ({ column, purpose: purpose(tenantId) }));
  }

  private async headerOf(client: pg.Client, tenantId: string, schema: string, streams: readonly Exported[]): Promise<ExportHeader> {
    const { rows } = await client.query<{ facts: ExportHeader['tenant'] & Omit<ExportHeader, 'tenant'> }>(factsSql, [tenantId]);
    const { schemaVersion, requiredVersion, exportedAt, ...tenant } = rows[0]!.facts;
    if (tenant.category === 'R') throw new TransferError('Root belongs to its server and is not exported.');
    return {
      format: formatName,
      version: formatVersion,
      exportId: randomUUID(),
      exportedAt,
      schemaVersion,
      requiredVersion,
      baseDomain: this.settings.baseDomain,
      tenant,
      streams: streams.map(({ stream }) => stream),
      sequences: await sequencesOf(client, schema),
    };
  }
}

const factsSql = `select json_build_object('id', id, 'slug', slug, 'name', name, 'category', category, 'language', language,
    'timeZone', time_zone, 'createdAt', created_at, 'state', state, 'schemaVersion', schema_version, 'requiredVersion', required_version,
    'exportedAt', now()) as facts
  from shared.tenant where id = $1`;

/** @throws TransferError when there is no such tenant */
async function schemaOf(client: pg.Client, tenantId: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select schema_name as name from shared.tenant where id = $1', [tenantId]);
  if (!rows[0]) throw new TransferError('There is no such tenant.');
  return rows[0].name;
}

async function countAll(client: pg.Client, streams: readonly Exported[]): Promise<number> {
  let total = 0;
  for (const { source } of streams) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from (${source}) counted`);
    total += Number(rows[0]?.count);
  }
  return Math.max(1, total);
}
