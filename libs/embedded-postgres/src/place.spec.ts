import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedPostgresError, openEmbeddedPostgres } from './embedded-postgres.js';
import { formerAccount } from './account.js';
import { findAccount, reaches } from './place.js';
import { explain, findBinaries, prepareBinaries } from './programs.js';

const isRoot = process.getuid?.() === 0;
let scratch: string;
let number = 0;

const fresh = (): string => join(scratch, `data-${(number += 1)}`);

/** The one-line error when opening is refused. */
async function refusal(dataDir: string): Promise<string> {
  const error: unknown = await openEmbeddedPostgres({ dataDir }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  const { message } = error as EmbeddedPostgresError;
  expect(message).not.toContain('\n');
  return message;
}

/** A data folder whose `postgres` belongs to the user of PostgreSQL and has this major version. */
async function folderOf(version: string): Promise<string> {
  const dataDir = fresh();
  const cluster = join(dataDir, 'postgres');
  await mkdir(cluster, { recursive: true });
  await writeFile(join(cluster, 'PG_VERSION'), `${version}\n`);
  const { uid, gid } = await findAccount();
  await chown(cluster, uid, gid);
  return dataDir;
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'guichet-place-'));
  await chmod(scratch, 0o711);
});

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

describe('the folder of the embedded PostgreSQL', () => {
  it('is another one when root uses a private folder, and its loss is not treated as a first start', async () => {
    const closed = join(scratch, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    for (const firstStart of [true, false]) {
      const postgres = await openEmbeddedPostgres({ dataDir });
      await postgres.release();
      expect(postgres.firstStart).toBe(firstStart);
    }
    const home = (await readFile(join(dataDir, 'postgres.place'), 'utf8').catch(() => '')).trim();
    expect(home !== '').toBe(isRoot);
    if (!isRoot) return;
    const account = await findAccount();
    expect([await reaches(account, dataDir), await reaches(account, home)]).toEqual([false, true]);
    await rm(home, { recursive: true });
    expect(await refusal(dataDir)).toContain(`The database was in ${home}, which is gone`);
  });

  it('is refused when its database is of another PostgreSQL version, or its password is missing', async () => {
    const former = await folderOf('16');
    await writeFile(join(former, 'postgres.password'), 'secret\n');
    expect(await refusal(former)).toMatch(/is of PostgreSQL 16, this Guichet brings 18: .*pg_dump 16/);
    expect(await refusal(await folderOf('18'))).toContain('postgres.password is gone');
  });

  it('is refused when it belongs to another user, or is no folder', async () => {
    const dataDir = fresh();
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await (isRoot ? chown(join(dataDir, 'postgres'), 4242, 4242) : chmod(dataDir, 0o500));
    const message = isRoot ? 'was created by user 4242: start as user 4242' : 'No permission for';
    expect(await refusal(dataDir)).toContain(message);
    await chmod(dataDir, 0o700);
    await writeFile(join(scratch, 'file'), '');
    expect(await refusal(join(scratch, 'file'))).toContain('is in the way');
  });

  it('reports a full disk', async () => {
    const log = '2026-01-01 00:00:00.000 UTC [7] FATAL:  could not write "x": No space left on device\nremoving contents\n';
    expect(explain(undefined, 'start', '/data', log).message).toBe(
      'The disk that holds /data is full: free about 200 MB and start again (FATAL: could not write "x": No space left on device)',
    );
    if (process.platform !== 'linux') return;
    const dataDir = fresh();
    await mkdir(dataDir);
    // A device on which every write fails with this error.
    await symlink('/dev/full', join(dataDir, 'postgres.password.new'));
    expect(await refusal(dataDir)).toContain('is full: free about 200 MB');
  });
});

describe('the package of the embedded PostgreSQL', () => {
  it('explains what to do on an unsupported platform, and when it is not installed', async () => {
    await expect(findBinaries('win32-x64')).rejects.toThrow('set DATABASE_URL');
    const other = process.platform === 'darwin' ? 'linux-arm64' : 'darwin-arm64';
    await expect(findBinaries(other)).rejects.toThrow('is not installed: run npm ci');
  });

  it('gets the library links that npm ci --ignore-scripts leaves out, in a copy when they cannot be created', async () => {
    const native = join(scratch, 'package/native');
    for (const path of ['bin/postgres', 'lib/postgresql/x.so', 'lib/libx.so.1.2', 'share/postgresql/postgres.bki']) {
      await mkdir(dirname(join(native, path)), { recursive: true });
      await writeFile(join(native, path), '', { mode: path.startsWith('bin') ? 0o700 : 0o600 });
    }
    const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    const home = fresh();
    await mkdir(home);
    const account = await findAccount();
    const place = { dataDir: home, home, cluster: join(home, 'postgres'), account };

    // Root's PostgreSQL user cannot read the files; a normal user cannot write beside them.
    if (!isRoot) await chmod(join(native, 'lib'), 0o500);
    const copy = await prepareBinaries({ native, version: '18.4.0' }, place);
    expect(copy).toBe(join(home, 'postgres-binaries-18.4.0/bin'));
    expect(await readlink(join(copy, '../lib/libx.so.1'))).toBe('libx.so.1.2');
    expect((await stat(join(copy, 'postgres'))).mode & 0o777).toBe(0o755);

    await chmod(join(native, 'lib'), 0o700);
    const own = { ...place, account: { ...account, drop: false } };
    expect(await prepareBinaries({ native, version: '18.4.0' }, own)).toBe(join(native, 'bin'));
    expect(await readlink(join(native, 'lib/libx.so.1'))).toBe('libx.so.1.2');
  });

  it('is given to a user of its own when it ran as nobody, and has this user alone afterwards', async () => {
    if (!isRoot) return;
    const dataDir = fresh();
    await (await openEmbeddedPostgres({ dataDir })).release();
    const { name, uid } = await findAccount();
    const cluster = join(dataDir, 'postgres');
    const users = async (): Promise<number[]> => {
      const names = await readdir(cluster, { recursive: true });
      const owners = await Promise.all([...names.map((file) => join(cluster, file)), cluster].map(async (path) => (await stat(path)).uid));
      return [...new Set(owners)];
    };
    expect([name === 'nobody', await users()]).toEqual([false, [uid]]);
    const nobody = (await formerAccount())!;
    for (const file of [...(await readdir(cluster, { recursive: true })), '']) await chown(join(cluster, file), nobody.uid, nobody.gid);
    const said: string[] = [];
    const again = await openEmbeddedPostgres({ dataDir, say: (line) => said.push(line) });
    expect([again.firstStart, await users(), said.join()]).toEqual([false, [uid], expect.stringContaining(`giving its files to ${name}`)]);
    await again.release();
  });
});
