import type { DoorDatabase, Sealed } from './database.js';
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
    await writeTogether(this.db, [[this, name, content]]);
  }

  seal(content: unknown): Promise<Sealed> {
    return this.vault.seal(JSON.stringify(content));
  }

  async remove(...names: readonly string[]): Promise<void> {
    await this.db.write('files', async (tx) => {
      for (const name of names) await tx.objectStore('files').delete(name);
    });
  }
}

/** Writes files together, or none of them: a kill in between leaves no half of them. */
export async function writeTogether(
  db: DoorDatabase,
  files: ReadonlyArray<readonly [Files, name: string, content: unknown]>,
): Promise<void> {
  const sealed = await Promise.all(files.map(async ([kept, name, content]) => [name, await kept.seal(content)] as const));
  await db.write('files', async (tx) => {
    for (const [name, file] of sealed) await tx.objectStore('files').put(file, name);
  });
}
