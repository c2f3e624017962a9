import { describe, expect, it } from '@jest/globals';
import { defused, wallClock } from './export-cells.js';

describe('an exported text', () => {
  it.each([
    '=1+1',
    '+33 6 12',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '  =1',
    '\u00a0=1',
    '\u200b=1',
    '\ufeff=1',
    '\u3000=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠x',
    '\u0000=1',
    '−1',
  ])('that could be a formula is none: %j', (text) => {
    expect(defused(text).startsWith("'")).toBe(true);
  });

  it.each(['Ada', 'a=b', 'Anne-Marie', 'x@example.org', '', '12 + 3', "O'Neil", '  Ada'])('is not changed: %j', (text) => {
    expect(defused(text)).toBe(text);
  });

  it('contains only characters that are valid in a file, and not more than a cell can hold', () => {
    expect(defused('a\u0001\u000bb\uffff')).toBe('ab');
    expect(defused(`=${'x'.repeat(40_000)}`)).toHaveLength(32_767);
  });
});

it('times are written in the time zone of the place', () => {
  const paris = wallClock('Europe/Paris');
  expect(paris('2026-07-01T18:30:00.000Z')).toEqual(new Date('2026-07-01T20:30:00Z'));
  expect(paris('2026-12-31T23:15:00.000Z')).toEqual(new Date('2027-01-01T00:15:00Z'));
  expect(paris('nonsense')).toBeNull();
});
