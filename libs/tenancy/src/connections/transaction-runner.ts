import { isDatabaseUnavailable, UnavailableError } from '#kernel';
import type pg from 'pg';
import {
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
  type DataSource,
  type EntityManager,
  type QueryRunner,
} from 'typeorm';

/** The transaction was rolled back by PostgreSQL although the work ended without an error (an error inside was swallowed). */
export class AbortedTransactionError extends Error {
  constructor() {
    super('The transaction was aborted by an error that the work did not let through.');
  }
}

/**
 * Begins with `begin`, does the work and commits. A failed transaction costs its caller no further wait: a connection that works is
 * rolled back behind the answer, one that does not (time-out, broken) is destroyed, and PostgreSQL rolls back by itself.
 * @param begun gets the last statement's row of `begin`; what it throws ends the transaction before `work`
 * @throws UnavailableError when the connection broke between two statements
 */
export async function runTransaction<Result>(
  dataSource: DataSource,
  begin: string,
  work: (tx: EntityManager) => Promise<Result>,
  begun: (row: unknown) => void = () => undefined,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as pg.PoolClient;
  try {
    // Several statements in one text: one answer each.
    const answers: unknown = await client.query(begin);
    begun((Array.isArray(answers) ? (answers.at(-1) as pg.QueryResult) : undefined)?.rows[0]);
    markActive(runner, true);
    const result = await work(runner.manager);
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

async function rollBack(runner: QueryRunner, client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    if (transactionStatus(client) !== 'I') destroy(runner, client);
    else await runner.release();
  } catch {
    destroy(runner, client);
  }
}

/** A connection that may still be inside a transaction would serve its next user there: it is closed, at once and without a word. */
function destroy(runner: QueryRunner, client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
  const { releasePostgresConnection } = runner as unknown as {
    releasePostgresConnection(error: Error): Promise<void>;
  };
  void releasePostgresConnection.call(runner, new Error('The connection is given up.'));
}

/** Whether the connection is of no more use. PostgreSQL's own refusals (a lock or a statement that took too long, say) leave it usable. */
function connectionFailed(error: unknown): boolean {
  const { severity } = ((error as { driverError?: unknown }).driverError ?? error) as { severity?: string };
  return isDatabaseUnavailable(error) && severity !== 'ERROR';
}

const brokenErrors = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError, TransactionNotStartedError];

/** What TypeORM says when the connection was lost between two statements: it gives the connection back by itself then. */
function brokenBetweenStatements(error: unknown): boolean {
  return brokenErrors.some((kind) => error instanceof kind);
}

/** TypeORM then joins this transaction instead of beginning its own for every save. */
function markActive(runner: QueryRunner, active: boolean): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = active;
}

/** `I` idle, `T` in a transaction, `E` in a failed one. */
function transactionStatus(client: pg.PoolClient): string | null {
  return (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
}
