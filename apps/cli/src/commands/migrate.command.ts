import type { Command } from 'commander';
import { Migrator, type MigrationReport } from '#tenancy';
import { documented, guichet, say, show, table } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

interface MigrateOptions {
  readonly json?: boolean;
}

/** `migrate status` and `migrate run`. */
export function migrateCommands(noun: Command): void {
  documented(
    noun.command('status').description('Shows the schema versions of the database. Exit code 0 when all are current, 1 otherwise.'),
    {
      'migrate status': 'prints the versions of the shared tables and how many tenants are behind',
      'migrate status --json':
        'prints {"up_to_date": …, "shared": {"current", "latest"}, "tenants": {"total", "behind", "newer", "latest"}}',
    },
  ).action(status);

  documented(
    noun
      .command('run')
      .description(
        'Applies missing migrations, tenant by tenant, each in its own transaction. After an interruption a second run continues.\n' +
          'A tenant that is busy or fails is skipped, retried twice, and listed at the end with the reason.\n' +
          'Running servers keep working. Exit code 0 when every tenant is current, 1 otherwise.',
      ),
    {
      'migrate run': 'prints a line for each tenant, and at the end what was done',
      'migrate run --json':
        'prints {"shared": steps applied, "tenants": tenants migrated, "behind": [{"slug", "version", "reason"}], "newer": [slug]}',
    },
  ).action(run);
}

async function status(options: MigrateOptions): Promise<void> {
  await withSession(
    async (session) => {
      const { shared, tenants } = await session.service(Migrator).status();
      const upToDate = shared.current === shared.latest && tenants.behind + tenants.newer === 0;
      const newer = tenants.newer > 0 ? `, ${tenants.newer} newer than this program` : '';
      const rows = [
        ['shared tables', shared.current, shared.latest, ''],
        ['tenants', '', tenants.latest, `${tenants.behind} of ${tenants.total} behind${newer}`],
      ];
      show(options, { up_to_date: upToDate, shared, tenants }, table(['WHAT', 'VERSION', 'LATEST', 'STATE'], rows, ''));
      if (upToDate) return;
      process.exitCode = 1;
      say(
        shared.current > shared.latest || tenants.newer > 0
          ? 'The database is ahead of this program: install the newer Guichet.'
          : `To bring it up to date: ${guichet} ${shared.current === 0 ? 'install' : 'migrate run'}`,
      );
    },
    { bare: true },
  );
}

async function run(options: MigrateOptions): Promise<void> {
  await withSession(
    async (session) => {
      const done = await session.service(Migrator).run(say);
      const nothing = done.shared === 0 && done.tenants === 0 && done.behind.length === 0;
      const text = `Shared tables: ${done.shared} steps applied. Tenants migrated: ${done.tenants}.`;
      show(options, done, [nothing ? 'Nothing to do.' : text, ...unmigrated(done)]);
      if (done.behind.length + done.newer.length > 0) process.exitCode = 1;
    },
    { bare: true, creates: true, patient: true },
  );
}

/** A line for each tenant that answers 503, with the reason; none when all are current. */
export function unmigrated({ behind, newer }: MigrationReport): string[] {
  const rows = [
    ...behind.map(({ slug, version, reason }) => [slug, version, reason]),
    ...newer.map((slug) => [slug, '', 'newer than this program: install the newer Guichet']),
  ];
  return rows.length === 0 ? [] : table(['TENANT', 'VERSION', 'NOT MIGRATED, ANSWERS 503'], rows, '');
}
