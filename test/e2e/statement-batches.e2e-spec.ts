import { isDatabaseUnavailable } from '#kernel';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectionShare } from '../../libs/tenancy/src/database/connections/connection-share.js';
import { StatementBatches } from '../../libs/tenancy/src/database/connections/statement-batches.js';
import { WatchedClient } from '../../libs/tenancy/src/database/connections/watched-client.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query('create table scan (id int primary key)');
  pool = new pg.Pool({ connectionString: database.url, max: 5, Client: WatchedClient } as unknown as pg.PoolConfig);
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** @param places connections of a tenant for urgent work */
function batches(places = 4, waitMs = 5000): StatementBatches {
  return new StatementBatches(new ConnectionShare({ each: places, urgent: places, others: 9 }, waitMs), () => pool.connect());
}

const backend = { name: 'backend', text: 'select pg_backend_pid() as pid, txid_current() as transaction' };
const insert = (id: number): pg.QueryConfig<unknown[]> => ({ name: 'insert', text: 'insert into scan values ($1)', values: [id] });
const times = <Result>(count: number, one: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_none, index) => one(index));

describe('urgent statements of one turn', () => {
  it('are sent together on one connection, at most four, each in a transaction of its own', async () => {
    const sent = batches();
    const rows = (await Promise.all(times(6, () => sent.run('a', backend)))).flat();
    const pids = rows.map(({ pid }) => pid as number);
    expect(new Set(pids.slice(0, 4)).size).toBe(1);
    expect(new Set(pids.slice(4)).size).toBe(1);
    expect(pids[4]).not.toBe(pids[0]);
    expect(new Set(rows.map(({ transaction }) => transaction as string)).size).toBe(6);
  });

  it('take separate connections when they are of several tenants', async () => {
    const sent = batches();
    const [a, b] = await Promise.all([sent.run('a', backend), sent.run('b', backend)]);
    expect(a[0]?.['pid']).not.toBe(b[0]?.['pid']);
  });

  it('fail alone: the others are committed', async () => {
    const sent = batches();
    await sent.run('a', insert(1));
    const outcomes = await Promise.allSettled([
      sent.run('a', insert(2)),
      sent.run('a', insert(1)),
      sent.run('a', {
        text: 'select $1',
        values: [
          {
            toPostgres: () => {
              throw new Error('unusable');
            },
          },
        ],
      }),
      sent.run('a', insert(3)),
      sent.run('a', insert(4)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: '23505' } });
    expect(outcomes[2]).toMatchObject({ reason: { message: 'unusable' } });
    expect(await database.query('select id from scan order by id')).toEqual([1, 2, 3, 4].map((id) => ({ id })));
  });

  it('fail with the same error when they cannot be prepared, and name the place that sent them', async () => {
    const sent = batches();
    const missing = { name: 'missing', text: 'select * from missing' };
    const [first, second, other] = await Promise.allSettled([sent.run('a', missing), sent.run('a', missing), sent.run('a', backend)]);
    expect(first).toMatchObject({ reason: { code: '42P01' } });
    expect(second).toMatchObject({ reason: { code: '42P01' } });
    expect((second as PromiseRejectedResult).reason).toHaveProperty('stack', expect.stringContaining('statement-batches.e2e-spec'));
    expect(other).toMatchObject({ status: 'fulfilled' });
  });

  it('all fail when their connection is lost, and leave the place to later ones', async () => {
    const sent = batches(1);
    const lost = Promise.allSettled([sent.run('a', { text: `select pg_sleep(30), 'lost'` }), sent.run('a', backend)]);
    await until(
      () =>
        database.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%''lost''' and pid <> pg_backend_pid()`),
      (ended) => ended.length > 0,
    );
    const reasons = (await lost).map((outcome) => (outcome as PromiseRejectedResult).reason as unknown);
    expect(reasons.map(isDatabaseUnavailable)).toEqual([true, true]);
    expect(await sent.run('a', backend)).toHaveLength(1);
  });
});

describe('urgent statements that find no connection', () => {
  it('are sent together on the next one', async () => {
    const sent = batches(1);
    const first = sent.run('a', { text: `select pg_sleep(0.3)` });
    const waiting: Promise<pg.QueryResultRow[]>[] = [];
    for (let count = 0; count < 4; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      waiting.push(sent.run('a', backend));
    }
    await first;
    const rows = (await Promise.all(waiting)).flat();
    expect(new Set(rows.map(({ pid }) => pid as number)).size).toBe(1);
  });

  it('do not wait behind one that waits for a lock, when there are other connections', async () => {
    const sent = batches();
    const locker = await pool.connect();
    await locker.query('begin; lock table scan');
    const locked = sent.run('a', insert(9));
    await until(
      () => database.waiting(),
      (count) => count === 1,
    );
    expect(await sent.run('a', backend)).toHaveLength(1);
    expect(await database.waiting()).toBe(1);
    await locker.query('commit');
    locker.release();
    await locked;
  });

  it('are refused in time, and later ones are sent', async () => {
    const sent = batches(1, 50);
    const first = sent.run('a', { text: `select pg_sleep(0.5)` });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const refused = await Promise.allSettled([sent.run('a', backend), sent.run('a', backend)]);
    expect(refused).toMatchObject(
      times(2, () => ({ reason: { message: 'All connections of this tenant, or of all tenants, are busy.' } })),
    );
    await first;
    expect(await sent.run('a', backend)).toHaveLength(1);
  });
});
