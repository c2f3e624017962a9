import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { signal, Supervised, type Processes } from './processes.js';
import type { Programs } from './programs.js';

/** The same as in docs/operations.md and docker/compose.ha.yml. */
export const poolerSettings = {
  pool_mode: 'transaction',
  default_pool_size: 20,
  max_client_conn: 500,
  server_login_retry: 1,
  server_connect_timeout: 2,
  query_wait_timeout: 5,
} as const;

/** PgBouncer supports prepared statements since this version (1.21). */
export const preparesSince = 121;

/** PgBouncer between Guichet and the primary. */
export class Pooler {
  private readonly supervised: Supervised;
  private readonly file: string;

  constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly password: string,
    private readonly programs: Programs,
    processes: Processes,
  ) {
    this.file = join(folder, 'pgbouncer.ini');
    this.supervised = new Supervised(() =>
      processes.start({
        name: 'pgbouncer',
        program: programs.pgbouncer,
        args: [this.file],
        account: programs.account,
      }),
    );
  }

  get url(): string {
    return `postgresql://guichet:${this.password}@127.0.0.1:${this.port}/guichet`;
  }

  async start(primaryPort: number): Promise<void> {
    await writeFile(join(this.folder, 'userlist.txt'), `"guichet" "${this.password}"\n`, { mode: 0o644 });
    await this.write(primaryPort);
    this.supervised.start();
  }

  async answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  kill(): void {
    this.supervised.kill();
  }

  /** Switches to another primary as an operator does: changes the address and sends RELOAD. */
  async repoint(primaryPort: number): Promise<void> {
    await this.write(primaryPort);
    signal(this.supervised.pid, 'SIGHUP');
  }

  private write(primaryPort: number): Promise<void> {
    const settings = {
      ...poolerSettings,
      ...(this.programs.pgbouncerVersion >= preparesSince ? { max_prepared_statements: 500 } : {}),
      listen_addr: '127.0.0.1',
      listen_port: this.port,
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: join(this.folder, 'userlist.txt'),
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    const text = `[databases]\nguichet = host=127.0.0.1 port=${primaryPort}\n[pgbouncer]\n${lines.join('\n')}\n`;
    return writeFile(this.file, text, { mode: 0o644 });
  }
}
