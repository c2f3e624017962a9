import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '#kernel';
import { check, fail, ok, warn, type Check } from './check.js';
import { guichet } from '../terminal/output.js';
import { secretFile } from '../terminal/session.js';

/** Must equal `engines` in package.json. */
const oldestNode = [20, 19] as const;

const megabyte = 1024 * 1024;

/** Checks Node.js itself: needs no settings. */
export function nodeCheck(): Promise<Check> {
  return check('node', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const [wantedMajor, wantedMinor] = oldestNode;
    const fits = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
    return fits
      ? ok(`version ${process.versions.node}`)
      : fail(`version ${process.versions.node} is too old`, `install Node.js ${wantedMajor}.${wantedMinor} or newer`);
  });
}

/** Checks data folder, disk and server secret without creating anything. */
export async function machineChecks(settings: Settings): Promise<Check[]> {
  return [
    await check('data folder', () => dataFolder(settings)),
    await check('disk', () => disk(settings)),
    await check('server secret', () => serverSecret(settings)),
  ];
}

async function dataFolder({ dataDir }: Settings) {
  const folder = await existing(dataDir);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail(`${folder} is not writable for this user`, 'run as the user the server runs as, or correct DATA_DIR');
  }
  return ok(folder === dataDir ? dataDir : `${dataDir} is not made yet`);
}

async function disk({ dataDir }: Settings) {
  const folder = await existing(dataDir);
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / megabyte);
  const detail = `${free < 1024 ? `${free} MB` : `${(free / 1024).toFixed(1)} GB`} free for ${dataDir}`;
  if (free < 200) return fail(detail, 'free some at once: a full disk stops the database');
  return free < 1024 ? warn(detail, 'free some') : ok(detail);
}

async function serverSecret(settings: Settings) {
  const file = secretFile(settings);
  if (!file) return ok('from SERVER_SECRET');
  const found = await stat(file).catch(() => undefined);
  if (!found) {
    return fail(
      `neither SERVER_SECRET nor ${file} is there`,
      `a new installation: run ${guichet} install; else restore the file from your backup`,
    );
  }
  return (found.mode & 0o077) === 0 ? ok(`from ${file}`) : warn(`${file} can be read by other users`, `chmod 600 ${file}`);
}

/** The path itself, or its nearest existing parent folder. */
async function existing(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() || path === dirname(path) ? path : existing(dirname(path));
}
