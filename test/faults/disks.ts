import { execFileSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A small file system in memory that can be filled without affecting the machine. */
export class SmallDisk {
  private static readonly mounted: string[] = [];

  private constructor(readonly path: string) {}

  /** @returns the reason when it cannot be mounted: only root may mount, and not in every container */
  static async mount(path: string, megabytes: number): Promise<SmallDisk | string> {
    await mkdir(path, { recursive: true, mode: 0o755 });
    if (process.getuid?.() !== 0) return 'only root can mount a small disk';
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'guichet-faults', path], {
        stdio: 'pipe',
      });
    } catch {
      return 'this machine refuses to mount a small disk';
    }
    SmallDisk.mounted.push(path);
    return new SmallDisk(path);
  }

  static unmountAll(): void {
    for (const path of SmallDisk.mounted.splice(0)) execFileSync('umount', [path], { stdio: 'pipe' });
  }

  /** Writes until not even a small block fits. */
  async fill(): Promise<void> {
    const file = await open(this.filler, 'a');
    for (const size of [1024 * 1024, 4096]) {
      const block = Buffer.alloc(size);
      let room = true;
      while (room) room = await file.write(block).then(({ bytesWritten }) => bytesWritten === size, isFull);
    }
    await file.close();
  }

  async free(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  private get filler(): string {
    return join(this.path, 'filler');
  }
}

/** @throws unless the disk is full */
function isFull(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOSPC') return false;
  throw error;
}
