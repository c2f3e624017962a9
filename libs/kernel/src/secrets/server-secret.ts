import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError, type Settings } from '../settings/settings.js';

/**
 * The server secret: the setting `SERVER_SECRET`, else the file `server-secret` in the data folder, created on the first start. Without
 * it the stored signing keys cannot be read, so docs/operations.md says to back it up.
 * @throws SettingsError when the file can be neither read nor created.
 */
export function loadServerSecret(settings: Settings): string {
  if (settings.serverSecret) return settings.serverSecret;
  const file = join(settings.dataDir, 'server-secret');
  try {
    mkdirSync(settings.dataDir, { recursive: true });
    try {
      // wx: when two first starts run at the same time, one creates the file and the other reads it.
      writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length < 32) throw new SettingsError(`${file} is damaged: restore it from your backup.`);
    return secret;
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(
      `The server secret cannot be kept in ${settings.dataDir} (${(error as NodeJS.ErrnoException).code}): make the folder ` +
        'writable, or set SERVER_SECRET.',
      { cause: error },
    );
  }
}

/**
 * Makes the secret of a backup that of this server: keeps it when it is set already, else writes the file.
 * @throws SettingsError when this server has another one, or the file cannot be written
 */
export function placeServerSecret(settings: Settings, secret: string): void {
  const file = join(settings.dataDir, 'server-secret');
  if (!settings.serverSecret) {
    try {
      mkdirSync(settings.dataDir, { recursive: true });
      writeFileSync(file, `${secret}\n`, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST')
        throw new SettingsError(`The server secret cannot be kept in ${settings.dataDir} (${code}).`, { cause: error });
    }
  }
  if (loadServerSecret(settings) === secret) return;
  throw new SettingsError(
    settings.serverSecret
      ? 'SERVER_SECRET is not that of the backup, whose sealed values open with its own only: set it to that of the backup (--secret).'
      : `${file} is the secret of another installation than that of the backup: give another DATA_DIR.`,
  );
}

/** A fingerprint that distinguishes two secrets without revealing them; stored in the database to notice a wrong secret at start. */
export function secretFingerprint(serverSecret: string): string {
  return createHash('sha256').update('guichet fingerprint').update(serverSecret).digest('hex').slice(0, 16);
}
