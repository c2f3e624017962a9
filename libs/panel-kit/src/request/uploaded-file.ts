import { Readable } from 'node:stream';
import { Slices } from '#http';

/** An uploaded file. A class with a private field, so that no JSON body can pass for one. */
export class UploadedFile {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bytes(): Buffer {
    return this.#bytes;
  }

  /** The content in small parts, because readers parse each part at once. */
  stream(): Readable {
    return Readable.from([this.#bytes]).pipe(new Slices());
  }
}
