import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * A file that came with a form, lying in the temporary folder until the request is answered. No JSON body can be one: it would name any
 * file of the server.
 */
export class UploadedFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  bytes(): Promise<Buffer> {
    return readFile(this.#path);
  }

  /** The same piece by piece. */
  stream(): ReadStream {
    return createReadStream(this.#path);
  }
}
