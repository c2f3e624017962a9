import { openEmbeddedPostgres, type Supervision } from '#embedded-postgres';
import { type Settings } from '#kernel';
import { probeDatabase } from './database.js';

export interface OpenedDatabase {
  readonly url: string;
  readonly version: number;
  readonly embedded: boolean;
  /** The process begins to stop: an embedded PostgreSQL that ends from now on is not started again. */
  endSupervision(): void;
  /** Call when all connections are closed: stops the embedded PostgreSQL unless another process of ours uses it. */
  release(): Promise<void>;
}

/**
 * The database to work on: `DATABASE_URL`, or the embedded PostgreSQL under `DATA_DIR`, started or adopted.
 * @param supervision of a process that stays: the embedded PostgreSQL is started again when it ends
 * @throws DatabaseStartError, EmbeddedPostgresError: one line that says what to do
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
