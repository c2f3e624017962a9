import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { transformFile } from '@swc/core';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.js';
import { findAccount } from './place.js';

const opened: EmbeddedPostgres[] = [];
let scratch: string;
let number = 0;

const fresh = (): string => join(scratch, `data-${(number += 1)}`);

async function open(dataDir: string, say?: (line: string) => void): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDir, say });
  opened.push(postgres);
  return postgres;
}

/** The first value of the first row. */
async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows[0] && Object.values(rows[0])[0];
  } finally {
    await client.end();
  }
}

async function expectStopped(postgres: EmbeddedPostgres): Promise<void> {
  await expect(query(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

/** A separate process that has the folder open and never releases it; the caller kills it. */
async function openInOtherProcess(dataDir: string) {
  const source = dirname(fileURLToPath(import.meta.url));
  const names = (await readdir(source)).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  for (const name of names) {
    const jsc = { target: 'es2022', parser: { syntax: 'typescript' } } as const;
    const { code } = await transformFile(join(source, name), { jsc, module: { type: 'es6' }, swcrc: false });
    await writeFile(join(scratch, name.replace('.ts', '.js')), code);
  }
  await writeFile(join(scratch, 'package.json'), '{"type":"module"}');
  await symlink(join(source, '../../../node_modules'), join(scratch, 'node_modules'));
  const script = `import { openEmbeddedPostgres } from './embedded-postgres.js';
    await openEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log('open');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: scratch,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'guichet-embedded-'));
  await chmod(scratch, 0o711);
});

afterAll(async () => {
  await Promise.all(opened.map((postgres) => postgres.release()));
  await rm(scratch, { recursive: true, force: true });
});

describe('openEmbeddedPostgres', () => {
  it('creates the database in the first start, and finds it in the next', async () => {
    const dataDir = fresh();
    const lines: string[] = [];
    const first = await open(dataDir, (line) => lines.push(line));
    expect(first).toMatchObject({ firstStart: true, adopted: false });
    expect(lines).toEqual(['Creating the PostgreSQL database folder (once, a few seconds)']);
    await query(first.url, 'create table kept as select 7 as number');
    expect(await query(first.url, `select lower('É')`)).toBe('é');
    expect(await query(first.url, 'select rolsuper from pg_roles where rolname = current_user')).toBe(false);
    expect(await query(first.url, `select current_setting('data_checksums')`)).toBe('on');
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    await Promise.all([first.release(), first.release()]);
    await expectStopped(first);

    const second = await open(dataDir);
    expect(second).toMatchObject({ firstStart: false, adopted: false, url: first.url });
    expect(await query(second.url, 'select number from kept')).toBe(7);
    await second.release();
  });

  // Fails without the lock: each process deletes what the other one creates.
  it('gives two simultaneous first starts one database, which the last user stops', async () => {
    const dataDir = fresh();
    const [one, two] = await Promise.all([open(dataDir), open(dataDir)]);
    expect([one.firstStart, two.firstStart].toSorted()).toEqual([false, true]);
    expect([one.adopted, two.adopted].toSorted()).toEqual([false, true]);
    expect(one.url).toBe(two.url);
    await one.release();
    expect(await query(two.url, 'select 1')).toBe(1);
    // A start during a stop: it joins before the stop or starts PostgreSQL again afterwards.
    const [, three] = await Promise.all([two.release(), open(dataDir)]);
    expect(await query(three.url, 'select 1')).toBe(1);
    await three.release();
    await expectStopped(three);
  });

  it('joins the PostgreSQL of a killed process, and stops it at the end', async () => {
    const dataDir = fresh();
    const killed = await openInOtherProcess(dataDir);
    const pid = await postmasterPid(dataDir);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const postgres = await open(dataDir);
    expect(postgres.adopted).toBe(true);
    expect(await postmasterPid(dataDir)).toBe(pid);
    await postgres.release();
    await expectStopped(postgres);
  });

  // Fails without the reconnection of a lost presence: the second one's release stops PostgreSQL under the first.
  it('recovers committed data when PostgreSQL was killed, and keeps it for all users', async () => {
    const dataDir = fresh();
    const first = await open(dataDir);
    await query(first.url, 'create table kept as select 7 as number');
    process.kill(await postmasterPid(dataDir), 'SIGKILL');
    const second = await open(dataDir);
    expect(second).toMatchObject({ firstStart: false, adopted: false, url: first.url });
    expect(await query(second.url, 'select number from kept')).toBe(7);
    // On a busy machine the first user comes back later than the last one waits for it.
    const present = `select count(*)::int from pg_stat_activity where application_name like 'guichet-presence:%'`;
    await eventually(async () => expect(await query(second.url, present)).toBe(2), { timeout: 20_000 });
    await second.release();
    expect(await query(first.url, 'select number from kept')).toBe(7);
    await first.release();
    await expectStopped(first);
  });

  // Fails without the check of the process: PostgreSQL refuses to start beside any living process of its user.
  it('starts when the pid in postmaster.pid belongs to another program now, and cleans up after killed starts', async () => {
    const dataDir = fresh();
    await (await open(dataDir)).release();
    const { uid, gid, drop } = await findAccount();
    const other = spawn('sleep', ['60'], drop ? { uid, gid } : {});
    const file = join(dataDir, 'postgres/postmaster.pid');
    const text = `${other.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n 1 1\nready\n`;
    await writeFile(file, text, { mode: 0o600 });
    await chown(file, uid, gid);
    await mkdir(join(dataDir, 'postgres.new-killed'));
    try {
      const postgres = await open(dataDir);
      expect(postgres.adopted).toBe(false);
      expect(await readdir(dataDir)).not.toContain('postgres.new-killed');
      await postgres.release();
    } finally {
      other.kill();
    }
  });

  it('ignores environment variables of other PostgreSQL clients', async () => {
    const foreign = {
      PGHOST: 'nowhere',
      PGPORT: '1',
      PGUSER: 'x',
      PGDATA: '/nowhere',
      PGSSLMODE: 'require',
      LC_ALL: 'xx',
    };
    const before = { ...process.env };
    Object.assign(process.env, foreign);
    try {
      const postgres = await open(fresh());
      expect(await query(postgres.url, 'select current_database()')).toBe('guichet');
      await postgres.release();
    } finally {
      for (const name of Object.keys(foreign)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});
