import { setTimeout } from 'node:timers/promises';

/** Turns of background work with a minimum time between two of them. */
export class SpacedTurns {
  private next = 0;

  constructor(private readonly spacingMs: number) {}

  /** Resolves when the next one may begin, in the order of the calls. */
  async wait(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.next);
    this.next = at + this.spacingMs;
    if (at > now) await setTimeout(at - now);
  }
}
