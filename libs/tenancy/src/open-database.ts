import { openEmbeddedPostgres, type Settings } from '#kernel';
import { probeDatabase } from './database.js';

export interface OpenedDatabase {
  readonly url: string;
  readonly version: number;
  readonly embedded: boolean;
  /** Call when all connections are closed: stops the embedded PostgreSQL unless another process of ours uses it. */
  release(): Promise<void>;
}

/**
 * The database to work on: `DATABASE_URL`, or the embedded PostgreSQL under `DATA_DIR`, started or adopted.
 * @throws DatabaseStartError, EmbeddedPostgresError: one line that says what to do
 */
export async function openDatabase(settings: Settings, say?: (line: string) => void): Promise<OpenedDatabase> {
  if (settings.databaseUrl) {
    const { version } = await probeDatabase(settings.databaseUrl);
    return { url: settings.databaseUrl, version, embedded: false, release: () => Promise.resolve() };
  }
  const embedded = await openEmbeddedPostgres({ dataDir: settings.dataDir, ...(say ? { say } : {}) });
  try {
    const { version } = await probeDatabase(embedded.url);
    return { url: embedded.url, version, embedded: true, release: () => embedded.release() };
  } catch (error) {
    await embedded.release();
    throw error;
  }
}
