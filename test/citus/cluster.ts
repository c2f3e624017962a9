import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { Processes, runToEnd, until, type Running } from '../faults/processes.js';

const program = process.execPath;

/** An installation on a cluster of Citus: servers and a worker as processes of their own, and connections to all nodes. */
export class Cluster {
  private readonly pools = new Map<number, pg.Pool>();

  private constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly processes: Processes,
    readonly folder: string,
  ) {}

  /** Installs into an empty database. @param url of the coordinator; the nodes are joined */
  static async open(url: string, secret: string): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'guichet-citus-'));
    const environment = {
      NODE_ENV: 'production',
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: url,
      SERVER_SECRET: secret,
      DATA_DIR: join(folder, 'data'),
      BASE_DOMAIN: 'localhost',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      QUOTA_BOOKINGS: '0',
      QUOTA_MAILS: '0',
      RATE_PAGES: 'off',
    };
    const cluster = new Cluster(environment, new Processes(folder), folder);
    await cluster.cli('install');
    const home = new pg.Pool({ connectionString: url, max: 2 });
    cluster.pools.set(0, home);
    const { rows } = await home.query<{ id: number; host: string; port: number }>(
      'select groupid as id, nodename as host, nodeport as port from pg_dist_node where groupid > 0',
    );
    for (const { id, host, port } of rows) {
      const address = new URL(url);
      address.hostname = host;
      address.port = String(port);
      cluster.pools.set(id, new pg.Pool({ connectionString: address.href, max: 2 }));
    }
    return cluster;
  }

  /** The numbers of all nodes. */
  get nodes(): number[] {
    return [...this.pools.keys()];
  }

  /** A statement on one node. */
  async query<Row extends pg.QueryResultRow>(node: number, sql: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await (this.pools.get(node) as pg.Pool).query<Row>(sql, values);
    return rows;
  }

  /** Starts a server, or with port 0 a worker. */
  async start(port: number): Promise<Running> {
    const name = port === 0 ? 'worker' : `server-${port}`;
    const args = [`dist/apps/${port === 0 ? 'worker' : 'server'}/src/main.js`];
    const running = this.processes.start({ name, program, args, env: { ...this.environment, PORT: String(port) } });
    if (port > 0) await until(`${name} is ready`, 60, () => isReady(port));
    return running;
  }

  /** Runs a command. @throws with its output when it fails */
  cli(...args: string[]): Promise<string> {
    return runToEnd({ name: `guichet ${args.join(' ')}`, program, args: ['dist/apps/cli/src/main.js', ...args], env: this.environment });
  }

  /** Runs a command, and kills it after the first line of progress that `at` accepts. @returns whether it was killed */
  async killed(args: readonly string[], at: (line: string) => boolean, delayMs: number): Promise<boolean> {
    const child = spawn(program, ['dist/apps/cli/src/main.js', ...args], {
      env: { ...process.env, ...this.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    createInterface(child.stderr).on('line', (line) => {
      if (at(line)) setTimeout(() => child.kill('SIGKILL'), delayMs);
    });
    return new Promise((resolve) => {
      child.once('exit', (_code, ended) => resolve(ended === 'SIGKILL'));
    });
  }

  async close(): Promise<void> {
    await this.processes.stopAll();
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
  return answer?.ok === true;
}
