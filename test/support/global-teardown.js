import { rm } from 'node:fs/promises';
import pg from 'pg';

export default async function tearDown() {
  // The embedded server goes away with all it holds.
  if (process.env.TEST_DATABASE_URL) await dropTemplate(process.env.TEST_DATABASE_URL);
  const { database, dataDir } = globalThis.guichetTest ?? {};
  await database?.release();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
}

async function dropTemplate(server) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`drop database if exists ${process.env.GUICHET_TEST_TEMPLATE}`);
  await client.end();
}
