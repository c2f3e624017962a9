import { EnvError, makeValidator, str } from 'envalid';
import { count } from './setting-types.js';

/** The passphrase of files; those of exports have the same least length. */
const passphrase = makeValidator<string>((input) => {
  if (input !== '' && input.length < 12) throw new EnvError('write at least 12 characters');
  return input;
});

const hourOfDay = makeValidator<number>((input) => {
  const hour = /^\d{1,2}$/.test(input) ? Number(input) : Number.NaN;
  if (!(hour < 24)) throw new EnvError('write an hour from 0 to 23');
  return hour;
});

export const backupSpecification = {
  BACKUP_FOLDER: str({ default: '' }),
  BACKUP_PASSPHRASE: passphrase({ default: '' }),
  BACKUP_HOUR: hourOfDay({ default: 3 }),
  BACKUP_KEEP: count({ default: 14 }),
} as const;

/** The daily backups of the whole server. */
export interface BackupSettings {
  readonly folder: string;
  readonly passphrase: string;
  /** Hour (UTC) after which the daily backup is made. */
  readonly hour: number;
  /** Number of backups that are kept in the folder. */
  readonly keep: number;
}

interface BackupEnvironment {
  readonly BACKUP_FOLDER: string;
  readonly BACKUP_PASSPHRASE: string;
  readonly BACKUP_HOUR: number;
  readonly BACKUP_KEEP: number;
}

/** The settings of the daily backups; undefined: none are made. @param faults gets a sentence when the passphrase is missing */
export function backupsOf(env: BackupEnvironment, faults: string[]): BackupSettings | undefined {
  const { BACKUP_FOLDER: folder, BACKUP_PASSPHRASE: secret, BACKUP_HOUR: hour, BACKUP_KEEP: keep } = env;
  if (!folder) return undefined;
  if (!secret) faults.push('BACKUP_PASSPHRASE: backups in BACKUP_FOLDER are encrypted with it, write at least 12 characters');
  return { folder, passphrase: secret, hour, keep };
}
