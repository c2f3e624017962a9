import { isDatabaseUnavailable, UnavailableError } from '#kernel';
import type pg from 'pg';
import { inOrder } from './in-order.js';
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

/** A statement without parameters in the protocol of those with parameters, so that PostgreSQL answers it together with them. */
export function asOneOf(text: string): pg.QueryConfig {
  return { text, queryMode: 'extended' } as pg.QueryConfig;
}

const commit = asOneOf('commit');

interface OpenTransaction {
  readonly client: pg.PoolClient;
  /** Whether `begun` accepted the transaction. */
  begun: boolean;
  committing: Promise<pg.QueryResult> | undefined;
}

const open = new WeakMap<EntityManager, OpenTransaction>();

/** The connection of an open transaction. */
export function clientOf(tx: EntityManager): pg.PoolClient {
  return (open.get(tx) as OpenTransaction).client;
}

/**
 * Sends COMMIT behind the statements of the transaction that were sent before, without waiting for them: rows that they lock are locked
 * more briefly, and a round trip is saved. When one of them fails, PostgreSQL does not commit. Send nothing after it.
 */
export function commitBehind(tx: EntityManager): void {
  const transaction = open.get(tx) as OpenTransaction;
  if (transaction.begun) sendCommit(transaction);
}

function sendCommit(transaction: OpenTransaction): void {
  transaction.committing = transaction.client.query(commit);
  // After an error of a statement, this one fails for the same reason.
  transaction.committing.catch(() => undefined);
}

/**
 * Runs `begin`, the work and the commit. `begin` and the first statements of the work are sent together, to save a round trip. After an
 * error the caller does not wait for the rollback: a working connection is rolled back in the background, a broken one (time-out,
 * disconnected) is destroyed, and PostgreSQL rolls back.
 * @param begin statements, which are sent together with the first one of the work
 * @param begun receives the row of the last statement of `begin`; when it throws, the work is rolled back and its result is not used
 * @param atOnce sends the commit when `work` has returned its promise, without waiting for it
 * @throws the error of `begin` or `begun` before that of `work`, because PostgreSQL refuses all statements after the first error
 * @throws UnavailableError when the connection broke between two statements
 */
export async function runTransaction<Result>(
  dataSource: DataSource,
  begin: (client: pg.PoolClient) => readonly pg.QueryConfig[],
  work: (tx: EntityManager) => Promise<Result>,
  begun: (row: unknown) => void = () => undefined,
  atOnce = false,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as pg.PoolClient;
  try {
    const transaction: OpenTransaction = { client, begun: false, committing: undefined };
    open.set(runner.manager, transaction);
    const sent = begin(client).map((statement) => client.query<object>(statement));
    const checked = sent.at(-1)?.then(({ rows }) => {
      begun(rows[0]);
      transaction.begun = true;
    });
    markActive(runner, true);
    const working = (async () => work(runner.manager))();
    if (atOnce) sendCommit(transaction);
    const [, result] = await inOrder([inOrder([...sent, checked as Promise<void>]), working]);
    const { command } = await (transaction.committing ?? client.query(commit));
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

/**
 * Closes a connection that may still be inside a transaction, because its next user would work there. Closes the socket at once, without a
 * message.
 */
function destroy(runner: QueryRunner, client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
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
function transactionStatus(client: pg.PoolClient): string | null {
  return (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
}
