import pg from 'pg';
import type { DataSource } from 'typeorm';

/** Runs `work` on a connection of its own, which has none of the pool's time limits and is closed however the work ends. */
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
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Runs `work` between `begin` and `commit`. When it fails, the connection is of no more use: a COPY that was left in the middle would
 * hold up everything behind it, also a rollback. Closing the connection rolls back.
 */
export async function inTransactionOf<Result>(client: pg.ClientBase, begin: string, work: () => Promise<Result>): Promise<Result> {
  await client.query(begin);
  const result = await work();
  await client.query('commit');
  return result;
}
