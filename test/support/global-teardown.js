import { rm } from 'node:fs/promises';

export default async function tearDown() {
  const { database, dataDir } = globalThis.guichetTest ?? {};
  await database?.release();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
}
