import { Worker } from 'node:worker_threads';
import type { Drawing } from '../drawings/drawing.js';

export type DrawingOrder = Drawing | 'loaded fonts';

/** What the thread answers; `fault` is the stack of an error. */
export interface DrawingAnswer {
  readonly bytes?: Uint8Array;
  readonly fonts?: readonly string[];
  readonly fault?: string;
}

/** The thread ended, ran out of memory or took too long. Another thread may succeed. */
export class DrawingThreadLost extends Error {}

/** The heap of a thread; the largest documents need a fraction of it. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };

/** A worker thread that draws one document after the other. It does not keep the process running while it is idle. */
export class DrawingThread {
  private readonly worker: Worker;
  private loss: unknown;

  /** @param program path of the compiled program of the thread */
  constructor(program: string) {
    // The thread needs neither the environment, which contains secrets, nor options of the command line.
    this.worker = new Worker(program, { name: 'drawing', env: {}, execArgv: [], resourceLimits });
    this.worker.unref();
    this.worker.on('error', (error) => (this.loss ??= error));
    this.worker.once('exit', (code) => (this.loss ??= new Error(`it ended with code ${code}`)));
  }

  get alive(): boolean {
    return this.loss === undefined;
  }

  /**
   * Gives the thread an order. Wait for the answer before giving another one.
   * @param limitMs the thread is ended when it takes longer
   * @throws DrawingThreadLost
   */
  async order(order: DrawingOrder, limitMs: number): Promise<DrawingAnswer> {
    const { worker } = this;
    worker.ref();
    try {
      return await this.answer(order, limitMs);
    } catch (error) {
      this.loss ??= error;
      void worker.terminate();
      const why = this.loss instanceof Error ? this.loss.message : String(this.loss);
      throw new DrawingThreadLost(`The drawing thread was lost: ${why}`, { cause: this.loss });
    } finally {
      worker.unref();
    }
  }

  /** Without abort signals, which cost each mail a tenth of a millisecond. */
  private answer(order: DrawingOrder, limitMs: number): Promise<DrawingAnswer> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        clearTimeout(late);
        worker.off('message', answered).off('exit', ended);
      };
      const answered = (answer: DrawingAnswer): void => {
        forget();
        resolve(answer);
      };
      const ended = (): void => {
        forget();
        reject(this.loss);
      };
      const late = setTimeout(() => {
        forget();
        reject(new Error(`it took longer than ${limitMs} ms`));
      }, limitMs);
      try {
        // Nothing is transferred: messages are copied.
        worker.on('message', answered).on('exit', ended).postMessage(order, []);
      } catch (error) {
        forget();
        reject(error);
      }
    });
  }

  async end(): Promise<void> {
    this.loss ??= new Error('it was ended');
    await this.worker.terminate();
  }
}
