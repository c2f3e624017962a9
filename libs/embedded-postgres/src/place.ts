import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, lchown, lstat, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Account, EmbeddedPostgresError, formerAccount, ownDatabase, ownUser, userName } from './account.js';

export { type Account, EmbeddedPostgresError, findAccount, ownDatabase } from './account.js';

/** Paths: `dataDir` belongs to this process, `home` contains what PostgreSQL's user must read. Usually the same folder. */
export interface Place {
  dataDir: string;
  home: string;
  /** PostgreSQL's data folder, `<home>/postgres`; absent before the first start. */
  cluster: string;
  account: Account;
}

/** Receives progress lines for people. */
export type Say = (line: string) => void;

const pointerName = 'postgres.place';

/** Creates the folder if necessary and returns its real path; refuses one whose database belongs to another user. */
export async function prepareDataDir(dataDir: string, account: Account): Promise<string> {
  const made = await mkdir(dataDir, { recursive: true });
  const real = await realpath(dataDir);
  // PostgreSQL's user must be able to enter it, whatever the umask; the empty folder contains nothing private yet.
  if (!account.drop && made !== undefined) await chmod(real, 0o700);
  if (account.drop && (await readdir(real)).length === 0) await chmod(real, 0o711);
  await refuseForeign(join(real, pointerName), account.drop ? 0 : account.uid);
  const former = account.drop ? await formerAccount() : undefined;
  await refuseForeign(join(real, 'postgres'), account.uid, former?.uid);
  return real;
}

async function refuseForeign(path: string, uid: number, formerUid?: number): Promise<void> {
  const owner = (await exists(path))?.uid;
  if (owner === undefined || owner === uid || owner === formerUid) return;
  const name = await userName(owner);
  if (name === 'root' && basename(path) === 'postgres') {
    // For example restored from a backup by root: PostgreSQL itself never runs as root.
    const needed = await userName(uid);
    throw new EmbeddedPostgresError(`${path} belongs to root, not to ${needed}: give it over with chown -R ${needed} ${path}`);
  }
  // PostgreSQL runs as these when root starts it.
  const maker = name === 'nobody' || name === ownUser ? 'root' : name;
  throw new EmbeddedPostgresError(
    `The database in ${dirname(path)} was created by ${maker}: start as ${maker} again, or use another data folder, ${ownDatabase}`,
  );
}

/**
 * Finds the place of the data, or chooses it on the first start: the data folder itself or, when PostgreSQL's user cannot reach it, a
 * separate folder that `postgres.place` then refers to. Call it under the lock.
 */
export async function findPlace(dataDir: string, account: Account, say: Say): Promise<Place> {
  const at = (home: string): Place => ({ dataDir, home, cluster: join(home, 'postgres'), account });
  const pointer = join(dataDir, pointerName);
  const elsewhere = (await readFile(pointer, 'utf8').catch(() => '')).trim();
  if (elsewhere) {
    await refuseLostOrShared(elsewhere, dataDir, pointer);
    return at(elsewhere);
  }
  if (await reaches(account, dataDir)) return at(dataDir);
  if (await exists(at(dataDir).cluster)) {
    throw new EmbeddedPostgresError(
      `The user ${account.name}, who runs the database, can no longer get to ${dataDir}: give x permission on the folders above it ` +
        '(chmod o+x)',
    );
  }
  const home = await makeHome(dataDir, account, say);
  // Written before there is data, so that the place of an interrupted first start is found again and not reported as a lost database.
  await writeFile(pointer, `${home}\n`);
  say(`PostgreSQL runs as ${account.name}, who cannot get to ${dataDir}: the database is in ${home} instead`);
  return at(home);
}

async function refuseLostOrShared(home: string, dataDir: string, pointer: string): Promise<void> {
  if (!(await exists(home))) {
    throw new EmbeddedPostgresError(
      `The database was in ${home}, which is gone: bring that folder back, or delete ${pointer} to begin with an empty database`,
    );
  }
  const note = join(home, 'data-dir');
  const owner = (await readFile(note, 'utf8').catch(() => '')).trim();
  if (owner === dataDir) return;
  const other = (await readFile(join(owner, pointerName), 'utf8').catch(() => '')).trim();
  if (other === home) {
    throw new EmbeddedPostgresError(
      `${dataDir} is a copy of ${owner} and would share its database: delete ${pointer} to begin with an empty database`,
    );
  }
  await writeFile(note, `${dataDir}\n`); // The project was moved.
}

async function makeHome(dataDir: string, account: Account, say: Say): Promise<string> {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 10);
  const parents = [process.platform === 'darwin' ? '/Library/Application Support' : '/var/lib', tmpdir()];
  for (const parent of parents) {
    for (let number = 1; number < 100; number += 1) {
      const home = join(parent, `guichet-${hash}${number === 1 ? '' : `-${number}`}`);
      if (!(await mayUse(home))) break;
      if (await exists(join(home, 'postgres'))) {
        say(`${home} holds an earlier database of ${dataDir}, left alone: delete it when it is no longer needed`);
        continue;
      }
      if (!(await reaches(account, home))) break;
      await writeFile(join(home, 'data-dir'), `${dataDir}\n`);
      return home;
    }
  }
  throw new EmbeddedPostgresError(
    `The user ${account.name} can get neither to ${dataDir} nor to ${parents.join(' or ')}: give x permission on the folders above ` +
      `(chmod o+x), ${ownDatabase}`,
  );
}

/**
 * Gives a database that ran as `nobody` to the account: programs of other origin run as `nobody`, too. While it runs it keeps its user. The
 * folder itself comes last, so that an interrupted call is repeated.
 * @returns the place with the user that the database has now
 */
export async function takeOver(place: Place, isRunning: boolean, say: Say): Promise<Place> {
  const { cluster, account } = place;
  const former = account.drop ? await formerAccount() : undefined;
  if (!former || former.uid === account.uid || (await exists(cluster))?.uid !== former.uid) return place;
  if (isRunning) return { ...place, account: former };
  say(`PostgreSQL ran as ${former.name}, which other programs use, too: giving its files to ${account.name}`);
  const inside = await readdir(cluster, { recursive: true });
  for (const path of [...inside.map((name) => join(cluster, name)), cluster]) await lchown(path, account.uid, account.gid);
  return place;
}

/** Creates the folder; in a shared one like /tmp, uses an existing one only if no other user could have written to it. */
async function mayUse(home: string): Promise<boolean> {
  try {
    await mkdir(home);
    await chmod(home, 0o711);
  } catch {
    // It exists, or cannot be created: the check below decides.
  }
  const found = await lstat(home).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
}

/** Whether the account has the permissions `bits` on `path` (4 read, 1 search or execute) and may search every folder above it. */
export async function reaches(account: Account, path: string, bits = 1): Promise<boolean> {
  if (!account.drop) return true;
  const real = await realpath(path);
  let needed = bits;
  for (let at = real; ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & needed) !== needed) return false;
    if (at === dirname(at)) return true;
    needed = 1;
  }
}

/** The file status of `path`, or undefined when nothing exists; throws when that cannot be determined (no permission). */
export async function exists(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
