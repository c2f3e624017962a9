import { performance } from 'node:perf_hooks';
import { limits } from '../bounds/limits.js';

/** Measures which share of the time the event loop of this process was busy. */
export class LoopShare {
  private last = performance.eventLoopUtilization();
  private readAt = performance.now();
  private share = 0;

  /** From 0 to 1, over the time since the last reading, which is at least half a second. */
  read(): number {
    const now = performance.now();
    if (now - this.readAt < limits.loopShare.ms) return this.share;
    const current = performance.eventLoopUtilization();
    this.share = performance.eventLoopUtilization(current, this.last).utilization;
    this.last = current;
    this.readAt = now;
    return this.share;
  }
}
