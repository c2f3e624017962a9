import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { databaseNow, SETTINGS, type Settings } from '#kernel';
import { fileErrorOf, TransferError } from '../transfer/format/transfer-error.js';
import { BackupService, type BackupOptions, type BackupReport } from './backup.service.js';

const dayMs = 24 * 3_600_000;
const fileName = /^guichet-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup$/;

/** Backups in `BACKUP_FOLDER`, once a day after `BACKUP_HOUR`; the newest `BACKUP_KEEP` files are kept. */
@Injectable()
export class ScheduledBackups {
  constructor(
    private readonly service: BackupService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'backups'>,
  ) {}

  /** Writes a backup when none was finished since the hour of the last schedule. A failed one is tried again at the next call. */
  async writeDue(now = databaseNow()): Promise<BackupReport | undefined> {
    const { backups } = this.settings;
    if (!backups) return undefined;
    const last = await this.service.last();
    const isDue = !last || last.finishedAt < lastSchedule(now, backups.hour);
    return isDue ? this.write({}, now) : undefined;
  }

  /**
   * Writes a backup into the folder, and removes older ones.
   * @throws TransferError as `BackupService.write`, and when no folder is set
   */
  async write(options: Omit<BackupOptions, 'passphrase'> = {}, now = databaseNow()): Promise<BackupReport> {
    if (!this.settings.backups) throw new TransferError('Set BACKUP_FOLDER, or name a file.');
    const { passphrase, keep } = this.settings.backups;
    const folder = resolve(this.settings.backups.folder);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw fileErrorOf(error, 'written', folder);
    });
    const stamp = now.toISOString().replace(/\.\d+/, '').replaceAll(':', '');
    const report = await this.service.write(join(folder, `guichet-${stamp}.backup`), { ...options, passphrase });
    const files = (await readdir(folder)).filter((name) => fileName.test(name)).toSorted();
    for (const old of files.slice(0, -keep)) await rm(join(folder, old));
    return report;
  }
}

/** The last moment at or before `now` at which the clock showed the hour (UTC). */
function lastSchedule(now: Date, hour: number): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour);
  return new Date(today <= now.getTime() ? today : today - dayMs);
}
