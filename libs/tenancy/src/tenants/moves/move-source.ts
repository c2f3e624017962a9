import type pg from 'pg';
import { lockAlone } from '../../database/transactions/tenant-lock.js';
import type { Tx } from '../../database/transactions/tx.js';
import { copySettings, qualified, tablesOf, type TableShape } from '../transfer/format/table-catalog.js';
import { keptColumnsOf, movedQueues, orderOf, parkedQueue } from './moved-rows.js';
import { closedSchema, type MovedTenant } from './moved-tenant.js';

/** Longest wait for statements that began before the tenant was closed. */
const patience = '10s';

/**
 * Closes a tenant in one transaction on its server: waits for its running transactions, renames its schema, and takes its rows from the
 * queues of the server. Later transactions are refused, whatever their process has cached.
 * @returns false when the tenant is closed already, or is not on this server any more
 * @throws PostgreSQL's 55P03 when its transactions do not end in time; nothing is changed then
 */
export async function closeTenant(tx: Tx, tenant: MovedTenant, to: number): Promise<boolean> {
  const { id, node, schemaName } = tenant;
  await lockAlone(tx, id);
  const [, closed] = await tx.query<[unknown[], number]>(
    `update shared.tenant set moving_to = $2, moving_since = (select now()) where id = $1 and node = $3 and moving_since is null`,
    [id, to, node],
  );
  if (closed === 0) return false;
  await tx.query(`alter schema "${schemaName}" rename to "${closedSchema(tenant)}"`);
  for (const queue of movedQueues) await tx.query(`create table ${parkedQueue(tenant, queue)} (like shared.${queue} including indexes)`);
  await parkQueues(tx, tenant);
  return true;
}

/**
 * Takes the rows of a closed tenant from the queues of its server. Called again when statements that ran while it was closed have ended
 * (`beginReading`), for what they have written.
 */
export async function parkQueues(tx: Tx, tenant: MovedTenant): Promise<void> {
  for (const queue of movedQueues) {
    await tx.query(
      `with taken as (delete from shared.${queue} where tenant_id = $1 returning *)
       insert into ${parkedQueue(tenant, queue)} select * from taken`,
      [tenant.id],
    );
  }
}

/**
 * Opens a closed tenant where it is. @returns false when it is not on this server any more, or is not closed
 * @throws PostgreSQL's 55P03 while its switch to the other server is not decided
 */
export async function reopenTenant(tx: Tx, tenant: MovedTenant): Promise<boolean> {
  const { id, node, schemaName } = tenant;
  await lockAlone(tx, id);
  const [, opened] = await tx.query<[unknown[], number]>(
    `update shared.tenant set moving_to = null, moving_since = null where id = $1 and node = $2 and moving_since is not null`,
    [id, node],
  );
  if (opened === 0) return false;
  for (const queue of movedQueues) {
    const parked = parkedQueue(tenant, queue);
    // The parked rows may be those of an older or newer program.
    const columns = await keptColumnsOf((sql, values) => tx.query(sql, values), queue, parked);
    await tx.query(`insert into shared.${queue} (${columns}) select ${columns} from ${parked}${orderOf(queue)} on conflict do nothing`);
    await tx.query(`drop table ${parked}`);
  }
  await tx.query(`alter schema "${closedSchema(tenant)}" rename to "${schemaName}"`);
  return true;
}

/**
 * Begins a transaction that reads the tables of a closed tenant, and waits for statements that write them still.
 * @returns the tables, without those of the queues
 */
export async function beginReading(client: pg.Client, tenant: MovedTenant): Promise<TableShape[]> {
  const schema = closedSchema(tenant);
  await client.query('begin');
  await client.query(copySettings);
  await client.query(`set local search_path to "${schema}"`);
  const tables = (await tablesOf(client, schema)).filter(({ table }) => !table.startsWith('parked_'));
  await client.query(`set local lock_timeout to '${patience}'`);
  await client.query(`lock table ${tables.map(({ table }) => qualified(schema, table)).join(', ')} in share mode`);
  return tables;
}
