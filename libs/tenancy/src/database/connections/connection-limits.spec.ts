import { describe, expect, it } from '@jest/globals';
import { FairLimit } from '#kernel';
import { connectionLimits } from './connection-limits.js';

/** Connections in turns, with those that each tenant holds. */
class Connections {
  private readonly limit: FairLimit;
  private readonly held = new Map<string, (() => void)[]>();

  constructor(numbers: { each: number; urgent: number; total: number }, waitMs: number, waiting = 1000) {
    this.limit = new FairLimit({ ...connectionLimits({ databasePoolSize: 8, databaseWaitMs: waitMs }), ...numbers, waiting });
  }

  /** @returns undefined when a connection is free, else a promise for the turn */
  enter(tenant: string, urgent = false): Promise<void> | undefined {
    const hold = (leave: () => void): void => {
      const key = `${tenant} ${urgent}`;
      this.held.set(key, [...(this.held.get(key) ?? []), leave]);
    };
    const leave = this.limit.enterNow(tenant, urgent);
    if (!leave) return this.limit.enter(undefined, tenant, urgent).then(hold);
    hold(leave);
    return undefined;
  }

  leave(tenant: string, urgent = false): void {
    this.held.get(`${tenant} ${urgent}`)!.pop()!();
  }
}

describe('connections', () => {
  it('admits work of a tenant up to its limit, and other tenants in addition', () => {
    const share = new Connections({ each: 2, urgent: 2, total: 9 }, 1000);
    expect([share.enter('a'), share.enter('a')]).toEqual([undefined, undefined]);
    const third = share.enter('a');
    expect(third).toBeInstanceOf(Promise);
    expect(share.enter('b')).toBeUndefined();
    share.leave('a');
    return third;
  });

  it('serves waiting work in the order of arrival', async () => {
    const share = new Connections({ each: 1, urgent: 1, total: 9 }, 1000);
    const order: number[] = [];
    void share.enter('a');
    const waiting = [1, 2, 3].map(async (number) => {
      await share.enter('a');
      order.push(number);
      share.leave('a');
    });
    share.leave('a');
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
    expect(share.enter('a')).toBeUndefined();
  });

  it('refuses work that waits too long, and work that finds too many waiting', async () => {
    const share = new Connections({ each: 1, urgent: 1, total: 9 }, 20, 1);
    void share.enter('a');
    const late = share.enter('a');
    await expect(share.enter('a')).rejects.toThrow('All connections of this tenant');
    await expect(late).rejects.toThrow('All connections of this tenant');
    share.leave('a');
    expect(share.enter('a')).toBeUndefined();
  });

  it('serves urgent work first, and keeps one connection for it', async () => {
    const share = new Connections({ each: 3, urgent: 4, total: 9 }, 1000);
    expect([share.enter('a'), share.enter('a'), share.enter('a')]).toEqual([undefined, undefined, undefined]);
    const order: string[] = [];
    const other = Promise.resolve(share.enter('a')).then(() => order.push('other'));
    expect(share.enter('a', true)).toBeUndefined();
    const urgent = Promise.resolve(share.enter('a', true)).then(() => order.push('urgent'));
    share.leave('a', true);
    await urgent;
    share.leave('a');
    share.leave('a', true);
    await other;
    expect(order).toEqual(['urgent', 'other']);
    for (let count = 0; count < 3; count += 1) share.leave('a');
    expect([1, 2, 3].map(() => share.enter('a'))).toEqual([undefined, undefined, undefined]);
  });

  it('lets urgent work of a tenant go beyond the half, but not its other work', async () => {
    const share = new Connections({ each: 3, urgent: 6, total: 8 }, 1000);
    for (let count = 0; count < 3; count += 1) expect(share.enter('a')).toBeUndefined();
    for (let count = 0; count < 3; count += 1) expect(share.enter('a', true)).toBeUndefined();
    const urgent = share.enter('a', true);
    const other = share.enter('a');
    expect([urgent, other]).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(share.enter('b')).toBeUndefined();
    share.leave('a');
    await urgent;
    for (let count = 0; count < 4; count += 1) share.leave('a', true);
    await other;
  });

  it('keeps connections of all tenants together for urgent work', async () => {
    const share = new Connections({ each: 3, urgent: 3, total: 4 }, 1000);
    for (const tenant of ['a', 'a', 'a', 'b']) expect(share.enter(tenant)).toBeUndefined();
    const order: string[] = [];
    const later = ['a', 'b', 'c'].map((tenant) => Promise.resolve(share.enter(tenant)).then(() => order.push(tenant)));
    // A tenant that uses no connection and one that uses few find one for urgent work, and that frees none for other work.
    expect([share.enter('c', true), share.enter('b', true)]).toEqual([undefined, undefined]);
    for (const tenant of ['c', 'b']) share.leave(tenant, true);
    await Promise.resolve();
    expect(order).toEqual([]);
    // The tenant with the fewest connections comes first, although another one waits for longer.
    for (const tenant of ['a', 'a', 'a']) share.leave(tenant);
    await Promise.all(later);
    expect(order).toEqual(['c', 'b', 'a']);
    const last = share.enter('a');
    expect(last).toBeInstanceOf(Promise);
    share.leave('b');
    await last;
  });

  it('counts nothing of work that waited too long', async () => {
    const share = new Connections({ each: 2, urgent: 2, total: 1 }, 20);
    void share.enter('a');
    await expect(share.enter('b')).rejects.toThrow('busy');
    share.leave('a');
    expect(share.enter('b')).toBeUndefined();
    const next = share.enter('a');
    share.leave('b');
    await next;
    share.leave('a');
    expect(share.enter('c')).toBeUndefined();
  });

  it('takes half of a pool for a tenant, less one from four on, all but three for its urgent work, and keeps two for urgent work', () => {
    const of = (databasePoolSize: number): number[] => {
      const { each, urgent, total } = connectionLimits({ databasePoolSize, databaseWaitMs: 1000 });
      return [each, urgent, total];
    };
    expect([1, 2, 3, 5, 6, 10, 16].map(of)).toEqual([
      [1, 1, 1],
      [1, 1, 2],
      [1, 1, 2],
      [2, 2, 4],
      [3, 3, 4],
      [4, 7, 8],
      [7, 13, 14],
    ]);
  });
});
