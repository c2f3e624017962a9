import type { Command } from 'commander';
import { DatabaseServersService } from '#tenancy';
import { documented, show, table } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

/** `node list`. */
export function nodeCommands(noun: Command): void {
  documented(noun.command('list').description('Lists the database servers with the tenants on each. Without Citus there is one.'), {
    'node list': 'prints a table of number, host, tenants, spare schemas, size, time of the answer, and whether it takes new tenants',
    'node list --json': 'prints an array of the same',
  }).action(list);
}

async function list(options: { readonly json?: boolean }): Promise<void> {
  await withSession(async (session) => {
    const servers = await session.service(DatabaseServersService).list();
    show(
      options,
      servers.map(({ number, host, port, tenants, spares, bytes, tookMs, takesTenants }) => ({
        number,
        host,
        port,
        tenants,
        spare_schemas: spares,
        bytes,
        healthy: tookMs !== null,
        answered_in_ms: tookMs,
        takes_tenants: takesTenants,
      })),
      table(
        ['NODE', 'HOST', 'TENANTS', 'SPARE', 'SIZE', 'HEALTH', 'NEW TENANTS'],
        servers.map(({ number, host, port, tenants, spares, bytes, tookMs, takesTenants }) => [
          String(number),
          `${host}:${port}`,
          String(tenants),
          spares === null ? '-' : String(spares),
          bytes === null ? '-' : `${Math.round(bytes / 1e6)} MB`,
          tookMs === null ? 'down' : `${tookMs} ms`,
          takesTenants ? 'yes' : '-',
        ]),
        '',
      ),
    );
  });
}
