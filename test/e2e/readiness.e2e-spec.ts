import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openLossyDatabase, type LossyDatabase } from '../support/lossy-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { installedDatabase, startTestApp, type TestApp } from '../support/test-app.js';

let database: TestDatabase;
let lossy: LossyDatabase;
let test: TestApp;

beforeAll(async () => {
  database = await installedDatabase('few');
  lossy = await openLossyDatabase(database.url);
  // The time-out ends hanging statements, so that the next check succeeds.
  const environment = { DATABASE_TIMEOUT_MS: '3000', DATABASE_WAIT_MS: '1000' };
  test = await startTestApp({ database: { ...database, url: lossy.url }, environment });
});
afterAll(async () => {
  await test.close();
  await lossy.close();
  await database.drop();
});

async function ready(): Promise<[status: number, reason: string | undefined]> {
  const { status, body } = await test.on('localhost').get('/ready');
  return [status, (body as { reason?: string }).reason];
}

async function untilReady(): Promise<void> {
  for (let round = 0; round < 300; round += 1) {
    if ((await ready())[0] === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('not ready after 30 s');
}

async function writes(): Promise<number> {
  const [row] = await database.query<{ count: string }>(
    `select n_tup_ins + n_tup_upd as count from pg_stat_user_tables where relname = 'chore'`,
  );
  return Number(row?.count);
}

/** The value of a metric as Prometheus reads it; undefined without a sample. */
async function sample(name: string): Promise<string | undefined> {
  const { text } = await test.on('localhost').get('/metrics').expect(200);
  return new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1];
}

it('/ready writes once for a hundred requests', async () => {
  await untilReady();
  const answers = await Promise.all(Array.from({ length: 100 }, ready));
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
  // PostgreSQL counts with a delay of up to a second.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await writes()).toBeLessThanOrEqual(2);
});

// Verified to fail when /ready only pings: 200.
it('/ready is 503 while commits hang, without repeated writes, and 200 afterwards', async () => {
  lossy.fail('hang', /readiness probe/, 1000);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const before = lossy.faults;
  const answers = await Promise.all(Array.from({ length: 50 }, ready));
  expect(new Set(answers.map(String))).toEqual(new Set(['503,commits hang']));
  expect(lossy.faults - before).toBeLessThanOrEqual(1);
  lossy.fail('hang', /$^/, 0);
  await untilReady();
});

it('/ready is 503 when the database is read-only, like a standby', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const reconnect = () =>
    database.administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'guichet'`,
    );
  await database.administer(`alter database ${name} set default_transaction_read_only = on`);
  await reconnect();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  for (let round = 0; round < 100 && (await ready())[1] !== 'database is read-only'; round += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await ready()).toEqual([503, 'database is read-only']);
  await database.administer(`alter database ${name} reset default_transaction_read_only`);
  await reconnect();
  await untilReady();
});

// Verified to fail with prom-client's reset(): 0.
it('/metrics has no sample of values that cannot be read, within a second', async () => {
  expect(await sample('guichet_outbox_oldest_seconds')).toBe('0');
  lossy.fail('hang', /outbox-lag|job-lag/, 1000);
  expect(await sample('guichet_outbox_oldest_seconds')).toBeUndefined();
  expect(await sample('guichet_jobs_due_oldest_seconds')).toBeUndefined();
  expect(await sample('guichet_database_connections')).toBeDefined();
  lossy.fail('hang', /$^/, 0);
});
