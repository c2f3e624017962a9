import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import { tenantSlot } from '../context/scope.js';
import { TenantCache } from './tenant-cache.js';

const inTenant = <Result>(id: string, work: () => Result): Result => tenantSlot.run({ id }, work);
/** A value that has this size together with its name (`a 1`). */
const sized = (size: number): string => 'x'.repeat(size - 3);

describe('TenantCache', () => {
  it('keeps the values of each tenant separately', () => {
    const cache = new TenantCache<string>({ size: 100, each: 100 });
    inTenant('a', () => cache.set('1', 'of a'));
    expect(inTenant('b', () => cache.get('1'))).toBeUndefined();
    expect(inTenant('a', () => cache.get('1'))).toBe('of a');
    expect(cache.get('1')).toBeUndefined();
  });

  it('drops the least recently used values of a tenant that fills its share, and none of others', () => {
    const cache = new TenantCache<string>({ size: 100, each: 30 });
    inTenant('b', () => cache.set('1', sized(30)));
    inTenant('a', () => {
      for (const key of ['1', '2', '3']) cache.set(key, sized(10));
      cache.get('1');
      cache.set('4', sized(10));
      expect(['1', '2', '3', '4'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true]);
      // The same key again replaces the value.
      cache.set('4', sized(12));
      expect(['1', '3', '4'].map((key) => cache.get(key)?.length)).toEqual([undefined, 7, 9]);
      // Larger than the share: it is not kept, and pushes out nothing.
      cache.set('5', sized(31));
      expect([cache.get('5'), cache.get('3')?.length]).toEqual([undefined, 7]);
    });
    expect(inTenant('b', () => cache.get('1'))?.length).toBe(27);
    expect(cache.size).toBe(52);
  });

  it('keeps its size with many tenants and forgets tenants without values', () => {
    const cache = new TenantCache<string>({ size: 1000, each: 100 });
    for (let number = 0; number < 5000; number += 1) inTenant(`t${number}`, () => cache.set('1', sized(50)));
    expect(cache.size).toBeLessThanOrEqual(1000);
    expect(cache.tenants).toBeLessThanOrEqual(20);
    expect(inTenant('t4999', () => cache.get('1'))).toBeDefined();
  });

  it('drops values after their time, also when nobody asks for them', async () => {
    const cache = new TenantCache<string>({ size: 100, each: 100, ttlMs: 5 });
    inTenant('a', () => cache.set('1', 'x'));
    await eventually(() => expect([cache.size, cache.tenants]).toEqual([0, 0]), { timeout: 5000, interval: 5 });
  });
});
