import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import type { StatementWatch, WatchedClient } from './watched-client.js';

/** A statement was sent behind the COMMIT or ROLLBACK of its transaction. PostgreSQL would commit it by itself. */
export class EndedTransactionError extends Error {
  constructor() {
    super('The transaction has ended: its COMMIT or ROLLBACK is sent.');
  }
}

/** A transaction of a connection: what failed, and whether it has ended. */
export class OpenTransaction implements StatementWatch {
  private committing: Promise<pg.QueryResult> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private ended = false;

  /** Watches the connection until `leave`. */
  constructor(readonly client: WatchedClient) {
    client.watch = this;
  }

  refusal(): Error | undefined {
    return this.ended ? new EndedTransactionError() : undefined;
  }

  /** Keeps the first error, so that no COMMIT is sent behind the statements of this turn. */
  failed(error: unknown): void {
    this.failure ??= { error };
  }

  /** Waits for work of the transaction, and notes its error (`failed`). One chain, so that the stack of an error goes on. */
  async watched<Result>(work: Result): Promise<Awaited<Result>> {
    try {
      return await work;
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** Sends COMMIT at the end of this turn, unless something failed until then. */
  commitBehind(): void {
    this.committing ??= new Promise((resolve, reject) => {
      this.client.atEndOfTurn(() => {
        if (this.failure) reject(this.failure.error);
        else resolve(this.end('commit'));
      });
    });
    // `commit` throws it, unless the work has thrown before.
    this.committing.catch(() => undefined);
  }

  /** Commits, or waits for the COMMIT that was sent behind the statements. @throws the error because of which it was not sent */
  commit(): Promise<pg.QueryResult> {
    return this.committing ?? this.end('commit');
  }

  rollBack(): Promise<pg.QueryResult> {
    this.ended = false;
    return this.end('rollback');
  }

  /** Leaves the connection to the next user. */
  leave(): void {
    this.client.watch = undefined;
  }

  private end(text: string): Promise<pg.QueryResult> {
    const answer = this.client.query(text);
    this.ended = true;
    return answer;
  }
}

const open = new WeakMap<EntityManager, OpenTransaction>();

/** Registers the transaction of an entity manager. */
export function openTransaction(tx: EntityManager, client: WatchedClient): OpenTransaction {
  const transaction = new OpenTransaction(client);
  open.set(tx, transaction);
  return transaction;
}

/** The open transaction of an entity manager. */
export function transactionOf(tx: EntityManager): OpenTransaction {
  return open.get(tx) as OpenTransaction;
}
