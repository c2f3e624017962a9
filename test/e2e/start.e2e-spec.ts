import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { readSettings } from '#kernel';
import { isExplained, startServer } from '../../apps/server/src/start-server.js';
import { itInLongRuns } from '../support/long-run.js';
import { postmasterOf, startFromScript, stopPrograms, untilReady, type Program } from '../support/program.js';
import { startTestApp, testSecret } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

const quiet = { NODE_ENV: 'test', DEMO: 'off', LOG_LEVEL: 'silent', SPARE_SCHEMAS: '0', PORT: '0' };
const unused = (): void => undefined;

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
  it('prints addresses and one password, shares PostgreSQL between servers, survives kill -9, and the last one stops it', async () => {
    const dataDir = join(folder, 'data');
    const [one, two] = [startFromScript({ DATA_DIR: dataDir }), startFromScript({ DATA_DIR: dataDir })];
    await Promise.all([untilReady(one), untilReady(two)]);
    const passwords = [one, two].filter((program) => program.output().includes('Super-user'));
    expect(passwords).toHaveLength(1);
    expect(passwords[0]!.output()).toMatch(/Super-user +admin@localhost +\S{24}/);
    for (const program of [one, two]) {
      expect(program.output()).toContain(`http://localhost:${program.port()}/admin`);
      await live(program).expect(200);
    }
    const postmaster = postmasterOf(dataDir);
    expect(postmaster).toBeDefined();

    one.process.kill('SIGTERM');
    expect(await one.exited).toEqual({ code: 0, signal: null });
    expect(postmasterOf(dataDir)).toBe(postmaster);
    await live(two).expect(200);

    two.process.kill('SIGKILL');
    await two.exited;
    expect(postmasterOf(dataDir)).toBe(postmaster);
    const third = startFromScript({ DATA_DIR: dataDir });
    await untilReady(third);
    expect(postmasterOf(dataDir)).toBe(postmaster);
    expect(third.output()).not.toContain('Super-user');
    await live(third).expect(200);

    third.process.kill('SIGTERM');
    expect(await third.exited).toEqual({ code: 0, signal: null });
    expect(postmasterOf(dataDir)).toBeUndefined();
  }, 300_000);

  itInLongRuns(
    'starts again, and stops everything that it started when it is stopped during the start',
    async () => {
      const dataDir = join(folder, 'data');
      const program = startFromScript({ DATA_DIR: dataDir });
      for (let round = 0; round < 3000 && !postmasterOf(dataDir); round += 1) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(postmasterOf(dataDir)).toBeDefined();
      program.process.kill('SIGINT');
      expect(await program.exited).toEqual({ code: 0, signal: null });
      expect(postmasterOf(dataDir)).toBeUndefined();
    },
    120_000,
  );
});

describe('a start that fails', () => {
  /** Starts a server in this process. @returns the line that the program prints */
  async function complaint(environment: NodeJS.ProcessEnv): Promise<string> {
    const settings = readSettings({ ...quiet, DATA_DIR: join(folder, 'none'), ...environment });
    const error: unknown = await startServer(settings, unused, unused).catch((reason: unknown) => reason);
    expect(isExplained(error)).toBe(true);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }

  it('reports all invalid settings at once, in one line', async () => {
    const program = startFromScript({ DATABASE_URL: 'nonsense', TRUSTED_PROXIES: 'somebody', DATA_DIR: join(folder, 'none') });
    expect((await program.exited).code).toBe(1);
    expect(program.output()).toMatch(/^guichet: .*TRUSTED_PROXIES.*DATABASE_URL.*\n$/);
  });

  it('reports in one line that PostgreSQL is unreachable', async () => {
    const port = await freePort();
    const program = startFromScript({ DATABASE_URL: `postgresql://u:secret@127.0.0.1:${port}/x`, DATA_DIR: join(folder, 'none') });
    expect((await program.exited).code).toBe(1);
    expect(program.output()).toMatch(new RegExp(`^guichet: .*127\\.0\\.0\\.1:${port}/x.*DATABASE_URL.*\n$`));
    expect(program.output()).not.toContain('secret');
  });

  it('reports that the port is in use, and that the server secret is different', async () => {
    const test = await startTestApp();
    const { url } = test.database;
    const taken = await complaint({ DATABASE_URL: url, SERVER_SECRET: testSecret, HOST: '127.0.0.1', PORT: String(test.port) });
    expect(taken).toContain(`Port ${test.port} is taken`);
    expect(await complaint({ DATABASE_URL: url, SERVER_SECRET: 'b'.repeat(40) })).toContain('server secret');
    await test.close();
  });

  it('reports that the database is read-only', async () => {
    const database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await database.administer(`alter database ${name} set default_transaction_read_only = on`);
    expect(await complaint({ DATABASE_URL: database.url })).toContain('read-only');
    await database.drop();
  });
});
