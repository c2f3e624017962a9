import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import { Encrypter } from 'age-encryption';
import tar from 'tar-stream';
import { fileErrorOf, TransferError } from '../format/transfer-error.js';

export interface WrittenArchive {
  readonly bytes: number;
  /** SHA-256 of the encrypted file, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Writes a compressed (gzip) and encrypted (age with a passphrase, https://age-encryption.org/v1) tar archive. The file is called
 * `<path>.part` until it is complete and synced to disk.
 */
export class ArchiveWriter {
  private readonly pack = tar.pack();
  private readonly written: Promise<WrittenArchive>;

  /** @throws TransferError when the file exists or cannot be created */
  static async create(path: string, passphrase: string, workFactor: number): Promise<ArchiveWriter> {
    await refuseExisting(path);
    const part = `${path}.part`;
    try {
      // Deletes the remains of a killed process. Creating a new file makes a process that is still writing fail.
      await rm(part, { force: true });
      return new ArchiveWriter(path, part, await open(part, 'wx', 0o600), passphrase, workFactor);
    } catch (error) {
      throw fileErrorOf(error, 'written', path);
    }
  }

  private constructor(
    private readonly path: string,
    private readonly part: string,
    private readonly file: FileHandle,
    passphrase: string,
    workFactor: number,
  ) {
    this.written = this.write(passphrase, workFactor);
    this.written.catch(() => this.pack.destroy());
  }

  /** Adds one entry; resolves when the next one can be added. @throws TransferError when the disk is full */
  async add(name: string, body: Buffer): Promise<void> {
    const taken = new Promise<void>((resolve, reject) => {
      this.pack.entry({ name, mode: 0o600 }, body, (error) => (error ? reject(error) : resolve()));
    });
    // A destroyed pack does not always call back; `written` reports the error.
    taken.catch(() => undefined);
    await Promise.race([taken.catch(() => this.written), this.written]);
  }

  /**
   * Completes the file and renames it.
   * @param verify reads the complete file before it gets its name; the file keeps the other name when this throws
   */
  async finish(verify?: (path: string) => Promise<unknown>): Promise<WrittenArchive> {
    this.pack.finalize();
    const written = await this.written;
    try {
      await this.file.sync();
      const [own, named] = [await this.file.stat(), await stat(this.part)];
      if (own.ino !== named.ino) throw new TransferError(`Another process wrote to ${this.path} meanwhile.`);
      await this.file.close();
      await verify?.(this.part);
      await refuseExisting(this.path);
      await rename(this.part, this.path);
    } catch (error) {
      throw fileErrorOf(error, 'written', this.path);
    }
    return written;
  }

  /** Deletes the incomplete file. */
  async abandon(): Promise<void> {
    this.pack.destroy();
    await this.written.catch(() => undefined);
    await this.file.close().catch(() => undefined);
    await rm(this.part, { force: true });
  }

  private async write(passphrase: string, workFactor: number): Promise<WrittenArchive> {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(workFactor);
    const gzip = createGzip();
    const packed = pipeline(this.pack, gzip);
    const hash = createHash('sha256');
    let bytes = 0;
    const sum = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    try {
      const encrypted = await encrypter.encrypt(Readable.toWeb(gzip) as globalThis.ReadableStream<Uint8Array>);
      const target = createWriteStream(this.part, { fd: this.file.fd, autoClose: false });
      await Promise.all([packed, pipeline(Readable.fromWeb(encrypted as ReadableStream), sum, target)]);
    } catch (error) {
      packed.catch(() => undefined);
      this.pack.destroy();
      throw fileErrorOf(error, 'written', this.path);
    }
    return { bytes, sha256: hash.digest('hex') };
  }
}

async function refuseExisting(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found) throw new TransferError(`${path} exists already: choose another name, or remove it first.`);
}
