import type { Command } from 'commander';
import { RetentionService, runInTenant, TenantsService } from '#tenancy';
import { answering } from '../terminal/answering.js';
import { documented, show, table } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

interface PruneOptions {
  readonly tenant?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `prune`: deletes expired data, as the background work does every hour. */
export function pruneCommand(noun: Command): void {
  noun
    .description(
      'Deletes rows that are older than SCAN_LOG_DAYS, MAIL_DAYS, WEBHOOK_DAYS, PAYMENT_EVENT_DAYS, CHANGE_DAYS and MONEY_CHANGE_DAYS\n' +
        'say, while the service runs. The background work does the same every hour.',
    )
    .option('--tenant <slug>', 'one tenant (default: all)')
    .option('--dry-run', 'only count the rows');
  documented(noun, {
    'prune --dry-run': 'prints how many rows of each kind are old enough, and deletes nothing',
    'prune --tenant demo --json': 'prints an array of {"tenant", "kind", "days", "rows"} and deletes the rows',
  }).action(prune);
}

async function prune(options: PruneOptions): Promise<void> {
  await withSession(async (session) => {
    const retention = session.service(RetentionService);
    const tenants = options.tenant === undefined ? await session.service(TenantsService).list() : [await session.tenant(options.tenant)];
    const found = [];
    for (const tenant of await answering(session, tenants)) {
      const counts = await runInTenant(tenant, () => (options.dryRun ? retention.count() : retention.prune()));
      found.push(...counts.map(({ name, days, rows }) => ({ tenant: tenant.slug, kind: name, days, rows })));
    }
    const lines = found.filter(({ rows }) => rows > 0).map(({ tenant, kind, days, rows }) => [tenant, kind, `${days} days`, rows]);
    const headings = ['TENANT', 'KIND', 'KEPT FOR', options.dryRun ? 'OLD ROWS' : 'DELETED ROWS'];
    show(options, found, table(headings, lines, 'Nothing is old enough to be deleted.'));
  });
}
