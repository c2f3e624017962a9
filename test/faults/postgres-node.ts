import { chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { childrenOf, runToEnd, signal, Supervised, until, type Launch, type Processes } from './processes.js';
import type { Programs } from './programs.js';

/** The settings of docs/operations.md, with sizes for the small disk that a fault fills. */
export const postgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  recovery_init_sync_method: 'syncfs',
  max_locks_per_transaction: '256',
  idle_in_transaction_session_timeout: '10s',
  shared_buffers: '64MB',
  min_wal_size: '32MB',
  max_wal_size: '64MB',
  wal_keep_size: '32MB',
  // By default a standby reconnects to its primary after 5 s, during which commits wait.
  wal_retrieve_retry_interval: '500ms',
  hot_standby: 'on',
  jit: 'off',
};

/** Standbys that commits wait for. Each node's `cluster_name` is its name here. */
export const synchronousStandbys = 'ANY 1 (node_1, node_2, node_3)';

export interface NodePlace {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly password: string;
}

/** One PostgreSQL server on loopback with its own data directory: a primary or a standby. */
export class PostgresNode {
  readonly name: string;
  readonly port: number;
  private readonly supervised: Supervised;

  constructor(
    private readonly place: NodePlace,
    private readonly programs: Programs,
    private readonly processes: Processes,
  ) {
    this.name = place.name;
    this.port = place.port;
    this.supervised = new Supervised(() => this.launch());
  }

  get folder(): string {
    return this.place.folder;
  }

  get postmaster(): number {
    return this.supervised.pid;
  }

  get running(): boolean {
    return this.supervised.alive;
  }

  /** Creates a new cluster with a role and a database `guichet`. */
  async create(): Promise<void> {
    await this.ownFolder();
    const passwordFile = `${this.folder}.password`;
    await writeFile(passwordFile, this.place.password, { mode: 0o644 });
    await this.run('initdb', [
      '-D',
      this.folder,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      '-k',
      '-E',
      'UTF8',
      '--locale',
      'C.UTF-8',
      '--wal-segsize',
      '4',
      '--pwfile',
      passwordFile,
    ]);
    await this.start();
    await this.query(`create role guichet login password '${this.place.password}'`, [], 'postgres');
    await this.query('create database guichet owner guichet', [], 'postgres');
    await this.query(`alter system set synchronous_standby_names = '${synchronousStandbys}'`, [], 'postgres');
  }

  /** Creates a standby of `primary`. */
  async copy(primary: PostgresNode): Promise<void> {
    await this.ownFolder();
    await this.run('pg_basebackup', ['-d', this.connectionTo(primary), '-D', this.folder, '-R', '-c', 'fast', '-X', 'stream']);
    await this.start();
  }

  async start(): Promise<void> {
    this.supervised.start();
    await until(`PostgreSQL ${this.name} answers`, 60, () => this.answers());
  }

  stop(name?: NodeJS.Signals): Promise<void> {
    return this.supervised.stop(name);
  }

  /** Kills the postmaster; its supervisor restarts it. */
  kill(): void {
    this.supervised.kill();
  }

  /** Kills one backend of Guichet; PostgreSQL then restarts all backends, because shared memory may be corrupt. */
  async killBackend(): Promise<void> {
    const [row] = await this.query<{ pid: number }>(`select pid from pg_stat_activity where usename = 'guichet' order by random() limit 1`);
    signal(row?.pid ?? 0, 'SIGKILL');
  }

  /** Pids of the postmaster and its children. */
  async processTree(): Promise<number[]> {
    return [this.postmaster, ...(await childrenOf(this.postmaster))];
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote(wait => true)');
  }

  /** Makes this standby follow another primary. */
  async follow(primary: PostgresNode): Promise<void> {
    await this.query(`alter system set primary_conninfo = '${this.connectionTo(primary)}'`);
    await this.query('select pg_reload_conf()');
  }

  async reload(): Promise<void> {
    await this.query('select pg_reload_conf()');
  }

  /** Number of connected standbys that are in streaming state. */
  async streaming(): Promise<number> {
    const rows = await this.query(`select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'`);
    return rows.length;
  }

  /** Runs SQL as super-user on a direct connection, without PgBouncer. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], database = 'guichet'): Promise<Row[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      password: this.place.password,
      database,
      connectionTimeoutMillis: 3000,
      query_timeout: 30_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Row>(text, values);
      return rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  answers(): Promise<boolean> {
    return this.query('select 1', [], 'postgres').then(
      () => true,
      () => false,
    );
  }

  private launch(): ReturnType<Processes['start']> {
    const options = Object.entries({ ...postgresSettings, port: String(this.port), cluster_name: this.name });
    return this.processes.start({
      ...this.launchOf('postgres', ['-D', this.folder, ...options.map(([name, value]) => `--${name}=${value}`)]),
      name: this.name,
      stopSignal: 'SIGINT',
    });
  }

  private async ownFolder(): Promise<void> {
    await mkdir(dirname(this.folder), { recursive: true, mode: 0o755 });
    await mkdir(this.folder, { mode: 0o700 });
    const { account } = this.programs;
    if (account) await chown(this.folder, account.uid, account.gid);
  }

  private connectionTo({ port }: PostgresNode): string {
    return `host=127.0.0.1 port=${port} user=postgres password=${this.place.password}`;
  }

  private run(program: string, args: readonly string[]): Promise<string> {
    return runToEnd(this.launchOf(program, args));
  }

  private launchOf(program: string, args: readonly string[]): Launch {
    return {
      name: program,
      program: join(this.programs.postgres, program),
      args,
      env: { LC_ALL: 'C.UTF-8' },
      account: this.programs.account,
    };
  }
}
