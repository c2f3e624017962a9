import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { call } from './calls.js';
import { PostgresNode } from './postgres-node.js';
import { Pooler, preparesSince } from './pooler.js';
import { runToEnd, Supervised, until, type Processes } from './processes.js';
import type { Programs } from './programs.js';
import type { MailReceiver, WebhookReceiver } from './receivers.js';

/** A server or worker: its process, and settings that a fault sets for it only. */
export interface Program {
  readonly supervised: Supervised;
  environment: NodeJS.ProcessEnv;
}

export interface Server extends Program {
  readonly port: number;
}

interface Parts {
  readonly folder: string;
  readonly programs: Programs;
  readonly processes: Processes;
  readonly webhooks: WebhookReceiver;
  readonly mails: MailReceiver;
}

/** The deployment of docker/compose.ha.yml on loopback: HAProxy, two servers, a worker, PgBouncer, a primary and two standbys. */
export class Stack {
  /** Port of HAProxy. */
  port = 0;
  readonly servers: Server[] = [];
  worker!: Program;
  pooler!: Pooler;
  nodes: PostgresNode[] = [];
  primary!: PostgresNode;
  private readonly password = randomUUID();
  private readonly secret = randomUUID() + randomUUID();

  constructor(private readonly parts: Parts) {}

  get webhooks(): WebhookReceiver {
    return this.parts.webhooks;
  }

  get mails(): MailReceiver {
    return this.parts.mails;
  }

  get programs(): Programs {
    return this.parts.programs;
  }

  get standbys(): PostgresNode[] {
    return this.nodes.filter((node) => node !== this.primary);
  }

  async start(): Promise<void> {
    const { folder, programs, processes } = this.parts;
    const [port, poolerPort, ...ports] = await freePorts(7);
    this.port = port as number;
    this.nodes = ports.slice(0, 3).map((nodePort, index) => {
      const name = `node_${index + 1}`;
      return new PostgresNode({ name, port: nodePort, folder: join(folder, name, 'data'), password: this.password }, programs, processes);
    });
    this.primary = this.nodes[0] as PostgresNode;
    await this.primary.create();
    for (const standby of this.standbys) await standby.copy(this.primary);
    await this.primary.reload();
    await this.replicates(2);
    this.pooler = new Pooler(folder, poolerPort as number, this.password, programs, processes);
    await this.pooler.start(this.primary.port);
    await until('PgBouncer answers', 10, () => this.pooler.answers());
    await this.cli('install');
    for (const serverPort of ports.slice(3, 5)) this.addServer(serverPort);
    this.worker = this.program('worker', {});
    for (const { supervised } of [...this.servers, this.worker]) supervised.start();
    this.startProxy();
    for (const server of this.servers) await this.ready(server);
    await until('HAProxy finds a server', 20, () => isReady(this.port));
  }

  /** Waits until the primary streams to `count` standbys. */
  replicates(count: number): Promise<void> {
    return until(`${count} standbys follow ${this.primary.name}`, 60, async () => (await this.primary.streaming()) >= count);
  }

  ready(server: Server): Promise<void> {
    return until(`the server on port ${server.port} is ready`, 60, () => isReady(server.port));
  }

  /** Restarts a program as an operator does: SIGTERM, wait for its end, start, wait until it is ready. */
  async restart(program: Program): Promise<void> {
    await program.supervised.stop();
    program.supervised.start();
    if ('port' in program) await this.ready(program as Server);
  }

  /** Runs a command of the command line with the same database and secret. */
  cli(...args: string[]): Promise<string> {
    const program = process.execPath;
    return runToEnd({ name: `guichet ${args.join(' ')}`, program, args: ['dist/apps/cli/src/main.js', ...args], env: this.environment });
  }

  get environment(): NodeJS.ProcessEnv {
    const { folder, programs, mails } = this.parts;
    return {
      NODE_ENV: 'production',
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: this.pooler.url,
      PREPARED_STATEMENTS: programs.pgbouncerVersion >= preparesSince ? 'on' : 'off',
      SERVER_SECRET: this.secret,
      DATA_DIR: join(folder, 'data'),
      BASE_DOMAIN: 'localhost',
      ADMIN_EMAIL: 'admin@localhost',
      PUBLIC_PORT: String(this.port),
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: mails.url,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      DEMO: 'off',
      HOST: '127.0.0.1',
      WORKER: 'separate',
      SHUTDOWN_DELAY_MS: '4000',
      LOG_LEVEL: 'warn',
      LOG_REQUESTS: 'false',
    };
  }

  private addServer(port: number): void {
    const program = this.program('server', { PORT: String(port) }, `server-${this.servers.length + 1}`);
    this.servers.push(Object.assign(program, { port }));
  }

  private program(app: 'server' | 'worker', settings: NodeJS.ProcessEnv, name: string = app): Program {
    const launch = (): ReturnType<Processes['start']> =>
      this.parts.processes.start({
        name,
        program: process.execPath,
        args: [`dist/apps/${app}/src/main.js`],
        env: { ...this.environment, ...settings, ...made.environment },
      });
    const made: Program = { environment: {}, supervised: new Supervised(launch) };
    return made;
  }

  /** Uses the configuration file of docker/compose.ha.yml. */
  private startProxy(): void {
    const [one, two] = this.servers as [Server, Server];
    const env = {
      GUICHET_BIND: `127.0.0.1:${this.port}`,
      GUICHET_SERVER_1: `127.0.0.1:${one.port}`,
      GUICHET_SERVER_2: `127.0.0.1:${two.port}`,
    };
    const { processes, programs } = this.parts;
    new Supervised(() =>
      processes.start({
        name: 'haproxy',
        program: programs.haproxy,
        args: ['-db', '-f', 'docker/ha/haproxy.cfg'],
        env,
      }),
    ).start();
  }
}

export function isReady(port: number): Promise<boolean> {
  return call({ port, host: 'localhost', method: 'GET', path: '/ready', timeoutMs: 3000 }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Ports of loopback that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  for (const server of servers)
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
