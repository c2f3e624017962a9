import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { EmbeddedPostgresError, findAccount, findPlace, type Place, prepareDataDir, type Say, takeOver } from './place.js';
import { acquireLock, findPostmaster, Presence, readPostmasterFile } from './presence.js';
import { type Binaries, explain, findBinaries, prepareBinaries, removeLeftovers } from './programs.js';
import { createCluster, passwordPath, readPassword, startPostmaster, stopPostmaster, waitUntilReady } from './server.js';
import { Supervisor, type Supervision } from './supervisor.js';

export { EmbeddedPostgresError, type Supervision };

/** A running embedded PostgreSQL, used until it is released. */
export interface EmbeddedPostgres {
  /** Connection URL for the role `guichet`, owner of the database, no superuser. */
  url: string;
  /** True when this call created the database: it is empty. */
  firstStart: boolean;
  /** True when PostgreSQL was already running: another process uses it, or was killed and left it. `extraSettings` then had no effect. */
  adopted: boolean;
  /** Ends the automatic restart, because this process is about to stop. */
  endSupervision(): void;
  /**
   * Releases PostgreSQL; the last process stops it. Close your own connections first. May be called twice. Throws EmbeddedPostgresError
   * when PostgreSQL does not stop within a minute.
   */
  release(): Promise<void>;
}

interface Options {
  /** Absolute path of the data folder, `<project>/.guichet`; created if necessary. */
  dataDir: string;
  /** Name of the database, created if necessary: lower-case letters, digits, underscore. */
  database?: string | undefined;
  /** Receives progress lines for people. */
  say?: Say | undefined;
  /** Additional server settings; they override ours. */
  extraSettings?: Record<string, string> | undefined;
  /** Restarts PostgreSQL when it ends before it is released; without it, later connections are refused. */
  supervision?: Supervision | undefined;
}

const role = 'guichet';
const linux = process.platform === 'linux';
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '60',
  // So that a full application does not block the presence connections.
  superuser_reserved_connections: '6',
  // A migration of many tenants touches many tables in one transaction.
  max_locks_per_transaction: '256',
  synchronous_commit: 'on',
  jit: 'off',
  idle_in_transaction_session_timeout: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // The log contains only messages for operators.
  log_checkpoints: 'off',
  // syncfs: with thousands of tenants a crash restart takes 2 s instead of 93 s.
  ...(linux ? { recovery_init_sync_method: 'syncfs', client_connection_check_interval: '2s' } : {}),
};

/**
 * Opens the PostgreSQL of a data folder: creates it the first time, starts it if it is not running, else joins it. Any number of
 * processes may have it open. Register signal handlers that release it before the call; when a process is killed, PostgreSQL keeps
 * running and the next process joins it. Throws EmbeddedPostgresError, one line for a person, on every failure.
 */
export async function openEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, database = role, say = () => {}, extraSettings = {}, supervision } = options;
  try {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(database)) throw new Error(`"${database}" is not a plain database name`);
    const binaries = await findBinaries();
    const account = await findAccount();
    const folder = await prepareDataDir(dataDir, account);
    const unlock = await acquireLock(folder, say);
    try {
      const found = await findPlace(folder, account, say);
      const place = await takeOver(found, (await findPostmaster(found)) !== undefined, say);
      return await openUnderLock(place, binaries, { database, say, extraSettings, supervision });
    } finally {
      await unlock();
    }
  } catch (error) {
    throw explain(error, 'be opened', dataDir);
  }
}

async function openUnderLock(
  place: Place,
  binaries: Binaries,
  options: Required<Omit<Options, 'dataDir' | 'supervision'>> & Pick<Options, 'supervision'>,
): Promise<EmbeddedPostgres> {
  const { database, say, extraSettings, supervision } = options;
  // A clean stop removes the file.
  const stoppedCleanly = (await readPostmasterFile(place)) === undefined;
  const running = await findPostmaster(place);
  if (!running) await removeLeftovers(place, binaries);
  const bin = await prepareBinaries(binaries, place);
  const password = await readPassword(place);
  await createCluster(place, bin, String(Number.parseInt(binaries.version, 10)), password, say);
  const adopted = running !== undefined && (await waitUntilReady(place, say)) !== undefined;
  if (!adopted) await startPostmaster(place, bin, { ...settings, ...extraSettings }, say);
  const presence = new Presence(place, password, stoppedCleanly);
  let releasing: Promise<void> | undefined;
  try {
    const client = await presence.begin();
    const rolePassword = createHmac('sha256', password).update(role).digest('hex');
    const firstStart = await createDatabase(client, database, rolePassword);
    client.unref();
    const url = `postgres://${role}:${rolePassword}@127.0.0.1:${client.port}/${database}?sslmode=disable`;
    const restart = { place, bin, settings: { ...settings, ...extraSettings }, port: client.port };
    const supervisor = supervision && new Supervisor(restart, supervision);
    if (supervisor) presence.onLost = () => supervisor.lost();
    const endSupervision = (): void => void supervisor?.stop();
    const releaseAll = async (): Promise<void> => {
      await supervisor?.stop();
      await release(presence, place, bin, say);
    };
    return { url, firstStart, adopted, endSupervision, release: () => (releasing ??= releaseAll()) };
  } catch (error) {
    await presence.end();
    // PostgreSQL was killed while we joined it: start again.
    if (adopted && !(await findPostmaster(place))) return await openUnderLock(place, binaries, options);
    if (!adopted) await stopPostmaster(place, bin).catch(() => {});
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new EmbeddedPostgresError(
      `The database in ${place.cluster} does not take the password in ${passwordPath(place)}: bring the right file back`,
    );
  }
}

/** Ends the presence, and stops PostgreSQL when no other process is present. */
async function release(presence: Presence, place: Place, bin: string, say: Say): Promise<void> {
  let unlock: () => Promise<void>;
  try {
    unlock = await acquireLock(place.dataDir, say);
  } catch (error) {
    // Another process is stopping it, or the folder was deleted, which PostgreSQL notices within a minute.
    await presence.end();
    say(`PostgreSQL is left running: ${explain(error, 'be released', place.dataDir).message}`);
    return;
  }
  try {
    const last = await presence.isLast();
    await presence.end();
    if (last) await stopPostmaster(place, bin);
  } finally {
    await unlock();
  }
}

/** Creates the role and the database if they do not exist; true when the database is new. */
async function createDatabase(client: pg.Client, database: string, password: string): Promise<boolean> {
  const roles = await client.query('select from pg_roles where rolname = $1', [role]);
  if (roles.rowCount === 0) await client.query(`create role ${role} login createdb password '${password}'`);
  const databases = await client.query('select from pg_database where datname = $1', [database]);
  if (databases.rowCount !== 0) return false;
  await client.query(`create database ${database} owner ${role}`);
  return true;
}
