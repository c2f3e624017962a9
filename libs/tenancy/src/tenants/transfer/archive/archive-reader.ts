import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import tar from 'tar-stream';
import { fileErrorOf, TransferError } from '../format/transfer-error.js';

/** Maximum size of an entry in bytes. An entry is read into memory; it exceeds a few megabytes only when a single row does. */
const largestEntry = 512 * 1024 * 1024;

export interface ArchiveEntry {
  readonly name: string;
  readonly body: Buffer;
}

/**
 * Reads a file of `ArchiveWriter`. Every byte is authenticated before it is used; a truncated, changed or recombined file is refused at the
 * first difference.
 */
export class ArchiveReader {
  private bytesRead = 0;
  private source: ReadStream | undefined;

  /** @throws TransferError when the file does not exist or is neither an export nor a backup */
  static async open(path: string): Promise<ArchiveReader> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'r');
      const { buffer, bytesRead } = await file.read(Buffer.alloc(22), 0, 22, 0);
      if (buffer.toString('latin1', 0, bytesRead) !== 'age-encryption.org/v1\n') throw notAnArchive();
      return new ArchiveReader(path, (await file.stat()).size);
    } catch (error) {
      throw fileErrorOf(error, 'read', path);
    } finally {
      await file?.close();
    }
  }

  private constructor(
    private readonly path: string,
    /** Size of the encrypted file in bytes. */
    readonly size: number,
  ) {}

  /** Read part of the file, from 0 to 1. */
  get progress(): number {
    return this.size === 0 ? 1 : this.bytesRead / this.size;
  }

  /**
   * Reads the entries in order. The last entry is returned only after the whole file was read and verified.
   * @throws TransferError for a wrong passphrase and a damaged file
   */
  async *entries(passphrase: string): AsyncGenerator<ArchiveEntry> {
    const plain = await this.decrypted(passphrase);
    const extract = tar.extract();
    const [gunzip, pass] = [createGunzip(), new PassThrough()];
    let failure: unknown;
    const read = pipeline(Readable.fromWeb(plain as ReadableStream), gunzip, pass, extract).catch((error: unknown) => {
      failure = error;
      extract.destroy(error as Error);
    });
    let last: ArchiveEntry | undefined;
    try {
      for await (const entry of extract) {
        if (last) yield last;
        last = { name: entry.header.name, body: await bodyOf(entry) };
      }
      await read;
    } catch (error) {
      if (error instanceof TransferError) throw error;
      throw this.damaged(failure ?? error);
    } finally {
      extract.destroy();
      await read;
      await this.close();
    }
    if (failure) throw this.damaged(failure);
    if (last) yield last;
  }

  private async close(): Promise<void> {
    if (!this.source || this.source.closed) return;
    const closed = once(this.source, 'close');
    this.source.destroy();
    await closed;
  }

  private async decrypted(passphrase: string): Promise<globalThis.ReadableStream<Uint8Array>> {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.bytesRead += chunk.length;
        done(null, chunk);
      },
    });
    const source = createReadStream(this.path);
    source.on('error', (error) => counted.destroy(error));
    this.source = source;
    try {
      return await decrypter.decrypt(Readable.toWeb(source.pipe(counted)) as globalThis.ReadableStream<Uint8Array>);
    } catch (error) {
      await this.close();
      if (/no identity matched/.test((error as Error).message))
        throw new TransferError('The passphrase is not the one that the file was encrypted with.', { cause: error });
      throw this.damaged(error);
    }
  }

  private damaged(error: unknown): TransferError {
    return new TransferError(
      'The file is damaged: it was changed or cut off after it was written. Copy it again, and compare its SHA-256.',
      { cause: error },
    );
  }
}

function notAnArchive(): TransferError {
  return new TransferError('The file is neither an export of a tenant nor a backup of a server.');
}

async function bodyOf(entry: AsyncIterable<unknown> & { header: { size: number } }): Promise<Buffer> {
  if (entry.header.size > largestEntry) throw notAnArchive();
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
