import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, EmbeddedPostgresError, exists, type Place, type Say } from './place.js';
import { endOrphans } from './orphans.js';
import { findPostmaster, type Postmaster, readPostmasterFile, superuser } from './presence.js';
import { cannotRun, explain, launch, meaningfulLine, run, unfinishedPrefix } from './programs.js';

/** A postmaster that was just started, and the previous content of postmaster.pid. */
interface Starting {
  child: ChildProcess;
  former: Postmaster | undefined;
  /** Position in the log where its lines begin. */
  logFrom: number;
}

const startLimit = 60_000;
const logLimit = 5_000_000;

/** The file of the superuser's password. */
export function passwordPath(place: Place): string {
  return join(place.dataDir, 'postgres.password');
}

/**
 * The superuser's password; created and stored (0600) in the data folder before there is data, so that an interrupted start cannot lose
 * it.
 */
export async function readPassword(place: Place): Promise<string> {
  const file = passwordPath(place);
  if (await exists(file)) return (await readFile(file, 'utf8')).trim();
  if (await exists(join(place.cluster, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `${file} is gone, and the database in ${place.cluster} cannot be opened without it: bring it back, or delete the database to ` +
        'begin with an empty one',
    );
  }
  const password = randomBytes(24).toString('base64url');
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return password;
}

/** Creates the data folder unless there is one of this major version; atomic, also when it is interrupted. */
export async function createCluster(place: Place, bin: string, major: string, password: string, say: Say): Promise<void> {
  const { cluster, home, account } = place;
  const found = (await readdir(cluster).catch(() => [])).length > 0;
  if (found) {
    const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
    if (version === major) return;
    throw new EmbeddedPostgresError(
      version
        ? `The database in ${cluster} is of PostgreSQL ${version}, this Guichet brings ${major}: start the Guichet it comes from, ` +
            `save it with pg_dump ${version}, move the folder away, start this one and load what was saved`
        : `${cluster} is there but holds no PostgreSQL database: move it away and start again`,
    );
  }
  say('Creating the PostgreSQL database folder (once, a few seconds)');
  const fresh = await mkdtemp(join(home, unfinishedPrefix));
  try {
    const passwordFile = join(fresh, 'password');
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account.drop) await giveTo(account, [fresh, passwordFile]);
    const options = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    options.push('--data-checksums', '--auth=scram-sha-256', `--username=${superuser}`, `--pwfile=${passwordFile}`);
    const { ok, output } = await run(join(bin, 'initdb'), [...options, '-D', join(fresh, 'data')], account);
    if (!ok) throw explain(undefined, 'create its database', home, output);
    await rename(join(fresh, 'data'), cluster);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function giveTo(account: Account, paths: string[]): Promise<void> {
  try {
    for (const path of paths) await chown(path, account.uid, account.gid);
  } catch (error) {
    throw cannotRun(error, 'chown');
  }
}

/**
 * Starts the postmaster and waits until it accepts connections.
 * @param fixedPort the only acceptable port; default: the port of the last start, if free, else any
 */
export async function startPostmaster(
  place: Place,
  bin: string,
  settings: Readonly<Record<string, string>>,
  say: Say,
  fixedPort?: number,
): Promise<Postmaster> {
  const portFile = join(place.dataDir, 'postgres.port');
  let wanted = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  const begun = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(fixedPort ?? wanted);
    if (fixedPort !== undefined && port !== fixedPort) {
      throw new EmbeddedPostgresError(
        `Port ${fixedPort} of the embedded PostgreSQL is taken by another program: end that program and start Guichet again`,
      );
    }
    const former = await readPostmasterFile(place);
    const log = await openLog(place);
    const options = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const program = join(bin, 'postgres');
    const child = launch(program, ['-D', place.cluster, ...options], place.account, log.fd);
    const failed = new Promise<never>((_, reject) => child.once('error', (error) => reject(cannotRun(error, program))));
    child.unref();
    try {
      const ready = await Promise.race([failed, waitUntilReady(place, say, { child, former, logFrom: log.from })]);
      if (ready) {
        await writeFile(portFile, `${port}\n`);
        return ready;
      }
    } finally {
      await log.close();
    }
    const text = await readLog(place, log.from);
    // Another program took the port in the meantime; or processes of a killed postmaster have not ended yet.
    if (!/Address already in use|shared memory block.*still in use|Is another postmaster/.test(text) || Date.now() - begun > 20_000) {
      throw explain(undefined, `start (see ${logPath(place)})`, place.cluster, text);
    }
    if (text.includes('Address already in use')) wanted = 0;
    if (text.includes('still in use')) await endOrphans(place, attempt === 1 ? 'QUIT' : 'KILL');
    await sleep(500);
  }
}

/**
 * Waits until the postmaster accepts connections; undefined when it ended instead. Crash recovery can take long: this is reported, and
 * after a minute an EmbeddedPostgresError is thrown while recovery continues for the next start.
 */
export async function waitUntilReady(place: Place, say: Say, ours?: Starting): Promise<Postmaster | undefined> {
  const begun = Date.now();
  let lastReport = begun;
  for (;;) {
    const found = ours ? await readPostmasterFile(place) : await findPostmaster(place);
    if (ours ? ours.child.exitCode !== null || ours.child.signalCode !== null : !found) return undefined;
    // In a container a former postmaster may have had the same process id.
    const isFormer = found?.pid === ours?.former?.pid && found?.started === ours?.former?.started;
    if (found?.status === 'ready' && (!ours || (found.pid === ours.child.pid && !isFormer))) return found;
    if (Date.now() - lastReport >= 5000) {
      lastReport = Date.now();
      const line = (await readLog(place, ours?.logFrom)).trim().split('\n').at(-1) || 'nothing in its log yet';
      const doing = found?.status === 'stopping' ? 'stopping' : 'starting';
      say(`PostgreSQL is still ${doing} (${Math.round((lastReport - begun) / 1000)} s): ${meaningfulLine(line)}`);
    }
    if (Date.now() - begun > startLimit) {
      throw new EmbeddedPostgresError(
        `PostgreSQL is not ready after ${startLimit / 1000} s and goes on in the background: start again in a while, progress is in ` +
          logPath(place),
      );
    }
    await sleep(ours ? 25 : 200);
  }
}

/** Ends all connections, stops the postmaster and waits until its data is written. */
export async function stopPostmaster(place: Place, bin: string): Promise<void> {
  const { ok, output } = await run(join(bin, 'pg_ctl'), ['stop', '-D', place.cluster, '-m', 'fast', '-w', '-t', '60'], place.account);
  if (!ok && (await findPostmaster(place))) throw explain(undefined, 'stop', place.cluster, output);
}

/** Why PostgreSQL ended, according to its log; a killed one logs nothing. */
export async function endReason(place: Place): Promise<string> {
  const lines = (await readLog(place)).split('\n').filter((line) => /\[\d+\] (LOG|FATAL|PANIC):/.test(line));
  const reason = lines.findLast((line) => /PANIC:|postmaster exit|shutdown request|shut down|exited|terminated/.test(line));
  if (reason === undefined) return 'its log does not say why';
  return reason.includes('unexpected postmaster exit') ? 'its main process was killed or has crashed' : meaningfulLine(reason);
}

/** PostgreSQL's log, in the data folder. */
export function logPath(place: Place): string {
  return join(place.dataDir, 'postgres.log');
}

/** The log from a byte position, or its end. */
async function readLog(place: Place, from = -2000): Promise<string> {
  const log = await readFile(logPath(place)).catch(() => Buffer.alloc(0));
  return log.subarray(from).toString();
}

async function openLog(place: Place) {
  const path = logPath(place);
  if (((await exists(path))?.size ?? 0) > logLimit) await rename(path, `${path}.old`);
  const file = await open(path, 'a', 0o600);
  const from = (await stat(path)).size;
  return { fd: file.fd, from, close: () => file.close() };
}

async function freePort(wanted: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort(0))));
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
