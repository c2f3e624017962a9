import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL outside of the application. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Forces a race: locks rows, starts the work, waits until its statements wait for the lock, and then releases it, so that all of them
   * have read the state before the race.
   */
  race<Result>(lock: string, values: unknown[], start: () => Promise<Result>): Promise<Result>;
  /** Number of statements that wait for a lock. */
  waiting(): Promise<number>;
  /** Runs a statement on the server from outside of this database. */
  administer(statement: string): Promise<void>;
  drop(): Promise<void>;
  /** Closes the connections of the test and gives the database another name. */
  rename(to: string): Promise<void>;
}

/** Creates a separate database for a test file, so that files are independent. @param template database to copy */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const server = testServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files takes less time than writing them to the log.
  await administer(server, `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4, application_name: 'test' });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => (await pool.query<Row>(text, values)).rows,
    waiting: async () =>
      (await pool.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rows.length,
    race: async (lock, values, start) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(lock, values);
        const work = start();
        await new Promise((resolve) => setTimeout(resolve, 300));
        await client.query('commit');
        return await work;
      } finally {
        client.release();
      }
    },
    administer: (statement) => administer(server, statement),
    rename: async (to) => {
      await pool.end();
      await administer(server, `alter database ${name} rename to ${to}`);
    },
    drop: async () => {
      await pool.end();
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

/**
 * The name of an installed database that tests copy, because an installation per file takes too long. The first of several processes
 * creates it, the others wait.
 * @param kind names one of several templates
 * @param install migrates and installs the database at this address
 * @param from a template to begin with; default: an empty database
 */
export async function installedTemplate(kind: string, install: (url: string) => Promise<void>, from?: string): Promise<string> {
  const server = testServer();
  const name = `${process.env['GUICHET_TEST_TEMPLATE']}_${kind}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const exists = async () => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
    if (await exists()) return name;
    await client.query('select pg_advisory_lock(7263102, hashtext($1))', [kind]);
    if (!(await exists())) {
      const unfinished = await createTestDatabase(from);
      await install(unfinished.url);
      await unfinished.rename(name);
    }
    return name;
  } finally {
    await client.end();
  }
}

function testServer(): string {
  const server = process.env['GUICHET_TEST_DATABASE'];
  if (!server) throw new Error('Run the tests with npm test: its set-up starts PostgreSQL.');
  return server;
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        // Autovacuum workers cannot be terminated by this role; they end soon.
        const { code } = error as { code?: string };
        if (code !== '42501' || attempt === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  } finally {
    await client.end();
  }
}
