import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, withoutContext, type Logger } from '#kernel';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { limits } from '../../limits.js';
import { TenantDb } from './tenant-db.js';

/**
 * Notifies other processes on the same database that there is work (LISTEN/NOTIFY). Only a hint: signals may be lost, and do not pass
 * poolers, so listeners must also poll now and then.
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

  /** Sends a signal soon; several calls within a short time send one signal. */
  send(channel: string): void {
    if (this.waiting.has(channel)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(channel);
      // Outside of the first caller's tenant: the signal is for all tenants and does not wait in the queue of one.
      withoutContext(() => this.db.sharedStatement({ name: 'signal', text: "select pg_notify($1, '')" }, [channel])).catch(
        (error: unknown) => this.logger.debug({ err: error }, 'signal not sent'),
      );
    }, limits.signalPause.ms);
    timer.unref();
    this.waiting.set(channel, timer);
  }

  /**
   * Calls `listener` at each signal, on its own connection, which is reopened when it breaks; never when the connection leads to a pooler.
   * @returns a function that stops listening
   */
  listen(channel: string, listener: () => void): () => void {
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
        query_timeout: 5000,
        keepAlive: true,
        // So that a listener notices within minutes when the other side is gone.
        keepAliveInitialDelayMillis: 30_000,
      });
      client = opened;
      const reopen = (): void => {
        if (client !== opened) return;
        client = undefined;
        opened.end().catch(() => undefined);
        if (!stopped) again = setTimeout(() => void open(), limits.signalReopening.ms);
      };
      opened.on('error', reopen);
      opened.on('end', reopen);
      opened.on('notification', listener);
      try {
        await opened.connect();
        if (!(await isDirect(opened))) return stop();
        await opened.query(`listen ${pg.escapeIdentifier(channel)}`);
        // Signals may have been lost while the connection was closed.
        listener();
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
 * Whether the connection leads directly to its backend. A transaction pooler shares its backends: signals would not arrive, the backend
 * would keep listening for its next users, and PgBouncer would log a warning for each signal.
 */
async function isDirect(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as unknown as { processID: number | null }).processID;
}
