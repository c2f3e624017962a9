import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PipelinedClient } from '../../libs/tenancy/src/database/connections/pipelined-client.js';
import { runAtOnce } from '../../libs/tenancy/src/database/connections/transaction-runner.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const open = (options: pg.ClientConfig = {}): pg.Pool =>
  new pg.Pool({ connectionString: database.url, max: 1, Client: PipelinedClient, ...options } as unknown as pg.PoolConfig);

describe('a pipelined connection', () => {
  it('lets go of the answers to its statements', async () => {
    // In a process of its own, because everything else in a process changes what is collected when.
    const program = join(import.meta.dirname, '../support/old-generation.js');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, database.url]);
    // The answers to its 300 statements take more than ten megabytes.
    expect(Number(stdout)).toBeLessThan(4_000_000);
  });

  it('ends when a statement takes too long; the pool opens another one', async () => {
    const pool = open({ query_timeout: 300 });
    pool.on('error', () => undefined);
    await expect(pool.query('select pg_sleep(30)')).rejects.toThrow('Query read timeout');
    const { rows } = await pool.query<{ one: number }>('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('fails all statements behind the one that takes too long', async () => {
    const pool = open({ query_timeout: 300 });
    pool.on('error', () => undefined);
    const client = await pool.connect();
    client.on('error', () => undefined);
    const outcomes = await Promise.allSettled([client.query('select pg_sleep(30)'), client.query('select 1')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    client.release(true);
    await pool.end();
  });

  it('names the place where a refused statement was sent', async () => {
    const pool = open();
    const client = await pool.connect();
    const error = await client.query('select nothing').catch((refused: Error) => refused);
    expect(error).toMatchObject({ code: '42703' });
    expect((error as Error).stack).toContain('pipelined-client');
    client.release();
    await pool.end();
  });
});

describe('statements at once', () => {
  const add = { name: 'add', text: 'insert into kept (of) values ($1)' };
  const count = { name: 'count', text: 'select count(*)::int as count from kept', values: [] };
  let pool: pg.Pool;
  const send = (...statements: pg.QueryConfig<unknown[]>[]): Promise<unknown> => runAtOnce(pool, () => statements);

  beforeAll(async () => {
    pool = open();
    await pool.query('create table known (id text primary key)');
    await pool.query('create table kept (of text references known deferrable initially deferred)');
    await pool.query(`insert into known values ('a')`);
  });
  afterAll(() => pool.end());

  it('are prepared later when PostgreSQL has ignored them after an error', async () => {
    const later = { name: 'later', text: 'select 7 as later', values: [] };
    await expect(send({ ...add, values: ['a'] }, { name: 'wrong', text: 'selec 1', values: [] }, later)).rejects.toMatchObject({
      code: '42601',
    });
    expect(await send(later)).toEqual([{ later: 7 }]);
    expect(await send(count)).toEqual([{ count: 0 }]);
  });

  it('fail with the error of their commit, and write nothing', async () => {
    await expect(send({ ...add, values: ['b'] }, count)).rejects.toMatchObject({ code: '23503' });
    expect(await send({ ...add, values: ['a'] }, count)).toEqual([{ count: 1 }]);
  });
});
