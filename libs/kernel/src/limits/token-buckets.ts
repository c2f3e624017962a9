import { setTimeout as pass } from 'node:timers/promises';
import { Kept } from '../bounds/kept.js';
import type { RateLimit } from '../settings/rate-limit-settings.js';

/**
 * Token buckets by name, in memory. A bucket is one number: the moment at which it is full again (the generic cell rate algorithm), so
 * that taking a token needs no timer and no round trip. Beyond `maximum` the least recently used buckets are dropped, which makes them
 * full.
 */
export class TokenBuckets {
  private readonly fullAt: Kept<number>;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    maximum: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.fullAt = new Kept({ most: maximum });
  }

  /** Takes a token. @returns 0, or the milliseconds until the next token when there is none (nothing is taken then) */
  take(name: string, limit: RateLimit): number {
    const { wait, next } = this.look(name, limit);
    if (wait === 0) this.fullAt.set(name, next);
    return wait;
  }

  /** Takes a token, also one that the bucket has only later, and resolves when it has it, in the order of the calls. */
  async turn(name: string, limit: RateLimit): Promise<void> {
    const { wait, next } = this.look(name, limit);
    this.fullAt.set(name, next);
    if (wait > 0) await pass(wait);
  }

  /** Returns the result of `take` without taking a token. */
  waitOf(name: string, limit: RateLimit): number {
    return this.look(name, limit).wait;
  }

  /** Puts back a token that was taken. */
  giveBack(name: string, { count, milliseconds }: RateLimit): void {
    const fullAt = this.fullAt.get(name);
    if (fullAt !== undefined) this.fullAt.set(name, fullAt - milliseconds / count);
  }

  get size(): number {
    return this.fullAt.size;
  }

  private look(name: string, { count, milliseconds }: RateLimit): { wait: number; next: number } {
    const now = this.now();
    const next = Math.max(this.fullAt.get(name) ?? now, now) + milliseconds / count;
    const wait = next - now - milliseconds;
    // Allows for rounding errors: a bucket of n tokens gives n.
    return { wait: wait > 1e-6 ? wait : 0, next };
  }
}
