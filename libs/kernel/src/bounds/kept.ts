import { LRUCache } from 'lru-cache';
import type { KeptNumbers } from './limit-table.js';

type Options<Value extends object | string | number | boolean> = Pick<
  LRUCache.OptionsBase<string, Value, unknown>,
  'sizeCalculation' | 'dispose'
>;

const one = (): number => 1;

/** Values by key, with a bound: the least recently used ones go first. All bounded maps of the program are of this class. */
export class Kept<Value extends object | string | number | boolean> extends LRUCache<string, Value> {
  constructor({ most, size, ttlMs, renewed, purged }: KeptNumbers, options: Options<Value> = {}) {
    super({
      // A `max` reserves the memory of all values at once, which takes a quarter of the time in which an application is created.
      ...(size === undefined ? most !== undefined && { maxSize: most, sizeCalculation: one } : { max: most ?? 0, maxSize: size }),
      ...(ttlMs !== undefined && { ttl: ttlMs }),
      ...(renewed && { updateAgeOnGet: true }),
      ...(purged && { ttlAutopurge: true }),
      ...options,
    } as LRUCache.Options<string, Value, unknown>);
  }

  /** The value that is kept; else a new one, which is kept from now on. */
  of(key: string, make: () => Value): Value {
    let value = this.get(key);
    if (value === undefined) this.set(key, (value = make()));
    return value;
  }
}
