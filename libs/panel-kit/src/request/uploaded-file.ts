import { Readable } from 'node:stream';

/** An uploaded file. A class with a private field, so that no JSON body can pass for one. */
export class UploadedFile {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bytes(): Buffer {
    return this.#bytes;
  }

  /** The content as a stream. */
  stream(): Readable {
    return Readable.from([this.#bytes]);
  }
}
