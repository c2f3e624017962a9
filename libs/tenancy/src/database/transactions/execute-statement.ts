import { sqlStateOf } from '#kernel';
import type pg from 'pg';
import type { DatabaseNode } from '../connections/database-node.js';
import { changedTenant } from '../context/tenancy.problems.js';
import type { TenantIdentity } from '../context/tenant-context.js';

/**
 * Sends one statement of a tenant, which does not enter it.
 * @throws Problem 503 `tenant.changed` when the node does not have the tenant's schema, because it moves to another one or has moved
 */
export async function executeIn<Row extends pg.QueryResultRow>(
  node: DatabaseNode,
  statement: pg.QueryConfig,
  { schemaName, state }: TenantIdentity,
): Promise<Row[]> {
  try {
    return await node.rows<Row>(statement);
  } catch (error) {
    // There is no such table.
    if (sqlStateOf(error) !== '42P01') throw error;
    const text = 'select to_regnamespace($1) is not null as here';
    const [found] = await node.rows<{ here: boolean }>({ text, values: [`"${schemaName}"`] });
    throw found?.here ? error : changedTenant(state);
  }
}
