import type { Picture, Reading } from './decode-worker.js';

/** Longest wait for one picture, in milliseconds: then the worker is replaced. The first picture also waits for the download. */
const longest = { first: 30_000, later: 4_000 };

/** So many failures in a row are no accident. */
const mostFailures = 3;
/** Milliseconds until the decoder is loaded again. */
const betweenFailures = 700;

/** Reads QR codes in a worker, one picture at a time. */
export class Decoder {
  private worker: Worker | undefined;
  private warm = false;
  private next = 0;
  private failures = 0;
  /** The last picture showed nothing. */
  wasEmpty = false;

  /** The decoder could not be loaded several times: its file is missing on the phone, and there is no network. */
  get isBroken(): boolean {
    return this.failures >= mostFailures;
  }

  /** Loads the decoder ahead of the first picture. */
  warmUp(): void {
    this.worker ??= new Worker(BUILD_DECODER, { type: 'module' });
  }

  /** @returns what the code in the picture says; null: no code. Takes the picture over. */
  async read(picture: Omit<Picture, 'id'>): Promise<string | null> {
    this.warmUp();
    const worker = this.worker as Worker;
    this.next += 1;
    const id = this.next;
    const reading = await new Promise<Reading | undefined>((resolve) => {
      const timer = setTimeout(() => done(undefined), this.warm ? longest.later : longest.first);
      const heard = ({ data }: MessageEvent<Reading>): void => {
        if (data.id === id) done(data);
      };
      const failed = (): void => done(undefined);
      const done = (found: Reading | undefined): void => {
        clearTimeout(timer);
        worker.removeEventListener('message', heard);
        worker.removeEventListener('error', failed);
        resolve(found);
      };
      worker.addEventListener('message', heard);
      worker.addEventListener('error', failed);
      worker.postMessage({ id, ...picture }, Object.values(picture));
    });
    if (reading && reading.broken !== true) {
      this.warm = true;
      this.failures = 0;
      this.wasEmpty = reading.empty === true;
      return reading.text;
    }
    this.stop();
    this.failures += 1;
    await new Promise((over) => setTimeout(over, betweenFailures));
    return null;
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.warm = false;
  }
}
