/**
 * One real PostgreSQL for the whole run: the embedded one on a throw-away folder, or the server of TEST_DATABASE_URL (whose user must be
 * allowed to create databases). Plain JavaScript, because Jest loads it before its own module mapping: `#kernel` is the built one.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '#kernel';

export default async function setUp() {
  process.env.GUICHET_TEST_TEMPLATE = `test_template_${randomBytes(8).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    process.env.GUICHET_TEST_DATABASE = process.env.TEST_DATABASE_URL;
    return;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'guichet-test-'));
  // Started by root, PostgreSQL runs as another user, who must be able to come in.
  await chmod(dataDir, 0o755);
  // Durability is not under test here and costs most of the time; faults are tested with it on.
  const database = await openEmbeddedPostgres({ dataDir, extraSettings: { fsync: 'off', max_connections: '200' } });
  process.env.GUICHET_TEST_DATABASE = database.url;
  globalThis.guichetTest = { database, dataDir };
}
