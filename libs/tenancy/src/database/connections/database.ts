import type { Settings } from '#kernel';
import { DataSource, type EntitySchema } from 'typeorm';
import pg from 'pg';
import { PostgresNaming } from './naming.js';
import { PipelinedClient } from './pipelined-client.js';

type EntityClass = abstract new () => object;

/** PostgreSQL cannot be used as configured. The message is one line that tells the operator what to do. */
export class DatabaseStartError extends Error {}

/**
 * The process's one pool. Small (8 to 16 connections serve a two-core PostgreSQL best) and recycled, because every backend
 * caches about half a megabyte for each tenant that it has served.
 */
export function createDataSource(
  url: string,
  settings: Pick<Settings, 'databasePoolSize' | 'databaseTimeoutMs' | 'databaseWaitMs' | 'preparedStatements'>,
  entities: readonly (EntityClass | EntitySchema)[],
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: 'guichet',
    entities: [...entities],
    namingStrategy: new PostgresNaming(),
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    synchronize: false,
    poolSize: settings.databasePoolSize,
    poolErrorHandler: () => undefined,
    extra: {
      // TypeORM reads host, user and database from the address and drops the rest (such as sslmode); pg reads all of it.
      connectionString: url,
      connectionTimeoutMillis: settings.databaseWaitMs,
      idleTimeoutMillis: 30_000,
      maxUses: 20_000,
      maxLifetimeSeconds: 900,
      query_timeout: settings.databaseTimeoutMs,
      keepAlive: true,
      Client: PipelinedClient,
      // Not an option of pg; `queryPrepared` reads it.
      preparedStatements: settings.preparedStatements,
      onConnect: (client: pg.Client) => limitSession(client, settings.databaseTimeoutMs),
    },
  });
}

/**
 * Limits of a transaction or a session, in milliseconds. PostgreSQL ends a statement shortly before the process gives its connection up, so
 * that the connection stays usable; a lock is waited for half as long, so that one locked row does not hold connections for the whole time.
 */
export function databaseLimits(timeoutMs: number): Readonly<Record<string, number>> {
  return {
    statement_timeout: Math.ceil(timeoutMs * 0.9),
    lock_timeout: Math.ceil(timeoutMs / 2),
    idle_in_transaction_session_timeout: timeoutMs,
  };
}

/** Connections whose session has the limits, so that their transactions need not set them. */
const limited = new WeakSet<pg.ClientBase>();

/** Whether the session of a connection has the limits of `databaseLimits`, and checks that its client is still there. */
export function hasSessionLimits(client: pg.ClientBase): boolean {
  return limited.has(client);
}

/** `client_connection_check_interval`: how often PostgreSQL checks during a statement that the client is still there. */
export const clientCheckInterval = '2s';

/**
 * Settings of the extension Citus, which nobody reads without it: schemas and tables are made on one node, simultaneous changes of a
 * reference table wait for one another only when they change the same row, and such a change fails soon when a node does not answer.
 */
const nodeSettings = {
  'citus.enable_ddl_propagation': 'off',
  'citus.all_modifications_commutative': 'on',
  'citus.node_connection_timeout': '3000',
} as const;

const setLocal = (settings: Readonly<Record<string, unknown>>): string =>
  `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${String(value)}', true)`)
    .join(', ')}`;

/** The settings of nodes for one transaction that makes tables, because a session behind a pooler has none. */
export const nodeSettingsSql = setLocal(nodeSettings);

/** The settings of nodes and `databaseLimits` for one transaction, for connections behind a pooler; a statement. */
export function transactionSettingsSql(timeoutMs: number): string {
  return setLocal({ ...databaseLimits(timeoutMs), ...nodeSettings });
}

/**
 * Sets the settings of nodes, and others, for the session. Only on a connection that leads to PostgreSQL itself (its backend is the one
 * that was named when it was opened): a backend behind a pooler serves others, too. Not as startup parameters, which poolers refuse.
 * @returns whether they are set
 */
export async function settleSession(client: pg.Client, others: Readonly<Record<string, number>> = {}): Promise<boolean> {
  const set = Object.entries({ ...nodeSettings, ...others }).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const { processID } = client as unknown as { processID: number | null };
  const { rowCount } = await client.query(`select ${set.join(', ')} where pg_backend_pid() = $1`, [processID]);
  return rowCount === 1;
}

/** Sets the limits for the session. */
async function limitSession(client: pg.Client, timeoutMs: number): Promise<void> {
  if (!(await settleSession(client, databaseLimits(timeoutMs)))) return;
  // Not supported on every operating system.
  const checks = await client.query(`select set_config('client_connection_check_interval', '${clientCheckInterval}', false)`).then(
    () => true,
    () => false,
  );
  if (checks) limited.add(client);
}

/**
 * Connects to a database once, and explains a failure in one line.
 * @throws DatabaseStartError
 */
export async function probeDatabase(url: string): Promise<{ version: number }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    application_name: 'guichet-probe',
  });
  client.on('error', () => undefined);
  const where = describe(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
    const version = Math.trunc(Number(rows[0]?.version) / 10_000);
    if (version < 15) throw new DatabaseStartError(`PostgreSQL ${version} at ${where} is too old: Guichet needs 15 or newer.`);
    return { version };
  } catch (error) {
    if (error instanceof DatabaseStartError) throw error;
    throw new DatabaseStartError(explain(error, where), { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Maps errors of PostgreSQL during migration or installation to an error for operators; undefined for other errors. */
export function startErrorOf(error: unknown, url: string): DatabaseStartError | undefined {
  const { code, driverError } = error as { code?: string; driverError?: unknown };
  if (driverError instanceof Error) return startErrorOf(driverError, url);
  // 42501 lacking rights, 53 lacking disk, memory or connections, 25006 read-only, 57P0x going down.
  if (!code || !/^(42501|53\d{3}|25006|57P0[123])$/.test(code)) return undefined;
  return new DatabaseStartError(explain(error, describe(url)), { cause: error });
}

function describe(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
}

function explain(error: unknown, where: string): string {
  const { code, message } = error as { code?: string; message?: string };
  switch (code) {
    case 'ECONNREFUSED':
      return `No PostgreSQL answers at ${where}: start it, correct DATABASE_URL, or unset it to use the embedded one.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of DATABASE_URL (${where}) is unknown: correct DATABASE_URL.`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${where} refuses the user or password: correct DATABASE_URL.`;
    case '3D000':
      return `PostgreSQL at ${where} has no such database: create it, or correct DATABASE_URL.`;
    case '42501':
      return `PostgreSQL at ${where} does not let this user create schemas: grant CREATE on the database.`;
    case '25006':
      return `PostgreSQL at ${where} is read-only (a standby?): connect to the primary.`;
    case '53300':
      return `PostgreSQL at ${where} has no connection left: raise max_connections or lower DATABASE_POOL_SIZE.`;
    case '53100':
      return `PostgreSQL at ${where} has no disk space left: free some and start again.`;
    case '57P03':
      return `PostgreSQL at ${where} is still starting: try again in a few seconds.`;
    default:
      return `PostgreSQL at ${where} cannot be used (${code ?? message ?? 'no answer'}): check DATABASE_URL.`;
  }
}
