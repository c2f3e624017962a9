import { describe, expect, it } from '@jest/globals';
import { fromCents, sumOf, toCents } from './money.js';

describe('amounts', () => {
  it.each([
    ['0.00', 0],
    ['12.50', 1250],
    ['-12.50', -1250],
    ['-0.05', -5],
    ['99999999.99', 9_999_999_999],
  ] as const)('%s is %i cents, both ways', (text, cents) => {
    expect(toCents(text)).toBe(cents);
    expect(fromCents(cents)).toBe(text);
  });

  it('are read with fewer places, and never as a negative zero', () => {
    expect(['7', '7.5', '-7.5', '-0.00'].map((text) => toCents(text))).toEqual([700, 750, -750, 0]);
  });

  it('add up with what was taken back', () => {
    expect(sumOf([{ amount: '12.50', quantity: 2 }, { amount: '-30.05' }])).toBe('-5.05');
  });
});
