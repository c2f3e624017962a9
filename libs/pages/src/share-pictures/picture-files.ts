import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PictureLimits {
  /** Bytes of one tenant. */
  readonly bytes: number;
  /** Tenants with pictures. */
  readonly tenants: number;
}

/** Together at most 2 GB. A picture has about 36 kB, so that a tenant keeps those of 50 events in four languages. */
const usualLimits: PictureLimits = { bytes: 8_000_000, tenants: 250 };

/**
 * Drawn pictures in files, one folder for each tenant: they outlive the process, and processes on one machine share them. They can be
 * drawn again at any time, so no fault of the disk is reported, and no backup needs them.
 */
export class PictureFiles {
  private readonly path: string;

  constructor(
    dataDir: string,
    private readonly limits = usualLimits,
  ) {
    this.path = join(dataDir, 'share-pictures');
  }

  /** @returns undefined when it is not kept */
  async read(tenantId: string, name: string): Promise<Buffer | undefined> {
    return readFile(join(this.path, tenantId, `${name}.png`)).catch(() => undefined);
  }

  /**
   * Stores a picture, then removes the oldest ones beyond the limits.
   * @param name consists of letters, digits, `-` and `_`
   * @returns whether the picture is stored
   */
  async write(tenantId: string, name: string, picture: Buffer): Promise<boolean> {
    const folder = join(this.path, tenantId);
    // Another process may write the same picture, and nobody reads half of one.
    const unfinished = join(folder, `${name}.${randomUUID()}.part`);
    try {
      const isNew = await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, picture, { mode: 0o600, flag: 'wx' });
      await rename(unfinished, join(folder, `${name}.png`));
      await this.shrink(folder);
      if (isNew) await this.removeFolders();
      return true;
    } catch {
      await rm(unfinished, { force: true }).catch(() => undefined);
      return false;
    }
  }

  /** Also removes what a killed process left unfinished, because it is the oldest one day. */
  private async shrink(folder: string): Promise<void> {
    let left = this.limits.bytes;
    for (const { path, size } of await newestFirst(folder)) {
      left -= size;
      if (left < 0) await rm(path, { force: true });
    }
  }

  private async removeFolders(): Promise<void> {
    for (const { path } of (await newestFirst(this.path)).slice(this.limits.tenants)) await rm(path, { recursive: true, force: true });
  }
}

/** What a folder has, by the time of the last change. */
async function newestFirst(folder: string): Promise<{ path: string; size: number; changedAt: number }[]> {
  const names = await readdir(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // Another process may have removed it.
      const facts = await stat(path).catch(() => undefined);
      return facts && { path, size: facts.size, changedAt: facts.mtimeMs };
    }),
  );
  return found.filter((one) => one !== undefined).toSorted((a, b) => b.changedAt - a.changedAt);
}
