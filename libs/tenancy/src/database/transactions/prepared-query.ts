import type pg from 'pg';
import { QueryRunnerAlreadyReleasedError, type QueryRunner } from 'typeorm';
import { inOrder } from '../connections/in-order.js';
import { clientOf } from '../connections/transaction-runner.js';
import type { Tx } from './tx.js';

/** A prepared statement: `{tenant}` stands for the quoted schema, `$1` … for the parameters. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** A prepared statement with its values. */
export interface SentStatement {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
}

/**
 * Runs a prepared statement in a transaction of a tenant, for work that many requests repeat: each connection parses and plans it once.
 * It is sent before this function returns, so that several can be on their way at once (`inOrder`).
 * `PREPARED_STATEMENTS=off` switches the names off. Errors are those of PostgreSQL, not wrapped by TypeORM.
 * @param statement without `{tenant}`: the search path of the transaction decides. PostgreSQL plans it again when the search path changes
 */
export async function queryPrepared<Row extends pg.QueryResultRow>(
  tx: Tx,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = tx.queryRunner as QueryRunner;
  // TypeORM releases a runner whose connection broke; a new connection would be outside of the transaction.
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  const client = clientOf(tx);
  const { preparedStatements } = tx.dataSource.options.extra as { preparedStatements: boolean };
  const { rows } = await client.query<Row>({ ...(preparedStatements && { name }), text, values: [...values] });
  return rows;
}

/**
 * Runs statements as `queryPrepared` does, all in one round trip.
 * @returns the rows of the last one
 * @throws the error of the first one that failed
 */
export async function queryTogether<Row extends pg.QueryResultRow>(tx: Tx, statements: readonly SentStatement[]): Promise<Row[]> {
  return (await inOrder(statements.map(({ statement, values }) => queryPrepared<Row>(tx, statement, values)))).at(-1) ?? [];
}
