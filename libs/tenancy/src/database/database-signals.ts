import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#kernel';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { TenantDb } from './tenant-db.js';

/** A process says "look" to others at most so often: every NOTIFY takes a lock that all committing transactions pass. */
const quietMilliseconds = 50;

/**
 * Tells other processes on the same database that there is something to do (LISTEN/NOTIFY). Only ever a hint: a signal may be lost, and
 * behind a pooler nobody listens, so whoever listens must also look now and then by itself.
 */
@Injectable()
export class DatabaseSignals implements OnApplicationShutdown {
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly stops = new Set<() => void>();

  constructor(
    private readonly db: TenantDb,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Signals soon; many calls in a short time make one signal. */
  send(channel: string): void {
    if (this.waiting.has(channel)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(channel);
      this.db
        .sharedStatement({ name: 'signal', text: "select pg_notify($1, '')" }, [channel])
        .catch((error: unknown) => this.logger.debug({ err: error }, 'signal not sent'));
    }, quietMilliseconds);
    timer.unref();
    this.waiting.set(channel, timer);
  }

  /**
   * Calls back at each signal, on a connection of its own that is opened again when it breaks; never when that leads to a pooler.
   * @returns how to stop listening
   */
  listen(channel: string, heard: () => void): () => void {
    const { url } = this.dataSource.options as { url?: string };
    let client: pg.Client | undefined;
    let again: NodeJS.Timeout | undefined;
    let stopped = false;
    const close = (): void => void client?.end().catch(() => undefined);
    const open = async (): Promise<void> => {
      const opened = new pg.Client({
        connectionString: url,
        application_name: 'guichet-signals',
        connectionTimeoutMillis: 5000,
        keepAlive: true,
      });
      client = opened;
      const reopen = (): void => {
        if (client !== opened) return;
        client = undefined;
        opened.end().catch(() => undefined);
        if (!stopped) again = setTimeout(() => void open(), 2000);
      };
      opened.on('error', reopen);
      opened.on('end', reopen);
      opened.on('notification', heard);
      try {
        await opened.connect();
        if (!(await isDirect(opened))) return stop();
        await opened.query(`listen ${pg.escapeIdentifier(channel)}`);
        // What was signalled while nobody listened.
        heard();
      } catch {
        reopen();
      }
      if (stopped) close();
    };
    const stop = (): void => {
      stopped = true;
      clearTimeout(again);
      this.stops.delete(stop);
      close();
    };
    this.stops.add(stop);
    void open();
    return stop;
  }

  onApplicationShutdown(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    for (const stop of this.stops) stop();
  }
}

/**
 * Whether the connection ends at the backend that was named when it was opened. A transaction pooler shares its backends: no signal would
 * arrive, the backend would go on listening for its next users, and PgBouncer would log a warning for each signal.
 */
async function isDirect(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as unknown as { processID: number | null }).processID;
}
