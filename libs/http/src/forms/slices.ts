import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** So much is parsed before others have their turn: one chunk of a socket can hold more than a thousand parts of a form. */
const sliceBytes = 8 * 1024;

/** Hands on what it gets in small slices, one in each turn of the event loop. */
export class Slices extends Transform {
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.handOn(chunk).then(() => done(), done);
  }

  private async handOn(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.destroyed; at += sliceBytes) {
      if (at > 0) await setImmediate();
      this.push(chunk.subarray(at, at + sliceBytes));
    }
  }
}
