import type { Command } from 'commander';
import { BackupService, ScheduledBackups } from '#tenancy';
import { documented, fields, guichet, say, show } from '../terminal/output.js';
import { readPassphrase } from '../terminal/passphrase.js';
import { progressBar } from '../terminal/progress.js';
import { withSession } from '../terminal/session.js';

interface BackupOptions {
  readonly file?: string;
  readonly passphraseFile?: string;
  readonly json?: boolean;
}

/** `backup`: what a server with BACKUP_FOLDER does every day. */
export function backupCommand(noun: Command): void {
  noun
    .description(
      'Writes a consistent snapshot of the whole server to one encrypted file while it works: all tenants with their pictures,\n' +
        'the shared tables and the server secret. The file is read again before it gets its name.',
    )
    .option('--file <path>', 'the new file (default: one in BACKUP_FOLDER, encrypted with BACKUP_PASSPHRASE)')
    .option('--passphrase-file <path>', 'its first line is the passphrase of --file (default: GUICHET_PASSPHRASE, else asked)');
  documented(noun, {
    backup: 'writes a file into BACKUP_FOLDER, and removes those beyond BACKUP_KEEP',
    'backup --file tonight.backup': 'asks for a passphrase; prints file, rows and SHA-256',
  }).action(backUp);
}

async function backUp(options: BackupOptions): Promise<void> {
  const { file, passphraseFile } = options;
  const passphrase = file === undefined ? undefined : await readPassphrase({ file: passphraseFile, twice: true });
  await withSession(
    async (session) => {
      const bar = progressBar();
      const progress = bar.report;
      const writing =
        file === undefined
          ? session.service(ScheduledBackups).write({ progress })
          : session.service(BackupService).write(file, { passphrase: passphrase!, progress });
      const { path, header, rows, bytes, sha256 } = await writing.finally(() => bar.end());
      const tenants = header.tenants.length;
      const document = { file: path, bytes, sha256, backup_id: header.backupId, taken_at: header.takenAt, tenants, rows };
      show(options, document, fields({ File: path, Bytes: bytes, 'SHA-256': sha256, Taken: header.takenAt, Tenants: tenants, Rows: rows }));
      say(`Keep it on another machine, and its passphrase elsewhere. To test it: ${guichet} restore ${path} --verify`);
    },
    { patient: true },
  );
}
