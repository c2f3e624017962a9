import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL outside of the application. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Makes a race certain: locks rows, starts the work, waits until its statements wait behind the lock, and only then lets go, so that
   * all of them have seen the state before the race.
   */
  race<Result>(lock: string, values: unknown[], start: () => Promise<Result>): Promise<Result>;
  /** Runs a statement on the server from outside of this database. */
  administer(statement: string): Promise<void>;
  drop(): Promise<void>;
  /** Closes the connections of the test and gives the database another name. */
  rename(to: string): Promise<void>;
}

/** A database of its own for a test file, so that files neither meet nor wait for each other. @param template copied when given */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const server = testServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name}${template ? ` template ${template}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4, application_name: 'test' });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => (await pool.query<Row>(text, values)).rows,
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
 * The name of an installed database that tests copy: installing it anew for every file takes longer than many a test. Of several
 * processes the first one makes it, the others wait.
 * @param install migrates and installs the database at this address
 */
export async function installedTemplate(install: (url: string) => Promise<void>): Promise<string> {
  const server = testServer();
  const name = process.env['GUICHET_TEST_TEMPLATE'] as string;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(7263102)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const unfinished = await createTestDatabase();
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
        // An autovacuum worker belongs to PostgreSQL itself and may not be ended by us; it is gone in a moment.
        const { code } = error as { code?: string };
        if (code !== '42501' || attempt === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  } finally {
    await client.end();
  }
}
