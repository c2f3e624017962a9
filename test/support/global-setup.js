/**
 * One real PostgreSQL for the whole run: the embedded one on a throw-away folder, or the server of TEST_DATABASE_URL (whose user must be
 * allowed to create databases; TEST_DATABASE_NODES has the further servers of its cluster, with commas). Plain JavaScript, because Jest
 * loads it outside of the environment of the tests.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '#embedded-postgres';
import pg from 'pg';

let embedded;
let folder;

/** Starts the server and passes its address and the beginning of the template databases' names to the tests. */
export async function setup() {
  // For files that all test processes share.
  folder = await mkdtemp(join(tmpdir(), 'guichet-tests-'));
  process.env.GUICHET_TEST_FOLDER = folder;
  process.env.GUICHET_TEST_TEMPLATE = `test_template_${randomBytes(8).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    process.env.GUICHET_TEST_DATABASE = process.env.TEST_DATABASE_URL;
    return;
  }
  const dataDir = await mkdtemp(join(await fastFolder(), 'guichet-test-'));
  // When root starts it, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755);
  // Durability is disabled, because it takes most of the time; the fault tests enable it. Databases exist for seconds only.
  const extraSettings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
    jit: 'off',
    // Each connection computes it on both sides.
    scram_iterations: '1',
    max_connections: '200',
  };
  const database = await openEmbeddedPostgres({ dataDir, extraSettings });
  process.env.GUICHET_TEST_DATABASE = database.url;
  embedded = { database, dataDir };
}

/**
 * A tenant consists of about 300 small files, and the tests create a thousand tenants, which is much faster in memory. With little memory,
 * as in most containers, uses the temporary folder.
 */
async function fastFolder() {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = await statfs(memory);
    if (bavail * bsize > 4 * 1024 ** 3) return memory;
  } catch {
    // Not Linux.
  }
  return tmpdir();
}

/** Stops the embedded server, or deletes the template from the other one. */
export async function teardown() {
  // The data of the embedded server is deleted below.
  const { TEST_DATABASE_URL: server, TEST_DATABASE_NODES: nodes } = process.env;
  if (server) for (const each of [server, ...(nodes?.split(',') ?? [])]) await dropTemplate(each);
  await embedded?.database.release();
  for (const path of [folder, embedded?.dataDir]) if (path) await rm(path, { recursive: true, force: true });
}

async function dropTemplate(server) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
    process.env.GUICHET_TEST_TEMPLATE,
  ]);
  for (const { datname } of rows) await client.query(`drop database if exists ${datname}`);
  await client.end();
}
