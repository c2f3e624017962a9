/** A repeatable random sequence: the same seed gives the same numbers (mulberry32, public domain). */
export class DemoRandom {
  constructor(private state: number) {}

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** @throws RangeError on an empty list */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[this.whole(0, items.length - 1)] as Item;
  }

  /** Up to `count` different items, in any order. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    const taken: Item[] = [];
    while (taken.length < count && left.length > 0) taken.push(...left.splice(this.whole(0, left.length - 1), 1));
    return taken;
  }

  /** A random item by weight. */
  weighted<Item>(items: readonly (readonly [item: Item, weight: number])[]): Item {
    let point = this.next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) {
      point -= weight;
      if (point < 0) return item;
    }
    return this.pick(items)[0];
  }
}
