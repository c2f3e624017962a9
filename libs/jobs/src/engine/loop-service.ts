import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { WorkLoop } from './work-loop.js';

/** A provider that works in the background. It starts when its program says so, and stops before the connection pools are closed. */
export abstract class LoopService implements BeforeApplicationShutdown {
  protected abstract readonly loop: WorkLoop;

  /** Starts the loop; a second call does nothing. */
  start(): void {
    this.loop.start();
  }

  /**
   * Claims nothing new and waits for running work, for `graceMs` at most. Another process repeats what takes longer, when its lease has
   * expired.
   */
  stop(graceMs?: number): Promise<void> {
    return this.loop.stop(graceMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
