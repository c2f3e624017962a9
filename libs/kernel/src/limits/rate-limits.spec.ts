import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../observe/logger.js';
import { Problem } from '../problems/problem.js';
import { networkOfClient } from '../context/client-networks.js';
import { maximumBuckets, RateLimits } from './rate-limits.js';
import { tenantSlot } from '../context/scope.js';
import { readSettings } from '../settings/settings.js';
import { TokenBuckets } from './token-buckets.js';

const logger = createLogger({ logLevel: 'silent' });

function limits(environment: NodeJS.ProcessEnv): RateLimits {
  return new RateLimits(readSettings(environment), logger);
}

/** The number of calls that are accepted. */
function accepted(count: number, ask: (index: number) => void): number {
  let through = 0;
  for (let index = 0; index < count; index += 1) {
    try {
      ask(index);
      through += 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      expect([error.code, error.status]).toEqual(['rate.limited', 429]);
    }
  }
  return through;
}

const client = (ip: string) => ({ ip, headers: {} });

describe('TokenBuckets', () => {
  it('gives all tokens of a bucket at once, then one after another, and returns the time to wait', () => {
    let now = 0;
    const buckets = new TokenBuckets(10, () => now);
    const limit = { count: 3, milliseconds: 300 };
    expect([1, 2, 3].map(() => buckets.take('a', limit))).toEqual([0, 0, 0]);
    expect(buckets.take('a', limit)).toBeCloseTo(100);
    now = 99;
    expect(buckets.take('a', limit)).toBeCloseTo(1);
    now = 100;
    expect([buckets.take('a', limit), buckets.take('b', limit)]).toEqual([0, 0]);
    expect(buckets.take('a', limit)).toBeCloseTo(100);
    now = 10_000;
    expect([1, 2, 3, 4].filter(() => buckets.take('a', limit) === 0)).toHaveLength(3);
  });

  it('takes a token back', () => {
    const buckets = new TokenBuckets(10, () => 0);
    const limit = { count: 1, milliseconds: 1000 };
    expect(buckets.take('a', limit)).toBe(0);
    buckets.giveBack('a', limit);
    expect(buckets.take('a', limit)).toBe(0);
    expect(buckets.take('a', limit)).toBeCloseTo(1000);
  });

  it('gives a bucket of any size as many tokens as it holds', () => {
    for (const count of [7, 60, 999, 30_000]) {
      const buckets = new TokenBuckets(10, () => 123.456);
      expect(
        accepted(count + 5, () => {
          if (buckets.take('a', { count, milliseconds: 60_000 }) > 0) throw new Problem('rate.limited');
        }),
      ).toBe(count);
    }
  });
});

describe('RateLimits', () => {
  it('counts IPv4 by address and IPv6 by /56', () => {
    const both = limits({ RATE_PAGES: '2' });
    const ask = (ip: string) => accepted(3, () => both.countNetwork('pages', client(ip)));
    expect([ask('192.0.2.1'), ask('192.0.2.2'), ask('::ffff:192.0.2.2')]).toEqual([2, 2, 0]);
    expect([ask('2001:db8::1'), ask('2001:db8::2'), ask('2001:db8:0:1::1'), ask('2001:db8:0:100::1')]).toEqual([2, 0, 0, 2]);
    expect(networkOfClient(undefined)).toBe('unknown');
    const [wide, other] = [networkOfClient('192.0.2.1', 24), networkOfClient('192.0.3.1', 24)];
    expect([networkOfClient('192.0.2.9', 24), networkOfClient('2001:db8::1', 24)]).toEqual([
      wide,
      networkOfClient('2001:db8:0:ff00::1', 24),
    ]);
    expect(other).not.toBe(wide);
  });

  it('gives an IPv6 network of 48 bits eight times the allowance of one client, and takes tokens back from both', () => {
    const some = limits({ RATE_PAGES: '4', RATE_UNKNOWN_KEYS: '1' });
    const hex = (number: number): string => (number << 8).toString(16);
    const ask = (site: string, of: number): number =>
      accepted(of, (index) => some.countNetwork('pages', client(`2001:db8:${site}:${hex(index)}::1`)));
    // 256 networks of 56 bits would be allowed 4 requests each.
    expect([ask('a', 256), ask('b', 10)]).toEqual([32, 10]);
    const guess = (number: number): void => some.countNetwork('unknownKeys', client(`2001:db8:c:${hex(number)}::1`));
    for (let number = 0; number < 100; number += 1) {
      guess(number);
      some.giveBack('unknownKeys', client(`2001:db8:c:${hex(number)}::1`));
    }
    expect(accepted(20, guess)).toBe(8);
    // A refused request takes nothing from the other network.
    expect(accepted(1, () => some.countNetwork('unknownKeys', client('2001:db8:d::1')))).toBe(1);
  });

  it('counts each limit, key and device separately', () => {
    const some = limits({ RATE_SCANS: '3', RATE_KEY_READS: '2' });
    expect(accepted(5, () => some.countKnown('scans', 'a'))).toBe(3);
    expect(accepted(5, () => some.countKnown('scans', 'b'))).toBe(3);
    expect(accepted(5, () => some.countKnown('keyReads', 'a'))).toBe(2);
  });

  it('counts all callers of a tenant together, per limit', () => {
    const shared = limits({ RATE_TENANT: '4' });
    const scan = (tenant: string): number =>
      tenantSlot.run({ id: tenant }, () => accepted(9, (index) => shared.countKnown('scans', `${tenant}${index}`)));
    const look = (tenant: string): number =>
      tenantSlot.run({ id: tenant }, () => accepted(9, (index) => shared.countNetwork('pages', client(`192.0.2.${index}`))));
    // Visitors do not use up the scan limit of the tenant.
    expect([look('a'), scan('a'), scan('b')]).toEqual([4, 4, 4]);
  });

  it.each(['0', 'off', 'OFF'])('is off with %s, for the tenant, too', (off) => {
    const none = limits({ RATE_SCANS: off, RATE_TENANT: '1' });
    expect(accepted(50, () => none.countKnown('scans', 'a'))).toBe(50);
  });

  it('returns the seconds until the next token', () => {
    const slow = limits({ RATE_PAIRING: '1/20s' });
    slow.countNetwork('pairing', client('192.0.2.1'));
    expect(() => slow.countNetwork('pairing', client('192.0.2.1'))).toThrow(
      expect.objectContaining({ extras: { parameters: { seconds: 20 }, headers: { 'Retry-After': '20' } } }),
    );
  });

  it('has a bounded size with 100,000 addresses and as many keys', () => {
    const bounded = limits({ RATE_TENANT: 'off' });
    for (let number = 0; number < 100_000; number += 1) {
      bounded.countNetwork('pages', client(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`));
      tenantSlot.run({ id: `${number % 2}` }, () => bounded.countKnown('keyReads', `${number}`));
    }
    expect(bounded.size).toBeLessThanOrEqual(2 * maximumBuckets);
    expect(bounded.size).toBeGreaterThan(maximumBuckets);
  });

  it.each(['x', '-1', '1.5', '5/d', '10/0s', '1e9'])('refuses %s as a setting', (input) => {
    expect(() => readSettings({ RATE_PAGES: input })).toThrow('RATE_PAGES');
  });
});
