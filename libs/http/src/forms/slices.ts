import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** Maximum number of bytes parsed without a pause, because one chunk of a socket can contain more than a thousand parts of a form. */
const sliceBytes = 8 * 1024;

/** Passes its input on in small slices, one per turn of the event loop. */
export class Slices extends Transform {
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.pushSlices(chunk).then(() => done(), done);
  }

  private async pushSlices(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.destroyed; at += sliceBytes) {
      if (at > 0) await setImmediate();
      this.push(chunk.subarray(at, at + sliceBytes));
    }
  }
}
