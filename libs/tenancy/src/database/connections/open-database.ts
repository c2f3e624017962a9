import { openEmbeddedPostgres, type Supervision } from '#embedded-postgres';
import { type Settings } from '#kernel';
import { probeDatabase } from './database.js';

export interface OpenedDatabase {
  readonly url: string;
  readonly version: number;
  readonly embedded: boolean;
  /** Call when the process begins to stop: the embedded PostgreSQL is no longer restarted when it ends. */
  endSupervision(): void;
  /** Call when all connections are closed: stops the embedded PostgreSQL unless another process of ours uses it. */
  release(): Promise<void>;
}

/**
 * Opens the database: `DATABASE_URL`, or the embedded PostgreSQL under `DATA_DIR`, which is started or joined.
 * @param supervision for long-running processes: restarts the embedded PostgreSQL when it ends
 * @throws DatabaseStartError, EmbeddedPostgresError: one line for the operator
 */
export async function openDatabase(settings: Settings, say?: (line: string) => void, supervision?: Supervision): Promise<OpenedDatabase> {
  if (settings.databaseUrl) {
    const { version } = await probeDatabase(settings.databaseUrl);
    const nothing = (): void => undefined;
    return {
      url: settings.databaseUrl,
      version,
      embedded: false,
      endSupervision: nothing,
      release: () => Promise.resolve(),
    };
  }
  const embedded = await openEmbeddedPostgres({ dataDir: settings.dataDir, say, supervision });
  try {
    const { version } = await probeDatabase(embedded.url);
    return {
      url: embedded.url,
      version,
      embedded: true,
      endSupervision: () => embedded.endSupervision(),
      release: () => embedded.release(),
    };
  } catch (error) {
    await embedded.release();
    throw error;
  }
}
