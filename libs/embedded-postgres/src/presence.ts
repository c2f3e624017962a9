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
  /** Seconds of its start: tells it from a former one of the same number. */
  started: number;
  /** 'starting', 'stopping', 'ready', or '' in its first moments. */
  status: string;
}

/** pg has them, its types do not. */
type Client = pg.Client & { ref(): void; unref(): void };

/** PostgreSQL's own superuser: for the launcher alone, the application gets the role `guichet`. */
export const superuser = 'postgres';
const lockLimit = 30_000;
/** A killed holder's lock is free after ten seconds. If one is stolen after a laptop's sleep, PostgreSQL's own still guards. */
const lockOptions = { realpath: false, stale: 10_000, update: 2000, onCompromised: ignore };
/** How soon a lost presence tries again, in milliseconds. */
const comeback = 500;
const cannotConnectNow = '57P03';

/** What postmaster.pid says, whether or not it is still true. */
export async function readPostmasterFile({ cluster }: Place): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, started, port] = [Number(lines[0]), Number(lines[2]), Number(lines[3])];
  return pid > 0 ? { pid, started, port, status: lines[7]?.trim() ?? '' } : undefined;
}

/** The postmaster that runs on this data, if any; clears away a postmaster.pid whose number now is another program's. */
export async function findPostmaster(place: Place): Promise<Postmaster | undefined> {
  const found = await readPostmasterFile(place);
  if (!found) return undefined;
  const { pid } = found;
  // A postmaster sits in its data folder. Asked as its own user: in a container root may not look. macOS has no /proc.
  const { ok, output } =
    process.platform === 'linux'
      ? await run('/bin/sh', ['-c', 'test "/proc/$0/cwd" -ef "$1"', String(pid), place.cluster], place.account)
      : await run('/bin/ps', ['-p', String(pid), '-o', 'command='], place.account);
  if (ok && (process.platform === 'linux' || output.includes(place.cluster))) return found;
  // PostgreSQL would not start beside a living process of that number. Its shared memory still guards the data a second time.
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
 * One idle connection per opener, so that the last one to leave knows it is: it vanishes with its process, however that ends.
 * Comes back by itself when PostgreSQL was restarted; never keeps the process alive.
 */
export class Presence {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private reconnecting: Promise<void> | undefined;
  private ended = false;

  /** Told each time that the connection is lost, or cannot be made again. */
  onLost: () => void = ignore;

  /** `unshaken`: PostgreSQL was started by this process after a clean stop, so nobody can be on the way back to it. */
  constructor(
    private readonly place: Place,
    private readonly password: string,
    private unshaken: boolean,
  ) {}

  /** Connects; waits for a PostgreSQL that recovers from a crash of one of its processes, up to a minute. */
  async begin(deadline = Date.now() + 60_000): Promise<Client> {
    try {
      return this.hold(await this.connect());
    } catch (error) {
      if ((error as { code?: string }).code !== cannotConnectNow || Date.now() > deadline) throw error;
      await sleep(250);
      return await this.begin(deadline);
    }
  }

  /** Whether nobody else is present; false also when that cannot be known, as PostgreSQL was stopped or killed meanwhile. */
  async isLast(): Promise<boolean> {
    try {
      // A second connection of this process, which is coming back at the same time, would pass for somebody else's.
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
        // After a crash, let the others come back before calling them gone.
        const wait = this.unshaken ? 0 : 3 * comeback - (rows[0]?.age ?? 0);
        if (wait <= 0) return true;
        await sleep(wait);
      }
    } catch {
      return false;
    }
  }

  /** Lets go of the connection, for good. */
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
    // Everything is said, or pg would take it from the environment.
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
    // Without a listener a restart of PostgreSQL would end the process; 'end' follows and is enough.
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

/** Keeps starts and stops of one data folder apart, between processes too; returns how to let the next one in. */
export async function acquireLock(folder: string, say: Say): Promise<() => Promise<void>> {
  const begun = Date.now();
  for (let told = false; ;) {
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
    if (!told && waited > 1000) {
      told = true;
      say('Waiting for another process that is starting or stopping PostgreSQL');
    }
    await sleep(100);
  }
}

function ignore(): void {}
