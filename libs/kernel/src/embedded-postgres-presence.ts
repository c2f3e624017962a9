import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import lockfile from 'proper-lockfile';
import { EmbeddedPostgresError, type Place, type Say } from './embedded-postgres-place.js';
import { run } from './embedded-postgres-programs.js';

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
const recoveryLimit = 60_000;
/** SQLSTATE cannot_connect_now. */
const recovering = '57P03';

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

  constructor(
    private readonly place: Place,
    private readonly password: string,
  ) {}

  /** Connects; waits for a PostgreSQL that recovers from a crash of one of its processes, up to a minute. */
  async begin(): Promise<Client> {
    const begun = Date.now();
    for (;;) {
      try {
        return this.hold(await this.connect());
      } catch (error) {
        if ((error as { code?: string }).code !== recovering || Date.now() - begun > recoveryLimit) throw error;
      }
      await sleep(250);
    }
  }

  /** True when nobody else is present; false also when that cannot be known. */
  async end(): Promise<boolean> {
    this.ended = true;
    clearTimeout(this.timer);
    try {
      await this.reconnecting;
      const client = this.client ?? (await this.connect());
      client.ref();
      const others = await client.query(
        `select from pg_stat_activity
         where usename = current_user and application_name like 'guichet-presence:%' and pid <> pg_backend_pid() limit 1`,
      );
      await client.end();
      return others.rowCount === 0;
    } catch {
      // It was stopped or killed meanwhile.
      return false;
    }
  }

  private hold(client: Client): Client {
    client.once('end', () => this.beginAgain());
    return (this.client = client);
  }

  private beginAgain(): void {
    this.client = undefined;
    if (this.ended) return;
    this.timer = setTimeout(() => {
      this.reconnecting = this.connect().then(
        (client) => this.hold(client).unref(),
        () => this.beginAgain(),
      );
    }, 1000).unref();
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
    await client.connect();
    return client;
  }
}

/** Keeps starts and stops of one data folder apart, between processes too; returns how to let the next one in. */
export async function acquireLock(folder: string, say: Say): Promise<() => Promise<void>> {
  const lockfilePath = join(folder, 'postgres.lock');
  const begun = Date.now();
  for (let told = false; ;) {
    try {
      // A killed holder's lock is free after ten seconds. Stolen after a laptop's sleep: PostgreSQL's own lock still guards the data.
      const unlock = await lockfile.lock(folder, {
        lockfilePath,
        realpath: false,
        stale: 10_000,
        update: 2000,
        onCompromised: ignore,
      });
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
