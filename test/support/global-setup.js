/**
 * One real PostgreSQL for the whole run: the embedded one on a throw-away folder, or the server of TEST_DATABASE_URL (whose user must be
 * allowed to create databases). Plain JavaScript, because Vitest loads it outside of its module mapping: `#embedded-postgres` is the built
 * one.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '#embedded-postgres';
import pg from 'pg';

let embedded;

/** Starts the server and tells the tests its address and the name of their template database. */
export async function setup() {
  process.env.GUICHET_TEST_TEMPLATE = `test_template_${randomBytes(8).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    process.env.GUICHET_TEST_DATABASE = process.env.TEST_DATABASE_URL;
    return;
  }
  const dataDir = await mkdtemp(join(await fastFolder(), 'guichet-test-'));
  // Started by root, PostgreSQL runs as another user, who must be able to come in.
  await chmod(dataDir, 0o755);
  // Durability is not under test here and costs most of the time; faults are tested with it on. Databases live for seconds.
  const extraSettings = {
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    jit: 'off',
    max_connections: '200',
  };
  const database = await openEmbeddedPostgres({ dataDir, extraSettings });
  process.env.GUICHET_TEST_DATABASE = database.url;
  embedded = { database, dataDir };
}

/**
 * Each tenant is some 250 small files, and tests make a thousand tenants: in memory that takes a fraction of the time. Where there is
 * little memory, as in most containers, the temporary folder serves.
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

/** Stops the embedded server, or leaves the other one as it was. */
export async function teardown() {
  // The embedded server goes away with all it holds.
  if (process.env.TEST_DATABASE_URL) await dropTemplate(process.env.TEST_DATABASE_URL);
  await embedded?.database.release();
  if (embedded) await rm(embedded.dataDir, { recursive: true, force: true });
}

async function dropTemplate(server) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`drop database if exists ${process.env.GUICHET_TEST_TEMPLATE}`);
  await client.end();
}
