import { describe, expect, it } from '@jest/globals';
import { cellText, csvText, wallClock } from './export-cells.js';

describe('a text in CSV', () => {
  it.each([
    '=1+1',
    '=HYPERLINK("http://evil.example")',
    '+A1',
    '+33-6-12',
    '-1+2',
    "-2+3+cmd|' /C calc'!A0",
    '+1 +A1',
    '-1 :A1',
    '- bring chairs',
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
    '＋A1',
    '－A1',
    '＠x',
    '﹢A1',
    '\u0000=1',
    '−A1',
  ])('that a spreadsheet evaluates gets a mark: %j', (text) => {
    expect(csvText(text).startsWith("'")).toBe(true);
  });

  it.each([
    'Ada',
    'a=b',
    'Anne-Marie',
    'x@example.org',
    '',
    '12 + 3',
    "O'Neil",
    '  Ada',
    '+33 6 12 34 56 78',
    '+33612345678',
    '+1 (555) 010-9999',
    '+49(0)30 123456',
    '+44 20 7946 0958 ext. 7',
    '-1',
    '-12,50',
    '−1',
    '-5 °C in the hall',
    '+1 for Ada',
    '-',
    '=',
    '\tindented',
    'Note:\n=1',
    '12 rue de l’Église',
  ])('stays as it is: %j', (text) => {
    expect(csvText(text)).toBe(text);
  });
});

describe('a text in a cell', () => {
  it('of a workbook stays as it is', () => {
    for (const text of ['=1+1', '+33 6 12 34 56 78', '@ada']) expect(cellText(text)).toBe(text);
  });

  it('contains only characters that are valid in a file, and not more than a cell can hold', () => {
    expect(cellText('a\u0001\u000bb\uffff')).toBe('ab');
    expect(csvText(`=${'x'.repeat(40_000)}`)).toHaveLength(32_767);
  });
});

it('times are written in the time zone of the place', () => {
  const paris = wallClock('Europe/Paris');
  expect(paris('2026-07-01T18:30:00.000Z')).toEqual(new Date('2026-07-01T20:30:00Z'));
  expect(paris('2026-12-31T23:15:00.000Z')).toEqual(new Date('2027-01-01T00:15:00Z'));
  expect(paris('nonsense')).toBeNull();
});
