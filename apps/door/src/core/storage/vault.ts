import { textOf, utf8 } from '../codes/bytes.js';
import type { DoorDatabase, Sealed } from './database.js';

/** `data` encrypts key, list and names; `journal` the journal, so that a wipe can destroy the first and still send the second. */
export type VaultName = 'data' | 'journal';

/** Encrypts with AES-GCM under a key that never leaves the browser: a copy of the stored data shows nothing. */
export class Vault {
  private key: Promise<CryptoKey> | undefined;

  constructor(
    private readonly db: DoorDatabase,
    private readonly name: VaultName,
  ) {}

  async seal(text: string): Promise<Sealed> {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await this.ownKey(), utf8(text)) };
  }

  /** @returns null when it does not open: it was written under another key, or is damaged */
  async open({ iv, data }: Sealed): Promise<string | null> {
    try {
      return textOf(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await this.ownKey(), data));
    } catch {
      return null;
    }
  }

  /** Forgets the key in memory; the stored one is deleted by the caller. */
  forget(): void {
    this.key = undefined;
  }

  private ownKey(): Promise<CryptoKey> {
    this.key ??= this.loadKey().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }

  private async loadKey(): Promise<CryptoKey> {
    const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    // Another tab may have stored one in the meantime: the stored one counts.
    return this.db.write('keys', async (tx) => {
      const stored = await tx.objectStore('keys').get(this.name);
      if (!stored) await tx.objectStore('keys').put(made, this.name);
      return stored ?? made;
    });
  }
}
