import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MailDelayedError } from './mail-failure.js';

/** Stores mails as `.eml` files, which mail programs can open. Used when no SMTP server is configured. */
export class MailFolder {
  constructor(readonly path: string) {}

  /**
   * Writes a message atomically: the file appears in the folder when it is complete.
   * @returns the path of the file
   * @throws MailDelayedError
   */
  async write(message: Buffer, recipient: string): Promise<string> {
    const file = join(this.path, fileName(recipient, new Date()));
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
function fileName(recipient: string, now: Date): string {
  written = (written + 1) % 1_000_000;
  const time = now.toISOString().replaceAll(':', '-');
  const safe = recipient
    .toLowerCase()
    .replace(/[^a-z0-9@._-]/g, '_')
    .replace(/\.{2,}/g, '_')
    .slice(0, 80);
  return `${time}-${String(written).padStart(6, '0')}-${randomBytes(3).toString('hex')}-${safe}.eml`;
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
