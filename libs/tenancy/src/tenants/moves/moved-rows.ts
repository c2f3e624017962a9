import { nodeTables } from '../../migrations/shared-tables.js';
import { closedSchema, type MovedTenant } from './moved-tenant.js';

/**
 * Queues: a worker of the old server must not find the rows that move. They are in the schema of the closed tenant. Those that work for the
 * tenant on other servers has written are there and stay there.
 */
export const movedQueues = ['job', 'outbox', 'webhook_queue'] as const;

/** Forms stay on the server of the first Meta. */
const staying = new Set<string>(['place_request', ...movedQueues]);
/** Other rows name those of the first tables. */
const visits = 'support_visit';
const acts = 'support_act';

/** Tables of a server whose other rows move with a tenant, in the order in which they are written. */
export const movedTables: readonly string[] = [
  visits,
  acts,
  ...Object.keys(nodeTables).filter((table) => table !== visits && nodeTables[table]?.ofTenant && !staying.has(table)),
];

/** SQL: the condition for the rows of a tenant in one of `movedTables`. @param id its id */
export function ofTenantSql(table: string, id: string): string {
  return table === acts ? `visit_id in (select id from shared.${visits} where tenant_id = '${id}')` : `tenant_id = '${id}'`;
}

/** The table with the rows of a queue while the tenant is closed. */
export function parkedQueue(tenant: MovedTenant, queue: string): string {
  return `"${closedSchema(tenant)}"."parked_${queue}"`;
}

/** SQL: the order in which the rows of a queue are written, because they get new numbers. */
export function orderOf(queue: (typeof movedQueues)[number]): string {
  return queue === 'outbox' ? ' order by ordinal' : '';
}

/**
 * The columns of a shared table that its rows keep on another server, as a list for SQL: without identities.
 * @param query runs a statement and returns its rows
 * @param source another table, which has the rows: columns that it has not are left out
 */
export async function keptColumnsOf(
  query: (sql: string, values: unknown[]) => Promise<unknown>,
  table: string,
  source = `shared.${table}`,
): Promise<string> {
  const sql = `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
      and attname in (select s.attname from pg_attribute s where s.attrelid = $2::regclass and not s.attisdropped)`;
  const [row] = (await query(sql, [`shared.${table}`, source])) as { columns: string }[];
  return row?.columns ?? '';
}
