import { isDatabaseUnavailable, UnavailableError } from '#kernel';
import type pg from 'pg';
import { inOrder } from './in-order.js';
import type { PipelinedClient } from './pipelined-client.js';
import {
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
  type DataSource,
  type EntityManager,
  type QueryRunner,
} from 'typeorm';

/** PostgreSQL rolled back the transaction although the work ended without an error, because the work swallowed an error. */
export class AbortedTransactionError extends Error {
  constructor() {
    super('The transaction was aborted by an error that the work did not let through.');
  }
}

const clients = new WeakMap<EntityManager, PipelinedClient>();

/** The connection of an open transaction. */
export function clientOf(tx: EntityManager): PipelinedClient {
  return clients.get(tx) as PipelinedClient;
}

/**
 * Runs `begin`, the work and the commit. `begin` and the first statements of the work are sent together, to save a round trip. After an
 * error the caller does not wait for the rollback: a working connection is rolled back in the background, a broken one (time-out,
 * disconnected) is destroyed, and PostgreSQL rolls back.
 * @param begin sends statements, which leave together with the first one of the work, and returns their promises
 * @throws the error of `begin` before that of `work`, because PostgreSQL refuses all statements after the first error
 * @throws UnavailableError when the connection broke between two statements
 */
export async function runTransaction<Result>(
  dataSource: DataSource,
  begin: (client: pg.PoolClient) => readonly Promise<unknown>[],
  work: (tx: EntityManager) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as PipelinedClient & pg.PoolClient;
  clients.set(runner.manager, client);
  try {
    const begun = inOrder(begin(client));
    markActive(runner, true);
    const working = (async () => work(runner.manager))();
    const [, result] = await inOrder([begun, working]);
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new AbortedTransactionError();
    markActive(runner, false);
    if (transactionStatus(client) === 'I') await runner.release();
    else destroy(runner, client);
    return result;
  } catch (error) {
    markActive(runner, false);
    if (runner.isReleased || connectionFailed(error)) destroy(runner, client);
    else void rollBack(runner, client);
    throw brokenBetweenStatements(error) ? new UnavailableError('The connection broke.', { cause: error }) : error;
  }
}

/**
 * Runs statements as one transaction in one round trip.
 * @param statementsFor values are text or bytes
 * @returns the rows of the last one
 * @throws the error of the first one that failed; nothing is written then
 */
export async function runAtOnce<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statementsFor: (client: pg.PoolClient) => readonly pg.QueryConfig<unknown[]>[],
): Promise<Row[]> {
  const client = (await pool.connect()) as PipelinedClient & pg.PoolClient;
  // When the connection breaks, the statements fail, too.
  client.on('error', nothing);
  let broken = false;
  try {
    return await client.atOnce<Row>(statementsFor(client));
  } catch (error) {
    broken = connectionFailed(error);
    throw error;
  } finally {
    client.off('error', nothing);
    client.release(broken);
  }
}

const nothing = (): void => undefined;

async function rollBack(runner: QueryRunner, client: PipelinedClient): Promise<void> {
  try {
    await client.query('rollback');
    if (transactionStatus(client) !== 'I') destroy(runner, client);
    else await runner.release();
  } catch {
    destroy(runner, client);
  }
}

/**
 * Closes a connection that may still be inside a transaction, because its next user would work there.
 */
function destroy(runner: QueryRunner, client: PipelinedClient): void {
  client.cut();
  const { releasePostgresConnection } = runner as unknown as {
    releasePostgresConnection(error: Error): Promise<void>;
  };
  void releasePostgresConnection.call(runner, new Error('The connection is given up.'));
}

/** Whether the connection is broken. Errors from PostgreSQL itself (such as a lock or statement time-out) leave it usable. */
function connectionFailed(error: unknown): boolean {
  const { severity } = ((error as { driverError?: unknown }).driverError ?? error) as { severity?: string };
  return isDatabaseUnavailable(error) && severity !== 'ERROR';
}

const brokenErrors = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError, TransactionNotStartedError];

/** TypeORM's errors when the connection was lost between two statements; it has then released the connection itself. */
function brokenBetweenStatements(error: unknown): boolean {
  return brokenErrors.some((kind) => error instanceof kind);
}

/** Makes TypeORM join this transaction instead of beginning its own for every save. */
function markActive(runner: QueryRunner, active: boolean): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = active;
}

/** `I` idle, `T` in a transaction, `E` in a failed one. */
function transactionStatus(client: pg.Client): string | null {
  return (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
}
