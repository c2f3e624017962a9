import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A failure of the embedded PostgreSQL and what to do about it, in one line for a person. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** The advice that always works; the end of messages that have no simpler one. */
export const ownDatabase = 'or set DATABASE_URL to a PostgreSQL server of your own';

/** The user that runs PostgreSQL; `drop` when it is not the user of this process, which is then root. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
  drop: boolean;
}

/** The user that runs PostgreSQL when root starts it. Nothing else runs as this user. */
export const ownUser = 'guichet-postgres';

/** Ways to create a system user that cannot sign in: Debian, Fedora and others; Alpine. */
const creations = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', ownUser],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', ownUser],
] as const;

/**
 * The user that runs PostgreSQL: the user of this process or, because PostgreSQL refuses root, a system user that is created when there is
 * none. On macOS it is `_postgres`.
 */
export async function findAccount(): Promise<Account> {
  const uid = process.geteuid?.() ?? 0;
  if (uid !== 0) return { name: `user ${uid}`, uid, gid: process.getegid?.() ?? 0, drop: false };
  const found = await accountOf(process.platform === 'darwin' ? '_postgres' : ownUser);
  const account = found ?? (process.platform === 'linux' ? await createAccount() : undefined);
  if (account) return account;
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and the user ${ownUser} could not be created to run it: create it (useradd --system ${ownUser}), ` +
      `start as a normal user, ${ownDatabase}`,
  );
}

/** The user that ran PostgreSQL for root before it had one of its own. */
export function formerAccount(): Promise<Account | undefined> {
  return accountOf('nobody');
}

/** The name of a user. */
export async function userName(uid: number): Promise<string> {
  return (await users()).find(([, , id]) => id !== undefined && Number(id) >>> 0 === uid)?.[0] ?? `user ${uid}`;
}

async function createAccount(): Promise<Account | undefined> {
  // Of several processes that start at once, one creates it while the others are refused the lock.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    for (const [program, ...options] of creations) await promisify(execFile)(program, options).catch(() => undefined);
    const made = await accountOf(ownUser);
    if (made) return made;
    await sleep(100);
  }
  return undefined;
}

async function accountOf(name: string): Promise<Account | undefined> {
  const [, , uid, gid] = (await users()).find(([user]) => user === name) ?? [];
  // macOS writes -2 where the file system has 4294967294.
  return uid === undefined ? undefined : { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0, drop: true };
}

async function users(): Promise<string[][]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').map((line) => line.split(':'));
}
