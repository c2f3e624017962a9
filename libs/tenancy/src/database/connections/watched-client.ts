import pg from 'pg';
import { PipelinedClient } from './pipelined-client.js';

type Query = (...statement: unknown[]) => unknown;

/** Turns the value of a statement into text or bytes, as pg does. What it has made stays as it is. */
export const { prepareValue: wireValue } = (pg as unknown as { utils: { prepareValue(this: void, value: unknown): unknown } }).utils;

/** Sees the statements of a connection while a transaction uses it. */
export interface StatementWatch {
  /** @returns why no further statement is sent; undefined: it is sent */
  refusal(): Error | undefined;
  /** A statement failed in this process or in PostgreSQL. */
  failed(error: unknown): void;
}

/** A connection whose transaction decides at the end of a turn of the event loop what is sent behind the statements of this turn. */
export class WatchedClient extends PipelinedClient {
  /** Not for statements with a callback: those of `pool.query`, which belong to no transaction. */
  watch: StatementWatch | undefined;

  constructor(config: pg.ClientConfig) {
    super(config);
    const send = this.query as Query;
    this.query = ((...statement: unknown[]) => {
      const { watch } = this;
      return watch && typeof statement.at(-1) !== 'function' ? watchedQuery(send, statement, watch) : send(...statement);
    }) as pg.Client['query'];
  }

  /**
   * Calls `last` when all code of this turn has run and all errors that statements had in this process are known; what it sends leaves with
   * the statements of the turn, behind them.
   */
  atEndOfTurn(last: () => void): void {
    const { socket } = this;
    socket.cork();
    process.nextTick(() =>
      // pg reports some errors in ticks of their own. They come first, then what awaits them, then the last tick.
      queueMicrotask(() =>
        process.nextTick(() => {
          last();
          socket.uncork();
        }),
      ),
    );
  }
}

/**
 * Sends a statement whose values are text or bytes already: when pg fails to make them, it has written half of the statement, and later
 * uses a prepared statement that it has closed.
 */
async function watchedQuery(send: Query, [config, given]: unknown[], watch: StatementWatch): Promise<unknown> {
  const refusal = watch.refusal();
  if (refusal) throw refusal;
  try {
    const values = (given ?? (config as pg.QueryConfig<unknown[]>).values) as unknown[] | undefined;
    return await send(
      config,
      values?.map((value) => wireValue(value)),
    );
  } catch (error) {
    watch.failed(error);
    throw error;
  }
}
