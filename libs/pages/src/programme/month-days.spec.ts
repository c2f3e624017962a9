import { describe, expect, it } from '@jest/globals';
import { languages } from '#kernel';
import { daysOf, firstWeekday, weeksOf } from './month-days.js';

describe('the days of a month', () => {
  it('begin with the first weekday of the language', () => {
    for (const language of languages) expect(firstWeekday(language)).toBe(1);
    expect(firstWeekday('en', 'en-US')).toBe(7);
    // 1 December 2026 is a Tuesday.
    expect(weeksOf('2026-12', 1)[0]).toEqual([undefined, ...[1, 2, 3, 4, 5, 6].map((day) => `2026-12-0${day}`)]);
    expect(weeksOf('2026-12', 7)[0]).toEqual([undefined, undefined, ...[1, 2, 3, 4, 5].map((day) => `2026-12-0${day}`)]);
    // 1 February 2027 is a Monday, and the month has four weeks.
    expect(weeksOf('2027-02', 1).map((week) => [week[0], week[6]])).toEqual([
      ['2027-02-01', '2027-02-07'],
      ['2027-02-08', '2027-02-14'],
      ['2027-02-15', '2027-02-21'],
      ['2027-02-22', '2027-02-28'],
    ]);
    expect(weeksOf('2028-02', 1).flat().filter(Boolean)).toHaveLength(29);
  });

  const days = (start: string, end: string | null, month = '2026-12'): string[] =>
    daysOf({ startsAt: new Date(start), endsAt: end === null ? null : new Date(end) }, month, 'Europe/Paris');

  it('have events of several days on each of them', () => {
    expect(days('2026-12-12T17:00:00Z', '2026-12-13T23:00:00Z')).toEqual(['2026-12-12', '2026-12-13']);
    expect(days('2026-12-12T19:00:00Z', '2026-12-13T02:00:00Z')).toEqual(['2026-12-12']);
    expect(days('2026-12-12T19:00:00Z', null)).toEqual(['2026-12-12']);
    // Until midnight in Paris, and after midnight there.
    expect(days('2026-12-12T08:00:00Z', '2026-12-13T23:00:00Z')).toEqual(['2026-12-12', '2026-12-13']);
    expect(days('2026-12-31T23:30:00Z', null)).toEqual([]);
    expect(days('2026-12-31T23:30:00Z', null, '2027-01')).toEqual(['2027-01-01']);
  });

  it('have the part of an event that is in the month', () => {
    expect(days('2026-11-20T08:00:00Z', '2026-12-02T08:00:00Z')).toEqual(['2026-12-01', '2026-12-02']);
    expect(days('2026-12-30T08:00:00Z', '2027-02-02T08:00:00Z')).toEqual(['2026-12-30', '2026-12-31']);
    expect(days('2026-11-20T08:00:00Z', '2027-02-02T08:00:00Z', '2027-01')).toHaveLength(31);
  });
});
