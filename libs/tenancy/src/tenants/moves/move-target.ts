import type pg from 'pg';
import { latestTenant, tenantMigrations } from '../../migrations/index.js';
import { lockKeyOf, tenantLockSpace } from '../../database/transactions/tenant-lock.js';
import { countRows, readRows, writeRows } from '../transfer/format/copy-rows.js';
import { columnList, copySettings, qualified, sequencesOf, tablesOf, type TableShape } from '../transfer/format/table-catalog.js';
import { TransferError } from '../transfer/format/transfer-error.js';
import { createUnlinkedTables, linkTables, type DroppedKey } from '../transfer/format/unlinked-tables.js';
import { keptColumnsOf, movedQueues, movedTables, ofTenantSql, orderOf, parkedQueue } from './moved-rows.js';
import { closedSchema, type MovedTenant } from './moved-tenant.js';

/** A part of the rows that the process holds at a time. */
const partBytes = 1 << 20;

/**
 * The new copy of a tenant. All is one transaction on the new server, which ends with the switch: it is complete, or it leaves nothing.
 */
export class MoveTarget {
  private keys: readonly DroppedKey[] = [];

  /** @param source a connection to the old server, in the transaction of `beginReading` */
  constructor(
    private readonly client: pg.Client,
    private readonly source: pg.Client,
    private readonly tenant: MovedTenant,
  ) {}

  /** Begins the transaction and makes the tables, while the tenant is open. */
  async prepare(): Promise<void> {
    await this.client.query('begin');
    await this.client.query(copySettings);
    // The record of changes arrives with the tenant: its rows are not created here.
    await this.client.query(`set local guichet.migrating to 'on'`);
    const { keys } = await createUnlinkedTables(this.client, this.tenant.schemaName, tenantMigrations);
    this.keys = keys;
  }

  /** Copies the rows of the tenant's tables. @returns their number @throws TransferError when both servers have other tables */
  async copyTables(tables: readonly TableShape[]): Promise<number> {
    const { schemaName } = this.tenant;
    const own = await tablesOf(this.client, schemaName);
    if (columnsText(own) !== columnsText(tables)) throw new TransferError('The tables of both servers are not the same.');
    let rows = 0;
    for (const shape of tables) rows += await this.copyTable(shape);
    await this.compareRows(tables);
    const sequences = await sequencesOf(this.source, closedSchema(this.tenant));
    await linkTables(this.client, schemaName, { keys: this.keys, sequences });
    await this.compareConstraints();
    return rows;
  }

  /**
   * Copies the tenant's rows of the shared tables that each server has for itself. Its lock keeps the removal of an earlier copy on this
   * server from deleting them.
   */
  async copyShared(): Promise<void> {
    const { tenant, client } = this;
    await client.query('select pg_advisory_xact_lock($1, $2)', [tenantLockSpace, lockKeyOf(tenant.id)]);
    // Deletes what an earlier stay on this server has left.
    for (const table of movedTables.toReversed()) await client.query(`delete from shared.${table} where ${ofTenantSql(table, tenant.id)}`);
    for (const table of movedTables) await this.copyInto(table, `shared.${table} where ${ofTenantSql(table, tenant.id)}`);
    for (const queue of movedQueues) await this.copyInto(queue, `${parkedQueue(tenant, queue)}${orderOf(queue)}`);
  }

  /** Makes this server the one of the tenant, opens it, and commits. */
  async switch(to: number): Promise<void> {
    const { id, node } = this.tenant;
    const { rowCount } = await this.client.query(
      `update shared.tenant set node = $2, moving_to = null, moving_since = null
       where id = $1 and node = $3 and moving_since is not null and schema_version = $4`,
      [id, to, node, latestTenant],
    );
    if (rowCount !== 1) throw new TransferError('The tenant was changed by somebody else.');
    await this.client.query('commit');
  }

  /** Gathers statistics for the planner, once the tenant is open. */
  async analyze(tables: readonly TableShape[]): Promise<void> {
    await this.client.query(`analyze ${tables.map(({ table }) => qualified(this.tenant.schemaName, table)).join(', ')}`);
  }

  /** @returns the number of rows */
  private async copyTable({ table, columns }: TableShape): Promise<number> {
    const list = columnList(columns);
    const into = qualified(this.tenant.schemaName, table);
    const from = `select ${list} from ${qualified(closedSchema(this.tenant), table)}`;
    let rows = 0;
    for await (const part of readRows(this.source, from, partBytes)) {
      rows += countRows(part);
      await writeRows(this.client, into, part, columns);
    }
    return rows;
  }

  /** Compares numbers and sums of all rows, which both servers compute at the same time. */
  private async compareRows(tables: readonly TableShape[]): Promise<void> {
    const { client, source, tenant } = this;
    const [here, there] = await Promise.all([sumsOf(client, tenant.schemaName, tables), sumsOf(source, closedSchema(tenant), tables)]);
    const other = tables.find((_, index) => here[index] !== there[index]);
    if (other) throw new TransferError(`The copy of ${other.table} is not the same.`);
  }

  /** Columns with identities get new values. */
  private async copyInto(table: string, from: string): Promise<void> {
    const { client, source, tenant } = this;
    const columns = await keptColumnsOf(async (sql, values) => (await client.query(sql, values)).rows, table);
    const arriving = qualified(tenant.schemaName, `arriving_${table}`);
    await client.query(`create table ${arriving} as select ${columns} from shared.${table} with no data`);
    for await (const part of readRows(source, `select ${columns} from ${from}`, partBytes)) await writeRows(client, arriving, part);
    await client.query(`insert into shared.${table} (${columns}) select ${columns} from ${arriving} on conflict do nothing`);
    await client.query(`drop table ${arriving}`);
  }

  private async compareConstraints(): Promise<void> {
    const { client, source, tenant } = this;
    const [here, there] = await Promise.all([constraintsOf(client, tenant.schemaName), constraintsOf(source, closedSchema(tenant))]);
    if (here !== there) throw new TransferError('The constraints, indexes and triggers of both servers are not the same.');
  }
}

function columnsText(tables: readonly TableShape[]): string {
  return JSON.stringify(tables.map(({ table, columns }) => [table, columns.toSorted()]));
}

/** For each table the number of its rows and a sum over them that does not depend on their order. Texts are those of `copySettings`. */
async function sumsOf(client: pg.ClientBase, schema: string, tables: readonly TableShape[]): Promise<string[]> {
  const sums = tables.map(
    ({ table, columns }, index) => `select ${index} as place, count(*) || ' ' || coalesce(sum(hashtextextended(
      row(${columnList(columns.toSorted())})::text, 0)), 0) as sum from ${qualified(schema, table)}`,
  );
  const { rows } = await client.query<{ sum: string }>(`${sums.join(' union all ')} order by place`);
  return rows.map(({ sum }) => sum);
}

/** Names of the constraints, indexes and triggers of a schema. */
async function constraintsOf(client: pg.ClientBase, schema: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(kind || ' ' || owner || ' ' || name, E'\\n' order by kind, owner, name) as names from (
       select 'constraint' as kind, c.relname::text as owner, k.conname::text as name, c.relnamespace as space
         from pg_constraint k join pg_class c on c.oid = k.conrelid where k.contype <> 'n'
       union all select 'index', c.relname::text, i.relname::text, c.relnamespace
         from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid where x.indisvalid
       union all select 'trigger', c.relname::text, t.tgname::text, c.relnamespace
         from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and t.tgenabled = 'O') found
     where space = $1::regnamespace and owner not like 'parked\\_%'`,
    [schema],
  );
  return rows[0]?.names ?? '';
}
