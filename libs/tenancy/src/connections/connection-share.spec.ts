import { describe, expect, it } from 'vitest';
import { ConnectionShare } from './connection-share.js';

describe('ConnectionShare', () => {
  it('admits work of a tenant up to its limit, and other tenants in addition', () => {
    const share = new ConnectionShare(2, 1000);
    expect([share.enter('a'), share.enter('a')]).toEqual([undefined, undefined]);
    const third = share.enter('a');
    expect(third).toBeInstanceOf(Promise);
    expect(share.enter('b')).toBeUndefined();
    share.leave('a');
    return third;
  });

  it('serves waiting work in the order of arrival', async () => {
    const share = new ConnectionShare(1, 1000);
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
    const share = new ConnectionShare(1, 20, 1);
    void share.enter('a');
    const late = share.enter('a');
    await expect(share.enter('a')).rejects.toThrow('Too much work of this tenant');
    await expect(late).rejects.toThrow('All connections of this tenant');
    share.leave('a');
    expect(share.enter('a')).toBeUndefined();
  });

  it('serves urgent work first, and keeps one connection for it', async () => {
    const share = new ConnectionShare(4, 1000);
    expect([share.enter('a'), share.enter('a'), share.enter('a')]).toEqual([undefined, undefined, undefined]);
    const order: string[] = [];
    const other = Promise.resolve(share.enter('a')).then(() => order.push('other'));
    expect(share.enter('a', true)).toBeUndefined();
    const urgent = Promise.resolve(share.enter('a', true)).then(() => order.push('urgent'));
    share.leave('a');
    await urgent;
    share.leave('a');
    share.leave('a');
    await other;
    expect(order).toEqual(['urgent', 'other']);
    for (let count = 0; count < 3; count += 1) share.leave('a');
    expect([1, 2, 3].map(() => share.enter('a'))).toEqual([undefined, undefined, undefined]);
  });
});
