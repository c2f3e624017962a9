import type pg from 'pg';
import type { SecretBox } from '#kernel';
import { holdLock } from '../../../database/transactions/tenant-lock.js';
import { tenantMigrations } from '../../../migrations/index.js';
import { openSealed, readRows, sealOpened, StreamSummer, writeRows, type RowPart } from '../format/copy-rows.js';
import { nodeSettingsSql } from '../../../database/connections/database.js';
import { inTransactionOf } from '../../../database/connections/own-connection.js';
import { sharedStreams, stagedTable } from '../format/shared-streams.js';
import { columnList, copySettings, qualified, tablesOf, type TableShape } from '../format/table-catalog.js';
import { createUnlinkedTables, linkTables, type DroppedKey } from '../format/unlinked-tables.js';
import { TransferError } from '../format/transfer-error.js';
import type { ExportHeader, RowStream, StreamSum } from '../format/transfer-format.js';

/** First key of the advisory locks of running imports. */
export const importLockSpace = 7264;
/**
 * SQL of the second key (32 bits) of the import into a staging schema; it equals `lockKeyOf` of the tenant.
 * @param schema SQL of the schema's name
 */
export const importLockKeySql = (schema: string): string => `('x' || substr(${schema}, 3, 8))::bit(32)`;
/** PostgreSQL regular expression for names of staging schemas. */
export const stagingNames = '^i_[0-9a-f]{32}$';
const partBytes = 1024 * 1024;

/**
 * Collects the rows of an import in a schema without tenant, so that no request reads them. Records the loaded parts, so that a killed
 * import can continue after the last one.
 */
export class ImportStaging {
  readonly schema: string;

  constructor(
    private readonly client: pg.Client,
    private readonly header: ExportHeader,
    private readonly box: SecretBox,
  ) {
    this.schema = `i_${header.tenant.id.replaceAll('-', '')}`;
  }

  /** Id of the export that the staging schema belongs to; undefined when the schema does not exist. */
  async begunWith(): Promise<string | undefined> {
    const { rows } = await this.client.query<{ found: string | null }>('select to_regclass($1) as found', [this.own('import_state')]);
    if (!rows[0]?.found) return undefined;
    const state = await this.client.query<{ id: string }>(`select export_id as id from ${this.own('import_state')}`);
    return state.rows[0]?.id;
  }

  /**
   * Creates the tables of the file's version without rows and without foreign keys, because the order of the rows may violate these.
   * @throws TransferError when the file has other tables
   */
  async create(tables: (shapes: readonly TableShape[]) => void): Promise<void> {
    const { schemaVersion, exportId } = this.header;
    const steps = tenantMigrations.slice(0, schemaVersion);
    await this.transaction(async () => {
      const created = await createUnlinkedTables(this.client, this.schema, steps);
      tables(created.tables);
      await this.client.query('create table import_constraint ("table" text, name text, definition text)');
      await this.client.query('insert into import_constraint select * from json_populate_recordset(null::import_constraint, $1)', [
        JSON.stringify(created.keys),
      ]);
      for (const { name, definition } of sharedStreams)
        await this.client.query(`create table ${this.own(stagedTable(name))} (${definition})`);
      await this.client.query('create table import_part (stream text, part integer, primary key (stream, part))');
      await this.client.query(`create table import_state as select '${exportId}'::uuid as export_id`);
    });
  }

  /** Keys of the loaded parts: `<stream>/<number>`. */
  async loadedParts(): Promise<Set<string>> {
    const { rows } = await this.client.query<{ key: string }>(`select stream || '/' || part as key from ${this.own('import_part')}`);
    return new Set(rows.map(({ key }) => key));
  }

  /** Loads the rows of one part and records it, in one transaction. */
  async load(stream: RowStream, part: number, rows: RowPart): Promise<void> {
    await this.transaction(async () => {
      await writeRows(this.client, this.own(stagedTable(stream.name)), sealOpened(rows, stream, this.box), stream.columns);
      await this.client.query(`insert into ${this.own('import_part')} values ($1, $2)`, [stream.name, part]);
    });
  }

  /** Adds the foreign keys, which checks all rows, and sets the identity sequences. */
  async complete(): Promise<void> {
    await this.transaction(async () => {
      await this.client.query(`set local search_path to "${this.schema}"`);
      await linkTables(this.client, this.schema, { keys: await this.constraints(), sequences: this.header.sequences });
    });
  }

  /** Computes the sum of the loaded rows of a stream. */
  async sumOf(stream: RowStream): Promise<StreamSum> {
    const summer = new StreamSummer(stream.name);
    const table = stagedTable(stream.name);
    const orderBy = sharedStreams.find(({ name }) => name === stream.name)?.orderBy ?? (await this.orderOf(table));
    const query = `select ${columnList(stream.columns)} from ${this.own(table)} order by ${orderBy}`;
    await this.transaction(async () => {
      for await (const rows of readRows(this.client, query, partBytes)) summer.add(openSealed(rows, stream, this.box));
    });
    return summer.sum();
  }

  private async orderOf(name: string): Promise<string> {
    const shapes = await tablesOf(this.client, this.schema, name);
    if (!shapes[0]) throw new TransferError(`The table ${name} is missing.`);
    return shapes[0].orderBy;
  }

  private async constraints(): Promise<DroppedKey[]> {
    const { rows } = await this.client.query<DroppedKey>(
      `select "table", name, definition from ${this.own('import_constraint')} order by 1, 2`,
    );
    return rows;
  }

  private own(table: string): string {
    return qualified(this.schema, table);
  }

  private transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return inTransactionOf(this.client, `begin; ${nodeSettingsSql}; ${copySettings}`, work);
  }
}

/** Locks a tenant's import until the connection is closed. False when another process holds the lock. */
export function lockImport(client: pg.Client, tenantId: string): Promise<boolean> {
  return holdLock(client, importLockSpace, tenantId);
}
