import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueueService } from '#jobs';
import { latestTenant, Migrator, requiredTenant, TenantDb, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import supertest from 'supertest';
import type { Started } from '../load/bench-processes.js';
import { newDevice } from '../support/builders.js';
import { startServers } from '../support/servers.js';
import { itInLongRuns } from '../support/long-run.js';
import { startTestApp, testSecret, type TestApp } from '../support/test-app.js';

/** Shorter than the defaults, which are seconds. */
const intervals = { MIGRATION_LOCK_TIMEOUT_MS: '100', MIGRATION_RETRY_MS: '200' };

let test: TestApp;
let busy: TenantIdentity;
let calm: TenantIdentity;
let lock: pg.Client | undefined;

beforeAll(async () => {
  test = await startTestApp({ environment: intervals });
  busy = await test.newTenant({ name: 'Busy place' });
  calm = await test.newTenant({ name: 'Calm place' });
});
afterEach(async () => {
  await release();
  await test.app.get(Migrator).run();
});
afterAll(() => test.close());

/** Reverts a tenant to version 19, whose tables lack a column that pairing uses. */
async function putBack({ schemaName, id }: TenantIdentity): Promise<void> {
  await test.database.query(`alter table "${schemaName}".scanning_device drop column may_search_tickets`);
  await test.database.query('update shared.tenant set schema_version = 19 where id = $1', [id]);
}

/** Opens a transaction that locks a table of the next migration. */
async function hold(tenant: TenantIdentity): Promise<void> {
  lock = new pg.Client({ connectionString: await test.database.urlOf(tenant) });
  await lock.connect();
  // Otherwise PostgreSQL ends the idle transaction after some seconds.
  await lock.query('set idle_in_transaction_session_timeout to 0');
  await lock.query(`begin; lock table "${tenant.schemaName}".scanning_device in access exclusive mode`);
}

async function release(): Promise<void> {
  await lock?.end();
  lock = undefined;
}

async function version({ id }: TenantIdentity): Promise<number> {
  const [row] = await test.database.query<{ version: number }>('select schema_version as version from shared.tenant where id = $1', [id]);
  return row!.version;
}

function migrateRun(environment: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['dist/apps/cli/src/main.js', 'migrate', 'run'],
      { env: { ...process.env, ...environment } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

async function until(look: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 300; round += 1) {
    if (await look()) return;
    await delay(100);
  }
  throw new Error('It did not happen within 30 s.');
}

describe('a tenant whose tables are locked while another process starts', () => {
  let server: Started;
  afterEach(() => server?.stop());

  const from = (tenant: TenantIdentity, path: string): supertest.Test =>
    supertest(`http://127.0.0.1:${server.port}`).get(path).set('Host', tenant.host);

  // Verified to fail when a busy tenant aborts the run ("canceling statement due to lock timeout"), and without the check of its state
  // (200).
  it('answers 503 only for that tenant, which returns without a restart when the lock is released', async () => {
    await putBack(busy);
    await putBack(calm);
    await hold(busy);
    [server] = (await startServers(test, 1, intervals)) as [Started];

    expect([await version(busy), await version(calm)]).toEqual([19, latestTenant]);
    await from(calm, '/api/events/').expect(200);
    await from(calm, '/admin/login').expect(200);
    const refused = await from(busy, '/api/events/').expect(503);
    expect(refused.body).toMatchObject({ code: 'tenant.migrating', status: 503 });
    expect(refused.headers['retry-after']).toBe('5');
    for (const path of ['/', '/admin/login', '/admin/resources/events']) {
      const page = await from(busy, path).set('Accept', 'text/html').set('Accept-Language', 'fr').expect(503);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.text).toContain('Mise à jour en cours');
      expect(page.text).toContain('Busy place');
    }
    const ready = await from(busy, '/ready').expect(200);
    expect(ready.body).toEqual({ status: 'ready', tenants: { behind: 1, newer: 0 } });

    await release();
    await until(async () => (await from(busy, '/api/events/')).status === 200);
    expect(await version(busy)).toBe(latestTenant);
  }, 60_000);
});

describe('a tenant that is behind', () => {
  const environment = () => ({
    ...intervals,
    DATABASE_URL: test.database.url,
    SERVER_SECRET: testSecret,
    NODE_ENV: 'production',
  });

  itInLongRuns(
    'is listed with the reason by `migrate run`, which migrates the others and exits with 1',
    async () => {
      await putBack(busy);
      await putBack(calm);
      await hold(busy);
      const run = await migrateRun(environment());
      expect(run.code).toBe(1);
      expect(run.stdout).toMatch(new RegExp(`^${busy.slug} +19 +busy: a table is locked by another transaction`, 'm'));
      expect(run.stdout).not.toContain(calm.slug);
      expect(await version(calm)).toBe(latestTenant);
      await release();
      expect((await migrateRun(environment())).code).toBe(0);
    },
    60_000,
  );

  it('is never read, and its jobs wait without using up their attempts', async () => {
    await putBack(busy);
    await hold(busy);
    // The current identity; the one from `newTenant` is outdated.
    const behind = { ...busy, schemaState: 'behind' as const };
    const read = test.inside(behind, async () => test.app.get(TenantDb).transaction((tx) => tx.query('select 1')));
    await expect(read).rejects.toMatchObject({ code: 'tenant.migrating' });
    await test.database.query(`insert into shared.job (tenant_id, kind, subject_id, attempts, due_at) values ($1, 'test', $1, 3, now())`, [
      busy.id,
    ]);
    const queue = test.app.get(JobQueueService);
    const [claimed] = await queue.claim({ kinds: ['test'], limit: 1, without: [], served: [] });
    await queue.giveBack(claimed!, 5);
    const [job] = await test.database.query(
      `delete from shared.job where tenant_id = $1 and kind = 'test' returning attempts, due_at > now() as later`,
      [busy.id],
    );
    expect(job).toEqual({ attempts: 3, later: true });
  });

  it('is detected by /ready when an older process created it later, and is migrated', async () => {
    const [server] = (await startServers(test, 1, { ...intervals, MIGRATION_RETRY_MS: '600000' })) as [Started];
    try {
      await putBack(calm);
      await until(async () => {
        await supertest(`http://127.0.0.1:${server.port}`).get('/ready').expect(200);
        return (await version(calm)) === latestTenant;
      });
    } finally {
      await server.stop();
    }
  }, 60_000);
});

describe('a tenant that a newer program migrated', () => {
  afterEach(() =>
    test.database.query('update shared.tenant set schema_version = $1, required_version = $2', [latestTenant, requiredTenant]),
  );

  it('is served while newer migrations are additive, and answers 503 otherwise', async () => {
    const newer = (required: number) =>
      test.database.query('update shared.tenant set schema_version = $2, required_version = $3 where id = $1', [
        busy.id,
        latestTenant + 1,
        required,
      ]);
    const status = async () => (await test.on(busy).get('/api/events/')).status;
    await newer(requiredTenant);
    await delay(1100);
    expect(await status()).toBe(200);
    await newer(latestTenant + 1);
    await until(async () => (await status()) === 503);
    expect((await test.app.get(Migrator).run()).newer).toEqual([busy.slug]);
    expect((await test.app.get(Migrator).status()).tenants).toMatchObject({ behind: 0, newer: 1 });
    await newDevice(test, calm);
  });
});
