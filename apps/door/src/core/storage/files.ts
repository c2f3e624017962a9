import type { DoorDatabase } from './database.js';
import type { Vault } from './vault.js';

/** Small encrypted files of JSON by name. */
export class Files {
  constructor(
    private readonly db: DoorDatabase,
    private readonly vault: Vault,
  ) {}

  /** @returns undefined: there is none, or it does not open */
  async read<Content>(name: string): Promise<Content | undefined> {
    const sealed = await this.db.read('files', (tx) => tx.objectStore('files').get(name));
    const text = sealed && (await this.vault.open(sealed));
    return text ? (JSON.parse(text) as Content) : undefined;
  }

  async write(name: string, content: unknown): Promise<void> {
    const sealed = await this.vault.seal(JSON.stringify(content));
    await this.db.write('files', (tx) => tx.objectStore('files').put(sealed, name));
  }

  async remove(...names: readonly string[]): Promise<void> {
    await this.db.write('files', async (tx) => {
      for (const name of names) await tx.objectStore('files').delete(name);
    });
  }
}
