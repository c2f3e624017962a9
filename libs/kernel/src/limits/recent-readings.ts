import { Kept } from '../bounds/kept.js';
import type { KeptNumbers } from '../bounds/limit-table.js';
import { withoutRequest } from '../context/request-context.js';

/**
 * What was read a moment ago, by key: within the time of `limit` nothing is read again, and callers that ask at the same time share one
 * reading. A reading that takes longer is not begun again before it ends. Its age counts from its beginning.
 *
 * Not for transactions: one that waits for a reading holds a connection, which the reading may wait for.
 */
export class RecentReadings<Value> {
  private readonly readings: Kept<Promise<Value>>;

  /** @param keepsErrors a reading that failed is not repeated within the time either */
  constructor(
    private readonly limit: KeptNumbers & { readonly ttlMs: number },
    private readonly keepsErrors = false,
  ) {
    this.readings = new Kept(limit);
  }

  /**
   * @param key contains everything on which the value depends, the tenant included
   * @param read runs outside of the current request, because the result is for all, and in the current tenant
   * @throws the error of `read`
   */
  read(key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.readings.get(key);
    if (known) return known;
    const start = performance.now();
    const reading = withoutRequest(read);
    // Without an end until it is read.
    this.readings.set(key, reading, { ttl: 0 });
    const isLatest = (): boolean => this.readings.peek(key) === reading;
    const keep = (): void => void (isLatest() && this.readings.set(key, reading, { ttl: this.limit.ttlMs, start }));
    void reading.then(keep, this.keepsErrors ? keep : () => isLatest() && this.readings.delete(key));
    return reading;
  }

  /** The value changed: the next caller reads it again. */
  forget(key: string): void {
    this.readings.delete(key);
  }

  forgetAll(): void {
    this.readings.clear();
  }
}
