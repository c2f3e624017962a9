import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { runToEnd, Supervised, until } from '../../faults/processes.js';
import { openWebhookReceiver, type WebhookReceiver } from '../../faults/receivers.js';
import { freePorts, isReady } from '../../faults/stack.js';
import type { Cluster } from './cluster.js';
import type { ClusterServer } from './cluster-server.js';

/** Guichet on the cluster: an installed database and one server in its own process, which is also the worker. */
export class Installation {
  private constructor(
    readonly cluster: Cluster,
    readonly database: string,
    readonly port: number,
    readonly webhooks: WebhookReceiver,
    /** The settings of its programs. */
    readonly environment: NodeJS.ProcessEnv,
    readonly server: Supervised,
    private readonly servers: readonly ClusterServer[],
  ) {}

  /**
   * Installs a database of its own and starts the server. @param environment more settings @param plain on the server without Citus
   */
  static async open(cluster: Cluster, environment: NodeJS.ProcessEnv = {}, plain = false): Promise<Installation> {
    const servers = plain ? [cluster.plain] : cluster.servers;
    const database = `proof_${randomUUID().slice(0, 8)}`;
    if (plain) await cluster.plain.query(`create database ${database}`, [], 'postgres');
    const url = plain ? cluster.plain.url(database) : await cluster.createDatabase(database);
    const [port = 0] = await freePorts(1);
    const env = {
      NODE_ENV: 'production',
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: url,
      SERVER_SECRET: randomUUID() + randomUUID(),
      DATA_DIR: join(cluster.folder, database),
      BASE_DOMAIN: 'localhost',
      ADMIN_EMAIL: 'admin@localhost',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      DEMO: 'off',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
      LOG_REQUESTS: 'false',
      RATE_PAGES: 'off',
      ...environment,
    };
    const server = new Supervised(() =>
      cluster.processes.start({ name: database, program: process.execPath, args: ['dist/apps/server/src/main.js'], env }),
    );
    const made = new Installation(cluster, database, port, await openWebhookReceiver(), env, server, servers);
    await made.cli('install');
    server.start();
    await until(`the server on port ${port} is ready (its log is ${join(cluster.folder, database)}.log)`, 60, () => isReady(port));
    return made;
  }

  /** Runs a command of the command line. @returns what it prints @throws with its output */
  cli(...args: string[]): Promise<string> {
    const program = process.execPath;
    return runToEnd({ name: `guichet ${args.join(' ')}`, program, args: ['dist/apps/cli/src/main.js', ...args], env: this.environment });
  }

  /** Runs SQL on one server of the cluster. @param node 0: home */
  query<Row extends pg.QueryResultRow>(node: number, text: string, values: unknown[] = []): Promise<Row[]> {
    return this.serverOf(node).query<Row>(text, values, this.database);
  }

  /** The address of the database on one server. @param node 0: home */
  urlOf(node: number): string {
    return this.serverOf(node).url(this.database);
  }

  async close(): Promise<void> {
    await this.server.stop();
    await this.webhooks.close();
  }

  private serverOf(node: number): ClusterServer {
    const server = this.servers[node];
    if (!server) throw new RangeError(`There is no node ${node}`);
    return server;
  }
}
