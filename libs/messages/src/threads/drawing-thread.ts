import { once } from 'node:events';
import { setTimeout as pass } from 'node:timers/promises';
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
    const settled = new AbortController();
    const { signal } = settled;
    worker.ref();
    try {
      const answered = once(worker, 'message', { signal });
      const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(this.loss));
      const late = pass(limitMs, undefined, { signal }).then(() => Promise.reject(new Error(`it took longer than ${limitMs} ms`)));
      // Nothing is transferred: messages are copied.
      worker.postMessage(order, []);
      const [answer] = (await Promise.race([answered, ended, late])) as [DrawingAnswer];
      return answer;
    } catch (error) {
      this.loss ??= error;
      void worker.terminate();
      const why = this.loss instanceof Error ? this.loss.message : String(this.loss);
      throw new DrawingThreadLost(`The drawing thread was lost: ${why}`, { cause: this.loss });
    } finally {
      settled.abort();
      worker.unref();
    }
  }

  async end(): Promise<void> {
    this.loss ??= new Error('it was ended');
    await this.worker.terminate();
  }
}
