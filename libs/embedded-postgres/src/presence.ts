import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import lockfile from 'proper-lockfile';
import { EmbeddedPostgresError, type Place, type Say } from './place.js';
import { run } from './programs.js';

/** A postmaster that runs on our data. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Start time in seconds: distinguishes it from an earlier one with the same process id. */
  started: number;
  /** 'starting', 'stopping', 'ready', or '' in its first moments. */
  status: string;
}

/** pg has these methods, its types do not. */
type Client = pg.Client & { ref(): void; unref(): void };

/** PostgreSQL's superuser: only for this launcher; the application gets the role `guichet`. */
export const superuser = 'postgres';
const lockLimit = 30_000;
/**
 * The lock of a killed process expires after ten seconds. If a live lock expires (laptop sleep), PostgreSQL's own lock still protects the
 * data.
 */
const lockOptions = { realpath: false, stale: 10_000, update: 2000, onCompromised: ignore };
/** Delay before a lost presence reconnects, in milliseconds. */
const comeback = 500;
const cannotConnectNow = '57P03';

/** The content of postmaster.pid, which may be outdated. */
export async function readPostmasterFile({ cluster }: Place): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, started, port] = [Number(lines[0]), Number(lines[2]), Number(lines[3])];
  return pid > 0 ? { pid, started, port, status: lines[7]?.trim() ?? '' } : undefined;
}

/** The postmaster that runs on this data, if any; deletes a postmaster.pid whose process id now belongs to another program. */
export async function findPostmaster(place: Place): Promise<Postmaster | undefined> {
  const found = await readPostmasterFile(place);
  if (!found) return undefined;
  const { pid } = found;
  // The working directory of a postmaster is its data folder. Read as its own user, because root in a container may not be allowed to.
  // macOS has no /proc.
  const { ok, output } =
    process.platform === 'linux'
      ? await run('/bin/sh', ['-c', 'test "/proc/$0/cwd" -ef "$1"', String(pid), place.cluster], place.account)
      : await run('/bin/ps', ['-p', String(pid), '-o', 'command='], place.account);
  if (ok && (process.platform === 'linux' || output.includes(place.cluster))) return found;
  // PostgreSQL would not start beside a living process with that id. Its shared memory still protects the data.
  if (isAlive(pid)) await rm(join(place.cluster, 'postmaster.pid'), { force: true });
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * One idle connection per process that has PostgreSQL open, so that the last one can be recognised: the connection ends with its process
 * in every case. Reconnects when PostgreSQL was restarted; never keeps the process alive.
 */
export class Presence {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private reconnecting: Promise<void> | undefined;
  private ended = false;

  /** Called each time that the connection is lost, or cannot be restored. */
  onLost: () => void = ignore;

  /** `unshaken`: this process started PostgreSQL after a clean stop, so no other process can be reconnecting. */
  constructor(
    private readonly place: Place,
    private readonly password: string,
    private unshaken: boolean,
  ) {}

  /** Connects; waits up to a minute for a PostgreSQL that recovers from a crash of one of its processes. */
  async begin(deadline = Date.now() + 60_000): Promise<Client> {
    try {
      return this.hold(await this.connect());
    } catch (error) {
      if ((error as { code?: string }).code !== cannotConnectNow || Date.now() > deadline) throw error;
      await sleep(250);
      return await this.begin(deadline);
    }
  }

  /**
   * Whether no other process is present; false also when that cannot be determined, because PostgreSQL was stopped or killed in the
   * meantime.
   */
  async isLast(): Promise<boolean> {
    try {
      // A reconnection of this process at the same time would look like another process.
      clearTimeout(this.timer);
      await this.reconnecting;
      clearTimeout(this.timer);
      const client = this.client ?? (await this.begin());
      client.ref();
      for (;;) {
        const { rows } = await client.query<{ others: boolean; age: number }>(
          `select count(*) filter (where usename = current_user and application_name like 'guichet-presence:%') > 1 as others,
                  1000 * extract(epoch from clock_timestamp() -
                    max(backend_start) filter (where backend_type = 'checkpointer'))::float as age
           from pg_stat_activity`,
        );
        if (rows[0]?.others) return false;
        // After a crash, other processes get time to reconnect before they are considered gone.
        const wait = this.unshaken ? 0 : 3 * comeback - (rows[0]?.age ?? 0);
        if (wait <= 0) return true;
        await sleep(wait);
      }
    } catch {
      return false;
    }
  }

  /** Closes the connection permanently. */
  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.reconnecting;
    this.client?.ref();
    await this.client?.end().catch(ignore);
  }

  private hold(client: Client): Client {
    client.once('end', () => this.beginAgain());
    return (this.client = client);
  }

  private beginAgain(): void {
    this.client = undefined;
    this.unshaken = false;
    if (this.ended) return;
    this.onLost();
    this.timer = setTimeout(() => {
      this.reconnecting = this.connect().then(
        (client) => this.hold(client).unref(),
        () => this.beginAgain(),
      );
    }, comeback).unref();
  }

  private async connect(): Promise<Client> {
    const postmaster = await readPostmasterFile(this.place);
    if (!postmaster) throw new Error('it does not run');
    // All parameters are explicit, because pg would read missing ones from the environment.
    const client = new pg.Client({
      host: '127.0.0.1',
      port: postmaster.port,
      user: superuser,
      password: this.password,
      database: 'postgres',
      ssl: false,
      options: '-c statement_timeout=0 -c idle_session_timeout=0',
      application_name: `guichet-presence:${process.pid}`,
      connectionTimeoutMillis: 10_000,
    }) as Client;
    // Without a listener a restart of PostgreSQL would end the process; the event 'end' follows and is sufficient.
    client.on('error', ignore);
    try {
      await client.connect();
    } catch (error) {
      if (!(error instanceof Error && /timeout/.test(error.message))) throw error;
      throw new EmbeddedPostgresError(
        `PostgreSQL runs as process ${postmaster.pid} but does not answer on port ${postmaster.port}: end that process and start again`,
        { cause: error },
      );
    }
    return client;
  }
}

/** Serialises starts and stops of one data folder, also between processes. Returns a function that releases the lock. */
export async function acquireLock(folder: string, say: Say): Promise<() => Promise<void>> {
  const begun = Date.now();
  for (let reported = false; ;) {
    try {
      const unlock = await lockfile.lock(folder, { ...lockOptions, lockfilePath: join(folder, 'postgres.lock') });
      return () => unlock().catch(ignore);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    }
    const waited = Date.now() - begun;
    if (waited > lockLimit) {
      throw new EmbeddedPostgresError(
        `Another process has been starting or stopping PostgreSQL in ${folder} for ${lockLimit / 1000} s: try again when it is done`,
      );
    }
    if (!reported && waited > 1000) {
      reported = true;
      say('Waiting for another process that is starting or stopping PostgreSQL');
    }
    await sleep(100);
  }
}

function ignore(): void {}
