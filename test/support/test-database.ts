import { randomBytes } from 'node:crypto';
import { nodeTables } from '#tenancy';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** The address of the tenant's node, for a connection of its own. */
  urlOf(tenant: { readonly id: string }): Promise<string>;
  /** Runs SQL outside of the application: on the node of the tenant that it names. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs work on each server, home first, with a `query` of that server alone. */
  onServers<Result>(work: (query: TestDatabase['query']) => Promise<Result>): Promise<Result[]>;
  /**
   * Forces a race: locks rows, starts the work, waits until its statements wait for the lock, and then releases it, so that all of them
   * have read the state before the race.
   */
  race<Result>(lock: string, values: unknown[], start: () => Promise<Result>): Promise<Result>;
  /** Number of statements that wait for a lock. */
  waiting(): Promise<number>;
  /** Runs a statement on the server from outside of this database. */
  administer(statement: string): Promise<void>;
  drop(): Promise<void>;
  /** Closes the connections of the test and gives the database another name. */
  rename(to: string): Promise<void>;
}

/** Creates a separate database for a test file, so that files are independent. @param template database to copy */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files takes less time than writing them to the log.
  await administerAll(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`);
  const [url = '', ...others] = testServers().map((server) => Object.assign(new URL(server), { pathname: `/${name}` }).href);
  if (!template && others.length > 0) await joinNodes(url, others);
  const urls = [url, ...others];
  // As the program: what is created is created on this node.
  const options = others.length > 0 ? { options: '-c citus.enable_ddl_propagation=off' } : {};
  const pools = urls.map((connectionString) => new pg.Pool({ connectionString, max: 4, application_name: 'test', ...options }));
  for (const pool of pools) pool.on('error', () => undefined);
  const poolsOf = nodePools(pools);
  return {
    url,
    urlOf: async ({ id }) => urls[pools.indexOf((await poolsOf('', [id]))[0] as pg.Pool)] as string,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => {
      const rows: Row[] = [];
      for (const pool of await poolsOf(text, values)) rows.push(...((await pool.query<Row>(text, values)).rows ?? []));
      return rows;
    },
    onServers: (work) => {
      const queryOf =
        (pool: pg.Pool) =>
        async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
          (await pool.query<Row>(text, values)).rows;
      return Promise.all(pools.map((pool) => work(queryOf(pool))));
    },
    waiting: async () => {
      const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      const found = await Promise.all(pools.map((pool) => pool.query(blocked)));
      return found.flatMap(({ rows }) => rows).length;
    },
    race: async (lock, values, start) => {
      const [pool] = await poolsOf(lock, values);
      const client = await pool!.connect();
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
    administer: (statement) => administerAll(statement),
    rename: async (to) => {
      await Promise.all(pools.map((pool) => pool.end()));
      await administerAll(`alter database ${name} rename to ${to}`, name);
    },
    drop: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
      await administerAll(`drop database if exists ${name} with (force)`);
    },
  };
}

/**
 * The name of an installed database that tests copy, because an installation per file takes too long. The first of several processes
 * creates it, the others wait.
 * @param kind names one of several templates
 * @param install migrates and installs the database at this address
 * @param from a template to begin with; default: an empty database
 */
export async function installedTemplate(kind: string, install: (url: string) => Promise<void>, from?: string): Promise<string> {
  const name = `${process.env['GUICHET_TEST_TEMPLATE']}_${kind}`;
  const client = new pg.Client({ connectionString: testServers()[0] });
  await client.connect();
  try {
    const exists = async () => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
    if (await exists()) return name;
    await client.query('select pg_advisory_lock(7263102, hashtext($1))', [kind]);
    if (!(await exists())) {
      const unfinished = await createTestDatabase(from);
      await install(unfinished.url);
      await unfinished.rename(name);
    }
    return name;
  } finally {
    await client.end();
  }
}

/** The server of the tests, and with `TEST_DATABASE_NODES` (addresses with commas) the further nodes of its cluster. */
function testServers(): string[] {
  const server = process.env['GUICHET_TEST_DATABASE'];
  if (!server) throw new Error('Run the tests with npm test: its set-up starts PostgreSQL.');
  return [server, ...(process.env['TEST_DATABASE_NODES']?.split(',') ?? [])];
}

/** Makes a cluster of the databases of this name. */
async function joinNodes(home: string, others: readonly string[]): Promise<void> {
  for (const url of [home, ...others]) await administer(url, 'create extension citus');
  const { hostname, port } = new URL(home);
  await administer(home, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const url of others) await administer(home, `select citus_add_node('${new URL(url).hostname}', ${new URL(url).port})`);
}

/** Tables whose rows may be on any node, because the acting person was in the panel of any tenant; functions outside of tenants. */
const spread = /\bshared\.user_change\b|\bpg_(locks|stat_activity)\b|\b(create|drop) function (?!"?t_)/;

/** Tables of which all rows are at home. */
const atHome = /\bshared\.place_request/;

/** Finds where the rows of a statement are: at the tenant that it names, on all nodes for tables of nodes, otherwise at home. */
function nodePools(pools: readonly pg.Pool[]): (text: string, values?: unknown[]) => Promise<readonly pg.Pool[]> {
  const [home] = pools as [pg.Pool];
  if (pools.length === 1) return () => Promise.resolve(pools);
  const ofNode = new RegExp(`\\bshared\\.(${Object.keys(nodeTables).join('|')})\\b`);
  /** Of tenants that may have been deleted since. */
  const known = new Map<string, number>();
  return async (text, values = []) => {
    if (spread.test(text)) return pools;
    if (atHome.test(text)) return [home];
    const names = [text, ...values].join(' ').match(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\bt_[0-9a-f]{32}\b/g) ?? [];
    if (names.length > 0) {
      const found = await home.query<{ id: string; schema: string; node: number }>(
        'select id, schema_name as schema, node from shared.tenant where id::text = any($1) or schema_name = any($1)',
        [names],
      );
      for (const { id, schema, node } of found.rows) known.set(id, node).set(schema, node);
    }
    const named = names.map((name) => known.get(name)).find((node) => node !== undefined);
    if (named !== undefined) return [pools[named] as pg.Pool];
    return ofNode.test(text) ? pools : [home];
  };
}

/** Runs a statement on each server. @param ending a database whose background workers end first */
async function administerAll(statement: string, ending?: string): Promise<void> {
  for (const server of testServers()) {
    const isCluster = testServers().length > 1;
    if (ending && isCluster) {
      await administer(server, `alter database ${ending} with allow_connections false`);
      await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${ending}'`);
    }
    await administer(server, statement);
    if (ending && isCluster) await administer(server, `alter database ${statement.split(' ').at(-1)} with allow_connections true`);
  }
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
        // Autovacuum workers cannot be terminated by this role; they end soon.
        const { code } = error as { code?: string };
        if (code !== '42501' || attempt === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  } finally {
    await client.end();
  }
}
