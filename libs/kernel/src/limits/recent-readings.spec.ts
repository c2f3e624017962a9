import { setTimeout as pass } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { currentClient, currentRequest, runInRequest } from '../context/request-context.js';
import { currentTenantId, tenantSlot } from '../context/scope.js';
import { RecentReadings } from './recent-readings.js';

/** Counts readings; each ends when `end` is called. */
function counted() {
  const ends: ((value: string) => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const read = (): Promise<string> =>
    new Promise((resolve, reject) => {
      ends.push(resolve);
      fails.push(reject);
    });
  return { read, ends, fails };
}

describe('RecentReadings', () => {
  it('reads once for all who ask at the same time and within the time, key by key', async () => {
    const readings = new RecentReadings<string>({ most: 10, ttlMs: 10_000 });
    const { read, ends } = counted();
    const asked = Array.from({ length: 100 }, () => readings.read('a', read));
    const other = readings.read('b', () => Promise.resolve('of b'));
    expect(ends).toHaveLength(1);
    ends[0]!('of a');
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['of a']));
    expect([await readings.read('a', read), await other, ends.length]).toEqual(['of a', 'of b', 1]);
  });

  it('reads again after the time, which counts from the beginning of a reading', async () => {
    const readings = new RecentReadings<string>({ most: 10, ttlMs: 40 });
    const { read, ends } = counted();
    const slow = readings.read('a', read);
    await pass(60);
    // It is not begun again while it is under way.
    const joined = readings.read('a', read);
    expect(ends).toHaveLength(1);
    ends[0]!('late');
    expect([await slow, await joined]).toEqual(['late', 'late']);
    void readings.read('a', read);
    expect(ends).toHaveLength(2);
  });

  it('keeps no error, unless it is told to', async () => {
    for (const [keepsErrors, count] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const readings = new RecentReadings<string>({ most: 10, ttlMs: 10_000 }, keepsErrors);
      const { read, fails } = counted();
      const both = [readings.read('a', read), readings.read('a', read)];
      fails[0]!(new Error('broken'));
      for (const asked of both) await expect(asked).rejects.toThrow('broken');
      readings.read('a', read).catch(() => undefined);
      expect([keepsErrors, fails.length]).toEqual([keepsErrors, count]);
    }
  });

  it('never keeps what was read before it was told to forget', async () => {
    const readings = new RecentReadings<string>({ most: 10, ttlMs: 10_000 });
    const { read, ends } = counted();
    const before = readings.read('a', read);
    readings.forget('a');
    const after = readings.read('a', read);
    ends[1]!('new');
    ends[0]!('old');
    expect([await before, await after, await readings.read('a', read)]).toEqual(['old', 'new', 'new']);
    readings.forgetAll();
    void readings.read('a', read);
    expect(ends).toHaveLength(3);
  });

  it('reads in the tenant of the first caller and outside of its request', async () => {
    const readings = new RecentReadings<unknown[]>({ most: 10, ttlMs: 10_000 });
    const client = { destroyed: true, once: () => undefined, off: () => undefined };
    const read = async (): Promise<unknown[]> => [currentTenantId(), currentRequest(), currentClient()];
    const found = tenantSlot.run({ id: 'a' }, () => runInRequest({ requestId: 'r', client }, () => readings.read('a', read)));
    expect(await found).toEqual(['a', undefined, undefined]);
  });

  it('drops the readings that were used least recently beyond the bound', async () => {
    const readings = new RecentReadings<string>({ most: 2, ttlMs: 10_000 });
    let count = 0;
    const read = async (): Promise<string> => String((count += 1));
    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await readings.read(key, read);
    expect(count).toBe(4);
  });
});
