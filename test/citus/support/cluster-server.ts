import { join } from 'node:path';
import pg from 'pg';
import { runToEnd, until, type Processes, type Running } from '../../faults/processes.js';

/** Durability is off: databases exist for minutes. The sizes are for two thousand tenants. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  jit: 'off',
  max_connections: '300',
  max_prepared_transactions: '300',
  max_worker_processes: '40',
  shared_buffers: '256MB',
  max_locks_per_transaction: '512',
};

const citusSettings = {
  shared_preload_libraries: 'citus',
  'citus.enable_statistics_collection': 'off',
  'citus.local_hostname': '127.0.0.1',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.max_cached_conns_per_worker': '4',
  'citus.all_modifications_commutative': 'on',
  // Each test has a database, which the program creates on every server.
  'citus.enable_create_database_propagation': 'off',
};

/** As of the embedded server: lower case of all letters, the same on every machine. */
const locale = ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];

interface ServerPlace {
  readonly name: string;
  readonly bin: string;
  readonly port: number;
  readonly folder: string;
  readonly citus: boolean;
  readonly user: string;
  readonly account: { readonly uid: number; readonly gid: number; readonly drop: boolean };
}

/** One PostgreSQL server of a cluster. */
export class ClusterServer {
  private running: Running | undefined;

  constructor(
    private readonly place: ServerPlace,
    private readonly processes: Processes,
  ) {}

  get port(): number {
    return this.place.port;
  }

  url(database: string): string {
    return `postgres://${this.place.user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates the data folder and starts the server. */
  async create(): Promise<void> {
    const { folder, user } = this.place;
    const args = ['-D', folder, '-U', user, '-A', 'trust', '--no-sync', '-E', 'UTF8', ...locale];
    await runToEnd({ ...this.launchOf('initdb', args), name: 'initdb' });
    await this.start();
  }

  async start(): Promise<void> {
    const { folder, name, citus } = this.place;
    const options = Object.entries({ ...settings, ...(citus && citusSettings), port: String(this.port), cluster_name: name });
    const args = ['-D', folder, ...options.flatMap(([option, value]) => ['-c', `${option}=${value}`])];
    this.running = this.processes.start({ ...this.launchOf('postgres', args), name, stopSignal: 'SIGINT' });
    await until(`PostgreSQL ${name} answers (its log is ${folder}.log)`, 60, () => this.answers());
  }

  /** @param signal SIGINT: connections are ended; SIGQUIT: as in a crash */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    await this.running?.stop(signal);
  }

  /** Runs SQL as super-user. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[], database: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database), connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private answers(): Promise<boolean> {
    return this.query('select 1', [], 'postgres').then(
      () => true,
      () => false,
    );
  }

  private launchOf(program: string, args: readonly string[]) {
    const { bin, account } = this.place;
    return { program: join(bin, program), args, env: { LC_ALL: 'C' }, account: account.drop ? account : undefined };
  }
}
