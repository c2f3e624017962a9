import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tenantSlot, wireAddress } from '#kernel';
import { MailDelayedError } from './mail-failure.js';

/** Stores mails as `.eml` files, which mail programs can open. Used when no SMTP server is configured. */
export class MailFolder {
  constructor(readonly path: string) {}

  /**
   * Writes a message atomically: the file appears in the folder when it is complete.
   * @returns the path of the file
   * @throws MailDelayedError
   */
  async write(message: Buffer, recipient: string, messageId: string): Promise<string> {
    const file = join(this.path, fileName(recipient, messageId, new Date()));
    const unfinished = `${file}.part`;
    try {
      await mkdir(this.path, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, message, { mode: 0o600, flag: 'wx' });
      await rename(unfinished, file);
      return file;
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw cannotWrite(error);
    }
  }

  /** Deletes the mails of the current tenant to an address, in any case of its letters, and those with some ids. */
  async forget(recipient: string, ids: readonly string[]): Promise<void> {
    const marks = [keyOf(recipient), ...ids.map(idMark)];
    const names = await readdir(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
      throw error;
    });
    for (const name of names) if (marks.some((mark) => name.includes(`-${mark}-`))) await rm(join(this.path, name), { force: true });
  }

  /** Checks whether mails could be written, without creating anything. @throws MailDelayedError when not */
  async check(): Promise<void> {
    try {
      await access(await existing(this.path), constants.W_OK | constants.X_OK);
    } catch (error) {
      throw cannotWrite(error);
    }
  }
}

let written = 0;

/** A name that sorts by time, also within one millisecond. The recipient's characters are restricted, so that no path leaves the folder. */
function fileName(recipient: string, messageId: string, now: Date): string {
  written = (written + 1) % 1_000_000;
  const time = now.toISOString().replaceAll(':', '-');
  const safe = recipient
    .toLowerCase()
    .replace(/[^a-z0-9@._-]/g, '_')
    .replace(/\.{2,}/g, '_')
    .slice(0, 80);
  return `${time}-${String(written).padStart(6, '0')}-${idMark(messageId)}-${keyOf(recipient)}-${safe}.eml`;
}

/** Finds a mail by the part of its Message-ID before the host. */
const idMark = (id: string): string =>
  id
    .replace(/@.*$/, '')
    .replace(/[^0-9a-z]/gi, '')
    .slice(0, 24);

/** Finds the mails of a tenant to an address again, whose characters a name does not keep. */
function keyOf(recipient: string): string {
  const owner = tenantSlot.get()?.id ?? '';
  const address = (wireAddress(recipient) ?? recipient).toLowerCase();
  return createHash('sha256').update(`${owner} ${address}`).digest('hex').slice(0, 12);
}

/** The path itself or its nearest existing parent. @throws when that is not a folder */
async function existing(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!found) return existing(dirname(path));
  if (!found.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  return path;
}

function cannotWrite(error: unknown): MailDelayedError {
  return new MailDelayedError(`the mail folder cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
}
