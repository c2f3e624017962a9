import { sqlStateOf } from '#kernel';
import type pg from 'pg';
import type { ConnectionShare } from './connection-share.js';
import { wireValue } from './watched-client.js';

interface Sending {
  readonly statement: pg.QueryConfig;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement that waits for a lock delays all statements behind it, so these are few. */
const mostTogether = 4;

/** SQLSTATE: there is no prepared statement of this name. */
const notPrepared = '26000';

/**
 * Sends urgent statements together on one connection, up to four: those of one tenant that begin in the same turn of the event loop, and
 * those that begin while a batch waits for a connection. A door with a queue needs fewer connections and system calls then.
 *
 * Each statement is a transaction of its own, and fails alone. PostgreSQL executes them one after the other, so a statement that waits for
 * a lock delays the ones behind it in its batch. When the connection is lost, all of them that have no answer fail.
 */
export class StatementBatches {
  /** The batch that takes further statements, by tenant. Each of them is about to be sent or waits for a connection. */
  private readonly open = new Map<string, Sending[]>();

  /** @param connect takes a connection of the pool */
  constructor(
    private readonly share: ConnectionShare,
    private readonly connect: () => Promise<pg.PoolClient>,
  ) {}

  /**
   * Runs one statement on one of the tenant's connections for urgent work.
   * @throws UnavailableError when no connection becomes free in time
   */
  async run<Row extends pg.QueryResultRow>(tenantId: string, { values = [], ...statement }: pg.QueryConfig<unknown[]>): Promise<Row[]> {
    // An unusable value fails here, before others share the connection.
    const usable = { ...statement, values: values.map((value) => wireValue(value)) };
    try {
      const { rows } = await new Promise<pg.QueryResult>((resolve, reject) => {
        this.add(tenantId, { statement: usable, resolve, reject });
      });
      return rows as Row[];
    } catch (error) {
      // The stack of the caller is more useful than that of the batch.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  private add(tenantId: string, sending: Sending): void {
    const open = this.open.get(tenantId);
    if (!open) {
      const batch = [sending];
      this.open.set(tenantId, batch);
      setImmediate(() => void this.send(tenantId, batch));
      return;
    }
    open.push(sending);
    if (open.length === mostTogether) this.open.delete(tenantId);
  }

  private async send(tenantId: string, batch: readonly Sending[]): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await this.connectionFor(tenantId);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    } finally {
      if (this.open.get(tenantId) === batch) this.open.delete(tenantId);
    }
    await sendOn(client, batch);
    this.share.leave(tenantId, true);
  }

  private async connectionFor(tenantId: string): Promise<pg.PoolClient> {
    const turn = this.share.enter(tenantId, true);
    if (turn) await turn;
    try {
      return await this.connect();
    } catch (error) {
      this.share.leave(tenantId, true);
      throw error;
    }
  }
}

/** Sends the statements, and gives the connection back after the last answer; after an error the pool closes it. */
async function sendOn(client: pg.PoolClient, batch: readonly Sending[]): Promise<void> {
  const failures = new Map<string | undefined, Error>();
  // The statements fail with the same error.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  await Promise.all(
    batch.map(({ statement, resolve, reject }) =>
      client.query(statement).then(resolve, (error: Error) => {
        const first = failures.get(statement.name) ?? error;
        failures.set(statement.name, first);
        // pg prepares a statement once. When that failed, those behind it fail for the same reason.
        reject(sqlStateOf(error) === notPrepared ? first : error);
      }),
    ),
  );
  const [failure] = failures.values();
  client.release(failure);
  client.off('error', ignore);
}
