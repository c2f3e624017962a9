import { isDatabaseUnavailable, sqlStateOf, UnavailableError } from '#kernel';
import pg from 'pg';
import { limits } from '../../limits.js';

/**
 * Whether a database server answers, asked on a connection of its own: now and then, at once when other work has lost its connection, and
 * every second while it does not answer. So its tenants are refused at once, and no request waits for a connection.
 */
export class NodeWatch {
  /** Host and port. */
  readonly address: string;
  private silent = false;
  private stopped = false;
  private looking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** When other work last got an answer. */
  private answered = -Infinity;

  constructor(
    private readonly id: number,
    private readonly url: string,
  ) {
    this.address = new URL(url).host;
  }

  get isSilent(): boolean {
    return this.silent;
  }

  /** @throws UnavailableError while the server is known not to answer */
  refuseIfSilent(): void {
    if (this.silent) throw new UnavailableError(`Database server ${this.id} (${this.address}) does not answer.`);
  }

  /** Other work got an answer. */
  answer(): void {
    this.answered = performance.now();
  }

  /** Asks the server soon if the error is that of a broken connection. */
  suspect(error: unknown): void {
    // An error of a statement comes from a server that answers, which may report that another one does not.
    const { severity } = ((error as { driverError?: unknown }).driverError ?? error) as { severity?: string };
    if (severity !== 'ERROR' && isDatabaseUnavailable(error)) void this.look();
  }

  /** Asks the server, once for all who call at the same time. Never throws. */
  look(): Promise<void> {
    this.looking ??= this.ask().finally(() => {
      this.looking = undefined;
      clearTimeout(this.timer);
      const ms = this.silent ? limits.nodeReturn.ms : limits.nodeAnswer.ms;
      if (!this.stopped) this.timer = setTimeout(() => void this.look(), ms).unref();
    });
    return this.looking;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async ask(): Promise<void> {
    const { ms } = limits.nodeAnswer;
    const options = { connectionString: this.url, application_name: 'guichet-watch', connectionTimeoutMillis: ms, query_timeout: ms };
    const client = new pg.Client(options);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      this.silent = false;
    } catch (error) {
      // A server that is slow for new connections still works. 53300: it answers, but all its connections are taken.
      const isSlow = !(error as { code?: string }).code && performance.now() - this.answered < 2 * ms;
      this.silent = isDatabaseUnavailable(error) && sqlStateOf(error) !== '53300' && !isSlow;
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}
