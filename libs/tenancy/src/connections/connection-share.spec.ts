import { describe, expect, it } from 'vitest';
import { ConnectionShare } from './connection-share.js';

describe('ConnectionShare', () => {
  it('lets a tenant in up to its limit and others beside it', () => {
    const share = new ConnectionShare(2, 1000);
    expect([share.enter('a'), share.enter('a')]).toEqual([undefined, undefined]);
    const third = share.enter('a');
    expect(third).toBeInstanceOf(Promise);
    expect(share.enter('b')).toBeUndefined();
    share.leave('a');
    return third;
  });

  it('serves those who wait in the order of their arrival', async () => {
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

  it('refuses who waits too long, and who finds too many waiting', async () => {
    const share = new ConnectionShare(1, 20, 1);
    void share.enter('a');
    const late = share.enter('a');
    await expect(share.enter('a')).rejects.toThrow('Too much work of this tenant');
    await expect(late).rejects.toThrow('All connections of this tenant');
    share.leave('a');
    expect(share.enter('a')).toBeUndefined();
  });
});
