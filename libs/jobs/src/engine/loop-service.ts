import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { WorkLoop } from './work-loop.js';

/** Base class of background workers. The program starts it explicitly; it stops before the connection pools are closed. */
export abstract class LoopService implements BeforeApplicationShutdown {
  protected abstract readonly loop: WorkLoop;

  /** Starts the loop; a second call does nothing. */
  start(): void {
    this.loop.start();
  }

  /**
   * Claims no new work and waits for running work, for at most `graceMs`. Another process repeats work that takes longer, after its lease
   * has expired.
   */
  stop(graceMs?: number): Promise<void> {
    return this.loop.stop(graceMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
