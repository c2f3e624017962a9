import { describe, expect, it } from '@jest/globals';
import { retryAfterSeconds, retryDelay, retryDelays } from './retry-schedule.js';

describe('the retry schedule', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then ends', () => {
    const middle = (): number => 0.5;
    const delays = Array.from({ length: 10 }, (_, index) => retryDelay(index + 1, middle));
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
  });

  it('has a jitter of ten percent in both directions', () => {
    for (const [index, delay] of retryDelays.entries()) {
      expect(retryDelay(index + 1, () => 0)).toBeCloseTo(delay * 0.9);
      expect(retryDelay(index + 1, () => 1)).toBeCloseTo(delay * 1.1);
    }
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['999999999', 86_400],
    ['Sat, 21 Nov 2099 11:00:00 GMT', 86_400],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('%j is %j seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
