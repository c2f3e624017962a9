import type { Command } from 'commander';
import { placeServerSecret, readSettings } from '#kernel';
import { ArchiveReader, Migrator, readBackup, readBackupHeader, RestoreService, rowsIn, type BackupHeader } from '#tenancy';
import { Refusal, UsageError } from '../terminal/failure.js';
import { documented, fields, guichet, say, show } from '../terminal/output.js';
import { readPassphrase } from '../terminal/passphrase.js';
import { progressBar } from '../terminal/progress.js';
import { secretFile, withSession } from '../terminal/session.js';
import { unmigrated } from '../commands/migrate.command.js';

interface RestoreOptions {
  readonly passphraseFile?: string;
  readonly verify?: boolean;
  readonly secret?: boolean;
  readonly json?: boolean;
}

/** `restore`: loads what `backup` wrote. */
export function restoreCommand(noun: Command): void {
  noun
    .description(
      'Loads a backup into an empty database: a DATA_DIR without one, or a new one in DATABASE_URL. Nothing is ever replaced.\n' +
        'All of the file is verified first. The server secret of the backup is written to DATA_DIR unless SERVER_SECRET is set.',
    )
    .argument('<file>', 'what backup wrote')
    .option('--passphrase-file <path>', 'its first line is the passphrase (default: GUICHET_PASSPHRASE, BACKUP_PASSPHRASE, else asked)')
    .option('--verify', 'only read all of it, and compare counts and SHA-256 of every table; needs no database')
    .option('--secret', 'only print the server secret that it contains, for SERVER_SECRET');
  documented(noun, {
    'restore tonight.backup': 'prints what was loaded; start the server then',
    'restore tonight.backup --verify': 'exit code 1 when the file is damaged',
  }).action(restore);
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { verify = false, secret = false } = options;
  if (verify && secret) throw new UsageError('Give --verify or --secret, not both.');
  const reader = await ArchiveReader.open(file);
  const passphrase = await readPassphrase({ file: options.passphraseFile, known: readSettings().backups?.passphrase });
  if (secret) {
    const { serverSecret } = await readBackupHeader(reader, passphrase);
    show(options, { server_secret: serverSecret }, serverSecret);
  } else if (verify) {
    const bar = progressBar();
    const { header, manifest } = await readBackup(reader, passphrase, { progress: bar.report }).finally(() => bar.end());
    showBackup(options, header, rowsIn(manifest.sums));
    say('The file is complete and undamaged.');
  } else await load(file, passphrase, options);
}

async function load(file: string, passphrase: string, options: RestoreOptions): Promise<void> {
  const settings = readSettings();
  const header = await readBackupHeader(await ArchiveReader.open(file), passphrase);
  placeServerSecret(settings, header.serverSecret);
  await withSession(
    async (session) => {
      const bar = progressBar();
      const restoring = session.service(RestoreService).restore(file, passphrase, bar.report);
      const { manifest } = await restoring.finally(() => bar.end());
      const migrated = await session.service(Migrator).run(say);
      showBackup(options, header, rowsIn(manifest.sums), unmigrated(migrated));
      if (migrated.behind.length > 0) throw new Refusal(`Some tenants wait for their migration: run ${guichet} migrate run`);
    },
    { bare: true, creates: true, patient: true },
  );
  const kept = secretFile(settings);
  if (kept) say(`The server secret is in ${kept}.`);
  if (header.baseDomain !== settings.baseDomain) say(`BASE_DOMAIN was ${header.baseDomain} and is ${settings.baseDomain} here.`);
  say(`Now run ${guichet} doctor and ${guichet} audit, then start the server.`);
}

function showBackup(options: RestoreOptions, header: BackupHeader, rows: number, more: readonly string[] = []): void {
  const { backupId, takenAt, baseDomain, sharedVersion, tenants } = header;
  const slugs = tenants.map(({ slug }) => slug);
  const document = { backup_id: backupId, taken_at: takenAt, from: baseDomain, shared_version: sharedVersion, tenants: slugs, rows };
  const facts = { 'From server': baseDomain, Taken: takenAt, Version: sharedVersion, Tenants: slugs.length, Rows: rows };
  show(options, document, [...fields(facts), ...more]);
}
