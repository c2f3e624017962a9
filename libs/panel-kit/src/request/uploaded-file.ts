import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * An uploaded file in the temporary folder, which is deleted after the answer. A class with a private field, so that no JSON body can pass
 * for one and name any file of the server.
 */
export class UploadedFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  bytes(): Promise<Buffer> {
    return readFile(this.#path);
  }

  /** The content as a stream. */
  stream(): ReadStream {
    return createReadStream(this.#path);
  }
}
