import { compiledBeside, FairLimit, serverBusy } from '#kernel';
import { limits } from '../limits.js';
import type { Drawing } from '../drawings/drawing.js';
import { DrawingThread, DrawingThreadLost, type DrawingAnswer } from './drawing-thread.js';

/** A document or picture could not be drawn. The message contains nothing of the document. */
export class DrawingFailedError extends Error {}

export interface DrawingThreadsOptions {
  /** Maximum number of threads. */
  readonly threads: number;
  /** Time limit of one drawing in milliseconds. */
  readonly limitMs?: number;
  /** A thread that draws nothing for so long ends, which frees its memory. In milliseconds. */
  readonly idleMs?: number;
  /** Path of the compiled program of a thread. */
  readonly program?: string;
}

/**
 * Draws documents in worker threads, which start when they are needed. Tenants take turns for the threads. When a thread dies or takes too
 * long, another one repeats its drawing once.
 */
export class DrawingThreads {
  private readonly options: Required<DrawingThreadsOptions>;
  private readonly turns: FairLimit;
  /** The thread that was used last is used next, so that the others can end. */
  private readonly idle: { readonly thread: DrawingThread; readonly ending: NodeJS.Timeout }[] = [];
  /** Grows with each call of `end`. */
  private endings = 0;

  constructor(options: DrawingThreadsOptions) {
    const { threads } = options;
    this.options = {
      limitMs: limits.drawing.ms,
      idleMs: limits.idleThread.ms,
      program: compiledBeside(import.meta.url, 'drawing.worker.js'),
      ...options,
    };
    this.turns = new FairLimit({ ...limits.drawings.turns, total: threads, each: threads, refuse: serverBusy });
  }

  /**
   * @returns the file: a PDF, a PNG for a picture, a whole mail
   * @throws DrawingFailedError
   * @throws Problem 503 `server.busy` when too many drawings wait
   */
  async draw(drawing: Drawing): Promise<Buffer> {
    const { bytes, fault } = await this.turns.run(() => this.twice(drawing));
    if (!bytes) throw new DrawingFailedError(`The ${drawing.kind} could not be drawn`, { cause: new Error(fault) });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The fonts that each idle thread has read since its start. */
  async loadedFonts(): Promise<string[][]> {
    const answers = await Promise.all(this.idle.map(({ thread }) => thread.order('loaded fonts', this.options.limitMs)));
    return answers.map(({ fonts = [] }) => [...fonts]);
  }

  /** Ends all threads; those that are drawing end after their drawing. A later drawing starts a new thread. */
  async end(): Promise<void> {
    this.endings += 1;
    const ended = this.idle.splice(0).map(({ thread, ending }) => {
      clearTimeout(ending);
      return thread.end();
    });
    await Promise.all(ended);
  }

  private async twice(drawing: Drawing): Promise<DrawingAnswer> {
    try {
      return await this.once(drawing).catch((error: unknown) => {
        if (error instanceof DrawingThreadLost) return this.once(drawing);
        throw error;
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DrawingFailedError(`The ${drawing.kind} could not be drawn. ${why}`, { cause: error });
    }
  }

  private async once(drawing: Drawing): Promise<DrawingAnswer> {
    const { endings } = this;
    const thread = this.takeThread();
    const answer = await thread.order(drawing, this.options.limitMs);
    if (endings === this.endings) this.putBack(thread);
    else void thread.end();
    return answer;
  }

  private takeThread(): DrawingThread {
    for (let last = this.idle.pop(); last; last = this.idle.pop()) {
      clearTimeout(last.ending);
      if (last.thread.alive) return last.thread;
    }
    return new DrawingThread(this.options.program);
  }

  private putBack(thread: DrawingThread): void {
    const ending = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((one) => one.thread === thread),
        1,
      );
      void thread.end();
    }, this.options.idleMs);
    this.idle.push({ thread, ending: ending.unref() });
  }
}
