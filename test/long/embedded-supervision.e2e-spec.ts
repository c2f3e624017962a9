import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import supertest from 'supertest';
import { postmasterOf, startFromScript, startProcess, stopPrograms, untilReady, untilOutput, type Program } from '../support/program.js';

let folder: string;
let dataDir: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-supervision-'));
  // Started by root, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  // One for all tests, because each new one takes seconds.
  dataDir = join(folder, 'data');
});
afterEach(stopPrograms);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function startServer(environment: NodeJS.ProcessEnv = {}): Promise<Program> {
  const server = startFromScript({ DATA_DIR: dataDir, ...environment });
  await untilReady(server);
  return server;
}

/** A small program that opens the PostgreSQL and supervises it as the server does, which takes seconds to load. */
function openAlone(): Program {
  const script = `
    import { openEmbeddedPostgres } from '#embedded-postgres';
    const supervision = { say: console.log, gaveUp: ({ message }) => console.log('gave up: ' + message) };
    const postgres = await openEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, supervision });
    process.on('SIGTERM', () => void postgres.release().then(() => process.exit(0)));
    setInterval(() => {}, 1000);
    console.log('open');`;
  return startProcess(['--input-type=module', '-e', script]);
}

/** Kills the postmaster of the embedded PostgreSQL, as the kernel's OOM killer does. */
function killPostmaster(): number {
  const pid = postmasterOf(dataDir)!;
  process.kill(pid, 'SIGKILL');
  return pid;
}

async function status(server: Program, path: string): Promise<number> {
  return (await supertest(`http://127.0.0.1:${server.port()}`).get(path).set('Host', 'localhost')).status;
}

/** @returns milliseconds */
async function untilAnswers(server: Program, wanted: number): Promise<number> {
  const begun = performance.now();
  while ((await status(server, '/ready')) !== wanted) {
    if (performance.now() - begun > 60_000) throw new Error(`not ${wanted} after a minute:\n${server.output()}`);
    await delay(20);
  }
  return performance.now() - begun;
}

/** Starts a computation in a PostgreSQL backend, which does not notice that its postmaster has died. */
async function startComputation(): Promise<void> {
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(await readFile(join(dataDir, 'postgres.port'), 'utf8')),
    user: 'guichet',
    password: createHmac('sha256', password).update('guichet').digest('hex'),
    database: 'guichet',
  });
  client.on('error', () => undefined);
  await client.connect();
  client.query('do $$ begin loop end loop; end $$').catch(() => undefined);
  await delay(200);
}

/** Listens on a port as soon as it is free. */
async function listenOn(port: number): Promise<Server> {
  for (let round = 0; round < 100; round += 1) {
    const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    const listening = await once(server, 'listening').catch(() => undefined);
    if (listening) return server;
    await delay(50);
  }
  throw new Error(`port ${port} is not free`);
}

describe('an embedded PostgreSQL that is killed', () => {
  // Verified to fail without the supervisor (never ready again), and without ending orphaned backends ("pre-existing shared memory block").
  it('is restarted by the server or the worker, serves both, and stays down when the server stops', async () => {
    const server = await startServer({ WORKER: 'separate', SHUTDOWN_DELAY_MS: '2500' });
    const worker = startFromScript({ DATA_DIR: dataDir }, 'worker');
    await untilOutput(worker, 'Guichet worker');
    for (const round of [1, 2]) {
      if (round === 1) await startComputation();
      const killed = killPostmaster();
      await untilAnswers(server, 503);
      await untilAnswers(server, 200);
      const now = postmasterOf(dataDir);
      expect(now).toBeDefined();
      expect(now).not.toBe(killed);
    }
    expect(await status(server, '/admin/login')).toBe(200);
    const said = server.output() + worker.output();
    expect(said).toContain('The embedded PostgreSQL has ended (its main process was killed or has crashed)');
    await untilOutput(server, 'The embedded PostgreSQL is back after');
    worker.process.kill('SIGTERM');
    expect((await worker.exited).code).toBe(0);

    server.process.kill('SIGTERM');
    await untilOutput(server, 'Stopping');
    killPostmaster();
    expect((await server.exited).code).toBe(0);
    expect(server.output().split('Stopping')[1]).not.toContain('started again');
    expect(postmasterOf(dataDir)).toBeUndefined();
  }, 180_000);

  it('is stopped by the last program that has it open, also after a restart', async () => {
    const program = openAlone();
    await untilOutput(program, 'open');
    killPostmaster();
    await untilOutput(program, 'The embedded PostgreSQL is back after');
    program.process.kill('SIGTERM');
    expect((await program.exited).code).toBe(0);
    expect(postmasterOf(dataDir)).toBeUndefined();
  });
});

describe('an embedded PostgreSQL that cannot be restarted', () => {
  it('is given up with one line about the port that another program uses', async () => {
    const program = openAlone();
    await untilOutput(program, 'open');
    const port = Number(await readFile(join(dataDir, 'postgres.port'), 'utf8'));
    program.process.kill('SIGSTOP');
    killPostmaster();
    const other = await listenOn(port);
    program.process.kill('SIGCONT');
    await untilOutput(program, `gave up: Port ${port} of the embedded PostgreSQL is taken`);
    other.close();
  });

  it('ends the server with one line about its broken data', async () => {
    const server = await startServer();
    await rename(join(dataDir, 'postgres/global/pg_control'), join(dataDir, 'pg_control.lost'));
    killPostmaster();
    expect((await server.exited).code).toBe(1);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('guichet: '));
    expect(lines).toEqual([expect.stringMatching(/could not (?:be )?start.*pg_control/)]);
  }, 120_000);
});
