import pg from 'pg';
import { settleSession } from './database.js';
import type { DataSource } from 'typeorm';

/** Runs `work` on a new connection without the pool's time limits, and always closes it. */
export async function onOwnConnection<Result>(
  dataSource: DataSource,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { url } = dataSource.options as { url?: string };
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await settleSession(client);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Runs `work` between `begin` and `commit`. After an error the connection cannot be used any more, because an unfinished COPY would block
 * all further statements, also a rollback; closing it rolls back.
 */
export async function inTransactionOf<Result>(client: pg.ClientBase, begin: string, work: () => Promise<Result>): Promise<Result> {
  await client.query(begin);
  const result = await work();
  await client.query('commit');
  return result;
}
