import type { Duplex } from 'node:stream';
import pg from 'pg';
import { StatementsAtOnce } from './statements-at-once.js';

type Socket = Pick<Duplex, 'cork' | 'uncork' | 'destroy'>;
type Done = (error: Error | null | undefined, result: pg.QueryResult) => void;
type Query = (statement: unknown, values: unknown, done: Done) => unknown;

/** Turns the value of a statement into text or bytes, as pg does. What it has made stays as it is. */
export const { prepareValue: wireValue } = (pg as unknown as { utils: { prepareValue(this: void, value: unknown): unknown } }).utils;

/**
 * A connection that sends statements without waiting for the answers to those before, and all statements of one turn of the event loop with
 * one system call, because these calls cost more than most statements.
 *
 * It makes the promises and the time limit of statements itself. pg does this with functions that it assigns to properties, and V8
 * allocates such functions in its old generation: each of them keeps the answer to its statement until the next major garbage collection,
 * and all answers are copied to the old generation.
 */
export class PipelinedClient extends pg.Client {
  private readonly limitMs: number;
  private corked = false;

  constructor({ query_timeout: limitMs = 0, ...config }: pg.ClientConfig) {
    super({ ...config, pipeline: true });
    this.limitMs = limitMs;
  }

  /**
   * Like pg, whose many signatures stay as they are.
   * @throws Error `Query read timeout` after the `query_timeout` of the configuration; the connection is then closed
   */
  override query = ((statement: unknown, values?: unknown, done?: Done) => {
    this.sendTogether();
    if (typeof values === 'function') return this.submit(statement, undefined, values as Done);
    if (done) return this.submit(statement, values, done);
    return new Promise<pg.QueryResult>((resolve, reject) => {
      // pg makes text or bytes of the values while it writes. When that fails, it has written half of the statement, and later uses a
      // prepared statement that it has closed.
      const usable = ((values ?? (statement as pg.QueryConfig<unknown[]>).values) as unknown[] | undefined)?.map((value) =>
        wireValue(value),
      );
      this.submit(statement, usable, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      // Where the statement was sent is more useful than where its answer arrived.
      Error.captureStackTrace(error);
      throw error;
    });
  }) as pg.Client['query'];

  /**
   * Sends statements as one transaction, whose values are text or bytes (see `wireValue`), behind which nothing else waits.
   * @returns the rows of the last one
   * @throws the error of the first one that failed, or of the commit
   */
  async atOnce<Row extends pg.QueryResultRow>(statements: readonly pg.QueryConfig<unknown[]>[]): Promise<Row[]> {
    const { rows } = await this.query<Row>(new StatementsAtOnce(statements) as unknown as pg.QueryConfig);
    return rows;
  }

  /** Closes the socket at once, without a message. */
  cut(): void {
    this.socket.destroy();
  }

  /** Of the part of pg's client that its types leave out. */
  private get socket(): Socket {
    return (this as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
  }

  private submit(statement: unknown, values: unknown, done: Done): void {
    const send = super.query as Query;
    if (this.limitMs <= 0) {
      send.call(this, statement, values, done);
      return;
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      done(new Error('Query read timeout'), undefined as never);
      // The statements behind this one wait for its answer.
      this.cut();
    }, this.limitMs);
    send.call(this, statement, values, (error: Error | null | undefined, result: pg.QueryResult) => {
      clearTimeout(timer);
      if (!isLate) done(error, result);
    });
  }

  private sendTogether(): void {
    if (this.corked) return;
    this.corked = true;
    const { socket } = this;
    socket.cork();
    process.nextTick(() => {
      this.corked = false;
      socket.uncork();
    });
  }
}
