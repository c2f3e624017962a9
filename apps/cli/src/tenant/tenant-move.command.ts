import type { Command } from 'commander';
import { TenantMovesService, type MoveStep } from '#tenancy';
import { UsageError } from '../terminal/failure.js';
import { documented, fields, say, show } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

const steps: Readonly<Record<MoveStep, string>> = {
  prepare: 'making the tables',
  close: 'closing the tenant: it answers 503 from now on',
  tables: 'copying and comparing its tables',
  shared: 'copying its keys, sessions and waiting work',
  switch: 'opening it on the new server',
  remove: 'it is open again; removing the old copy',
};

/** `tenant move`. */
export function tenantMoveCommand(tenant: Command): void {
  documented(
    tenant
      .command('move')
      .description(
        'Moves a tenant to another database server. It answers 503 meanwhile, a few seconds with 10,000 tickets. ' +
          'Run again after it was killed, it goes on; with the old server as destination, it opens the tenant there.',
      )
      .argument('<slug>', 'the tenant')
      .requiredOption('--node <number>', 'the server, see `node list`'),
    { 'tenant move lune --node 2': 'prints from where, to where, rows and seconds of 503' },
  ).action(move);
}

/** @throws UsageError */
export function nodeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--node: write the number of a server, see `node list`.');
  return Number(text);
}

async function move(slug: string, options: { readonly node: string; readonly json?: boolean }): Promise<void> {
  const node = nodeNumber(options.node);
  await withSession(
    async (session) => {
      const { id } = await session.knownTenant(slug);
      const moved = await session.service(TenantMovesService).move(id, node, (step) => say(steps[step]));
      const { from, to, rows, closedMs } = moved;
      const document = { slug: moved.slug, from, to, rows, closed_ms: closedMs };
      show(
        options,
        document,
        fields({ Slug: moved.slug, From: from, To: to, Rows: rows, 'Closed for': `${(closedMs / 1000).toFixed(1)} s` }),
      );
    },
    { patient: true },
  );
}
