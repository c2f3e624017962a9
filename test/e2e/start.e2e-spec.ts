import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import supertest from 'supertest';
import { postmasterOf, startFromScript, stopPrograms, untilReady, type Program } from '../support/program.js';
import { createTestDatabase } from '../support/test-database.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-start-'));
  // Started by root, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
});
afterEach(stopPrograms);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const live = (program: Program): supertest.Test => supertest(`http://127.0.0.1:${program.port()}`).get('/ready');

describe('npm start with the embedded PostgreSQL', () => {
  it('prints addresses and passwords, starts again, survives kill -9, and stops cleanly', async () => {
    const dataDir = join(folder, 'data');
    const first = startFromScript({ DATA_DIR: dataDir });
    await untilReady(first);
    expect(first.output()).toContain(`http://localhost:${first.port()}/admin`);
    expect(first.output()).toMatch(/Super-user +admin@localhost +\S{24}/);
    await live(first).expect(200);
    const postmaster = postmasterOf(dataDir);
    expect(postmaster).toBeDefined();

    first.process.kill('SIGKILL');
    await first.exited;
    expect(postmasterOf(dataDir)).toBe(postmaster);
    const second = startFromScript({ DATA_DIR: dataDir });
    await untilReady(second);
    expect(postmasterOf(dataDir)).toBe(postmaster);
    expect(second.output()).not.toContain('Super-user');
    await live(second).expect(200);

    second.process.kill('SIGTERM');
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(postmasterOf(dataDir)).toBeUndefined();

    const third = startFromScript({ DATA_DIR: dataDir });
    await untilReady(third);
    third.process.kill('SIGINT');
    expect(await third.exited).toEqual({ code: 0, signal: null });
    expect(postmasterOf(dataDir)).toBeUndefined();
  }, 300_000);

  it('shares one PostgreSQL between two servers, and the last one stops it', async () => {
    const dataDir = join(folder, 'shared');
    const [one, two] = [startFromScript({ DATA_DIR: dataDir }), startFromScript({ DATA_DIR: dataDir })];
    await Promise.all([untilReady(one), untilReady(two)]);
    const passwords = [one, two].filter((program) => program.output().includes('Super-user'));
    expect(passwords).toHaveLength(1);
    one.process.kill('SIGTERM');
    await one.exited;
    await live(two).expect(200);
    two.process.kill('SIGTERM');
    expect((await two.exited).code).toBe(0);
    expect(postmasterOf(dataDir)).toBeUndefined();
  }, 300_000);

  it('stops everything that it started when it is stopped during the start', async () => {
    const dataDir = join(folder, 'early');
    const program = startFromScript({ DATA_DIR: dataDir });
    for (let round = 0; round < 3000 && !postmasterOf(dataDir); round += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    program.process.kill('SIGTERM');
    expect((await program.exited).code).toBe(0);
    expect(postmasterOf(dataDir)).toBeUndefined();
  }, 120_000);
});

describe('a start that fails', () => {
  const oneLine = async (program: Program): Promise<string> => {
    const { code } = await program.exited;
    expect(code).toBe(1);
    const complaint = program
      .output()
      .split('\n')
      .filter((line) => line.startsWith('guichet: '));
    expect(program.output()).not.toMatch(/\n {4}at /);
    expect(complaint).toHaveLength(1);
    return complaint[0] as string;
  };

  it('reports in one line that PostgreSQL is unreachable', async () => {
    const port = await freePort();
    const program = startFromScript({
      DATABASE_URL: `postgresql://u:secret@127.0.0.1:${port}/x`,
      DATA_DIR: join(folder, 'none'),
    });
    const line = await oneLine(program);
    expect(line).toContain(`127.0.0.1:${port}/x`);
    expect(line).toContain('DATABASE_URL');
    expect(program.output()).not.toContain('secret');
  });

  it('reports all invalid settings at once', async () => {
    const line = await oneLine(startFromScript({ DATABASE_URL: 'nonsense', TRUSTED_PROXIES: 'somebody', DATA_DIR: join(folder, 'none') }));
    expect(line).toContain('DATABASE_URL');
    expect(line).toContain('TRUSTED_PROXIES');
  });

  it('reports that the port is in use', async () => {
    const database = await createTestDatabase();
    const server: Server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const line = await oneLine(startFromScript({ DATABASE_URL: database.url, DATA_DIR: join(folder, 'none'), PORT: String(port) }));
    expect(line).toContain(`Port ${port} is taken`);
    server.close();
    await database.drop();
  });

  it('reports that the database is read-only', async () => {
    const database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await database.administer(`alter database ${name} set default_transaction_read_only = on`);
    const line = await oneLine(startFromScript({ DATABASE_URL: database.url, DATA_DIR: join(folder, 'none') }));
    expect(line).toContain('read-only');
    await database.drop();
  });

  it('reports that the server secret is different', async () => {
    const database = await createTestDatabase();
    const first = startFromScript({ DATABASE_URL: database.url, SERVER_SECRET: 'a'.repeat(40) });
    await untilReady(first);
    first.process.kill('SIGTERM');
    await first.exited;
    const line = await oneLine(startFromScript({ DATABASE_URL: database.url, SERVER_SECRET: 'b'.repeat(40) }));
    expect(line).toContain('server secret');
    await database.drop();
  }, 60_000);
});
