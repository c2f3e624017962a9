import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { EmbeddedPostgresError, findAccount, findPlace, type Place, prepareDataDir, type Say } from './place.js';
import { acquireLock, findPostmaster, Presence, readPostmasterFile } from './presence.js';
import { type Binaries, explain, findBinaries, prepareBinaries, removeLeftovers } from './programs.js';
import {
  createCluster,
  passwordPath,
  readPassword,
  startPostmaster,
  stopPostmaster,
  waitUntilReady,
} from './server.js';
import { Supervisor, type Supervision } from './supervisor.js';

export { EmbeddedPostgresError, type Supervision };

/** A running PostgreSQL of our own, held until released. */
export interface EmbeddedPostgres {
  /** Connection address of the role `guichet`, owner of the database, no superuser. */
  url: string;
  /** True when this call created the database: it is empty. */
  firstStart: boolean;
  /** True when PostgreSQL ran already: another process has it open, or was killed and left it. `extraSettings` then had no effect. */
  adopted: boolean;
  /** From now on it is not started again when it ends: this process is about to stop. */
  endSupervision(): void;
  /**
   * Lets go of it; whoever is last stops it. Close your own connections before. May be called twice.
   * Throws EmbeddedPostgresError when PostgreSQL does not stop within a minute.
   */
  release(): Promise<void>;
}

interface Options {
  /** Absolute path of the data folder, `<project>/.guichet`; made if needed. */
  dataDir: string;
  /** Name of the database, created if needed: lower-case letters, digits, underscore. */
  database?: string | undefined;
  /** Gets progress lines for a person. */
  say?: Say | undefined;
  /** Server settings beside and above ours. */
  extraSettings?: Record<string, string> | undefined;
  /** Starts it again when it ends, until it is released; without it, a process that lives long enough finds its connections refused. */
  supervision?: Supervision | undefined;
}

const role = 'guichet';
const linux = process.platform === 'linux';
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '60',
  // So that a full application does not lock out the presences.
  superuser_reserved_connections: '6',
  // A migration of many tenants touches many tables in one transaction.
  max_locks_per_transaction: '256',
  synchronous_commit: 'on',
  jit: 'off',
  idle_in_transaction_session_timeout: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Keeps the log to what somebody should read.
  log_checkpoints: 'off',
  // syncfs: with thousands of tenants a crash restart takes 2 s instead of 93 s.
  ...(linux ? { recovery_init_sync_method: 'syncfs', client_connection_check_interval: '2s' } : {}),
};

/**
 * Opens the PostgreSQL of a data folder: creates it the first time, starts it if it does not run, and joins it if it does.
 * Any number of processes may have it open. Register signal handlers that release it before calling; a killed process
 * only leaves it running for the next one to join.
 * Throws EmbeddedPostgresError, one line for a person, whatever goes wrong.
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
      const place = await findPlace(folder, account, say);
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
  // A clean stop removes it.
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
    // Killed while we joined it: as if it had not been there.
    if (adopted && !(await findPostmaster(place))) return await openUnderLock(place, binaries, options);
    if (!adopted) await stopPostmaster(place, bin).catch(() => {});
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new EmbeddedPostgresError(
      `The database in ${place.cluster} does not take the password in ${passwordPath(place)}: bring the right file back`,
    );
  }
}

/** Ends the presence, and PostgreSQL with it when nobody else is present. */
async function release(presence: Presence, place: Place, bin: string, say: Say): Promise<void> {
  let unlock: () => Promise<void>;
  try {
    unlock = await acquireLock(place.dataDir, say);
  } catch (error) {
    // Somebody else is at it, or the folder is gone, which PostgreSQL notices within a minute: not ours to stop.
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

/** Makes the role and the database unless they are there; true when the database is new. */
async function createDatabase(client: pg.Client, database: string, password: string): Promise<boolean> {
  const roles = await client.query('select from pg_roles where rolname = $1', [role]);
  if (roles.rowCount === 0) await client.query(`create role ${role} login createdb password '${password}'`);
  const databases = await client.query('select from pg_database where datname = $1', [database]);
  if (databases.rowCount !== 0) return false;
  await client.query(`create database ${database} owner ${role}`);
  return true;
}
